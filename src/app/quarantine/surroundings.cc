#include "app/quarantine/surroundings.h"

#include <algorithm>

#include "base/utf8.h"

namespace patra::app {

std::optional<domain::Surroundings> SurroundingsOf(std::string_view page, std::string_view record,
                                                   std::size_t bytes_max) {
  if (record.empty()) return std::nullopt;
  const auto at = page.find(record);
  if (at == std::string_view::npos) return std::nullopt;
  const auto from = at - std::min(at, bytes_max);
  const auto end = at + record.size();
  return domain::Surroundings{.before = std::string(WholeCharacters(page, from, at - from)),
                              .behind = std::string(WholeCharacters(page, end, bytes_max)),
                              .offset = static_cast<std::int64_t>(at),
                              .page_bytes = static_cast<std::int64_t>(page.size())};
}

}  // namespace patra::app
