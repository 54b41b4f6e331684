// The token that leads from a page to the next one: as an answer has it, as it is kept, and as requests send it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/document.h"
#include "base/result.h"
#include "base/value.h"
#include "domain/page/page_answer.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// What stands in the document, as the text that a position keeps: of a value, its canonical JSON, so that the same place has
// the same text however an answer writes it. Nothing where it says that there is none. An error where it is no token.
Result<std::optional<std::string>> TokenOf(Node node, TokenKind kind);

// What the header says; nothing where it is missing or empty. An error where it is there twice and says different things.
Result<std::optional<std::string>> TokenInHeader(const PageAnswer& answer, std::string_view name);

// What templates see of a token that is kept: a text, or the value that it was.
Result<Value> ValueOfToken(const std::string& token, TokenKind kind);

}  // namespace patra::domain
