// Base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patra {

// With the standard alphabet and padding (§4).
std::string Base64(std::string_view bytes);
// Nothing where the text is not what Base64 makes.
std::optional<std::string> FromBase64(std::string_view text);

// With the alphabet of addresses and no padding (§5). Nothing where the text is not what Base64Url makes.
std::string Base64Url(std::string_view bytes);
std::optional<std::string> FromBase64Url(std::string_view text);

}  // namespace patra
