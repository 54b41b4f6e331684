// Foreign text inside messages for people.
#pragma once

#include <string>
#include <string_view>

namespace patra {

// 'text' in single quotes on one line: control characters and bytes that are no UTF-8 become '?', and what is longer than
// `bytes_max` ends with an ellipsis (never inside a UTF-8 character).
std::string Quote(std::string_view text, std::size_t bytes_max = 60);

}  // namespace patra
