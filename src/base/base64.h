// Base64 with the standard alphabet and padding (RFC 4648 §4).
#pragma once

#include <string>
#include <string_view>

namespace patra {

std::string Base64(std::string_view bytes);

}  // namespace patra
