#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace patra::domain {

// The target of rel="next" in a Link header (RFC 8288): <https://…>; rel="next", <…>; rel="last"
std::optional<std::string> NextLink(std::string_view header);

// Whether it speaks of a next page, also where it cannot be read as a link.
bool SpeaksOfNext(std::string_view header);

// Whether it speaks of pages: the first, the last, the one before. Who does, and names no next one, says that there is none.
bool NamesOtherPages(std::string_view header);

}  // namespace patra::domain
