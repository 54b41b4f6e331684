#include "sim/time_window.h"

#include <algorithm>
#include <array>

namespace patra::sim {
namespace {

// Cuts exactly `width` digits off the front.
std::optional<int> TakeDigits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, width)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(width);
  return number;
}

bool TakeCharacter(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<Period> ParsePeriod(std::string_view text, char separator) {
  using std::chrono::day;
  using std::chrono::month;
  using std::chrono::sys_days;
  using std::chrono::year;
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto years = TakeDigits(text, 4);
  if (!years) return std::nullopt;
  const year y{*years};
  if (y < year{1900} || y >= year{2200}) return std::nullopt;
  if (text.empty())
    return Period{sys_days{y / 1 / 1}, sys_days{(y + std::chrono::years(1)) / 1 / 1}};

  if (!TakeCharacter(text, separator)) return std::nullopt;
  const auto months = TakeDigits(text, 2);
  if (!months || *months < 1 || *months > 12) return std::nullopt;
  const auto year_month = y / month{static_cast<unsigned>(*months)};
  if (text.empty()) {
    return Period{sys_days{year_month / 1}, sys_days{(year_month + std::chrono::months(1)) / 1}};
  }

  if (!TakeCharacter(text, separator)) return std::nullopt;
  const auto days = TakeDigits(text, 2);
  const auto date = year_month / day{static_cast<unsigned>(days.value_or(0))};
  if (!date.ok()) return std::nullopt;
  Instant first = sys_days{date};
  if (text.empty()) return Period{first, first + std::chrono::days(1)};

  struct Unit {
    char before;
    int max;
    Duration length;
  };
  static constexpr std::array<Unit, 3> kUnits{{{'T', 23, std::chrono::hours(1)},
                                               {':', 59, std::chrono::minutes(1)},
                                               {':', 59, std::chrono::seconds(1)}}};
  for (const auto& unit : kUnits) {
    if (!TakeCharacter(text, unit.before)) return std::nullopt;
    const auto number = TakeDigits(text, 2);
    if (!number || *number > unit.max) return std::nullopt;
    first += unit.length * *number;
    if (text.empty()) return Period{first, first + unit.length};
  }
  // A fraction names a moment inside the second; the corpus knows no finer time.
  if (!TakeCharacter(text, '.') || text.empty() || text.size() > 9) return std::nullopt;
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  const bool whole = text.find_first_not_of('0') == std::string_view::npos;
  const auto rounded_up = first + (whole ? Duration::zero() : Duration(std::chrono::seconds(1)));
  return Period{rounded_up, first + std::chrono::seconds(1)};
}

}  // namespace patra::sim
