#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patra::domain {

// The target of rel="next" in a Link header (RFC 8288): <https://…>; rel="next", <…>; rel="last"
std::optional<std::string> NextLink(std::string_view header);

}  // namespace patra::domain
