// "a, b" as people write lists in settings.
#pragma once

#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace patra {

// Without blanks around its entries, and without empty ones.
inline std::vector<std::string> CommaList(std::string_view list) {
  std::vector<std::string> entries;
  for (const auto part : list | std::views::split(',')) {
    std::string_view entry(part);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    if (!entry.empty()) entries.emplace_back(entry);
  }
  return entries;
}

}  // namespace patra
