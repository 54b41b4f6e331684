// Values on their way into a request. Each function makes a value safe for one place, or refuses
// it: nothing that a provider or a person wrote can leave its place, start another parameter or
// header, or climb out of a path. No message repeats the value, which may be a secret.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/value.h"

namespace patra {

// What a value looks like inside text: a string as it is, numbers and booleans as in JSON. Null,
// arrays and objects are refused.
Result<std::string> ScalarText(const Value& value);

// RFC 3986: all bytes but letters, digits, "-", ".", "_" and "~" become %XX.
std::string PercentEncode(std::string_view text);

// One segment of a URL's path, percent-encoded, also its slashes. Empty texts, "." and ".." (which
// would name another path) and control characters are refused.
Result<std::string> PathSegment(const Value& value);

// One or more segments: slashes stay, and each segment has to be one as above. For identifiers that
// a provider wants with their slashes, as the DOI in /works/10.1000/182.
Result<std::string> PathSegments(const Value& value);

// The value (or name) of a query parameter, percent-encoded. NUL is refused.
Result<std::string> QueryValue(const Value& value);

// The value of a header field (RFC 9110 §5.5), as it is: visible ASCII with single blanks or tabs
// inside. Anything else, CR and LF above all, is refused.
Result<std::string> HeaderValue(const Value& value);

// A JSON document; text inside it stays text. Invalid UTF-8 and infinite numbers are refused.
Result<std::string> JsonBody(const Value& value);

// application/x-www-form-urlencoded, as the URL standard of the WHATWG has it (a blank is "+").
// The error's pointer names the field.
using FormField = std::pair<std::string, Value>;
Result<std::string> FormBody(std::span<const FormField> fields);

}  // namespace patra
