#include "base/calendar_names.h"

#include <span>

#include "base/text_scanner.h"

namespace patra {
namespace {

std::optional<int> IndexOf(std::string_view word, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (EqualIgnoringCase(word, names[i]) || EqualIgnoringCase(word, ShortName(names[i]))) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> MonthOfName(std::string_view name) {
  if (EqualIgnoringCase(name, "Sept")) return 9;
  const auto index = IndexOf(name, kMonthNames);
  return index ? std::optional(*index + 1) : std::nullopt;
}

std::optional<int> DayOfName(std::string_view name) { return IndexOf(name, kDayNames); }

}  // namespace patra
