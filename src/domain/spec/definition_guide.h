// All that a definition can say, as a Markdown text for people: made of the grammar, like the JSON Schema, and of examples that are
// tried.
#pragma once

#include <string>

namespace patra::domain {

std::string DefinitionGuide();

}  // namespace patra::domain
