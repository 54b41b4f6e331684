#include "domain/page/page_answer.h"

#include <algorithm>

#include "base/text_scanner.h"

namespace patra::domain {

const std::string* FindHeader(std::span<const std::pair<std::string, std::string>> headers,
                              std::string_view name) {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return EqualIgnoringCase(header.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

}  // namespace patra::domain
