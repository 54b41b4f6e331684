// RFC 8785 canonical JSON (JCS): one byte sequence per JSON value, for hashing.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace patra {

// Keys in the order of their UTF-16 code units, numbers as ECMAScript prints the nearest double, no
// white space; but integers that no double holds keep their digits, because records are stored like this.
// REQUIRES: strings are valid UTF-8 and numbers finite, as ParseJson guarantees.
std::string CanonicalJson(const Value& value);

// Parses strictly, then canonicalises to the letter of RFC 8785.
Result<std::string> CanonicalizeJson(std::string_view text, JsonLimits limits = {});

// Building blocks, also used by PrintJson.
void AppendJsonString(std::string_view text,
                      std::string& out);                 // quoted, escaped as RFC 8785 §3.2.2.2
void AppendJsonNumber(double number, std::string& out);  // as ECMAScript's Number::toString

}  // namespace patra
