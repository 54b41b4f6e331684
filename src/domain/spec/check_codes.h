// The codes of a definition against the dictionary of a store: what somebody disabled there is not planned with, and what others call
// a code is understood.
#pragma once

#include "domain/spec/code_dictionary.h"
#include "domain/spec/definition.h"
#include "domain/spec/merged_view.h"

namespace patra::domain {

// A whole definition whose codes may be other systems' words: each becomes the code that it stands for. What stands for none
// stays, for the grammar to refuse.
void ResolveAliases(DefinitionNode& definition, const CodeDictionary& dictionary);

// Of what one endpoint goes by, platform's defaults included.
void CheckCodes(const MergedView& view, const CodeDictionary& dictionary, Findings& findings);

}  // namespace patra::domain
