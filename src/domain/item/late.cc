#include "domain/item/late.h"

#include <algorithm>

namespace patra::domain {
namespace {

using std::chrono::days;

bool IsProven(const Coverage& proven, Instant from, Instant to) {
  return std::ranges::any_of(proven.windows(), [&](const Window& window) {
    return window.from() <= from && to <= window.to();
  });
}

bool IsProven(const Coverage& proven, Instant date) {
  const bool is_day = std::chrono::floor<days>(date) == date;
  return IsProven(proven, date, date + (is_day ? Duration(days(1)) : Duration(1)));
}

}  // namespace

std::int64_t CountLate(const Intake& intake, const ReadAgain& read) {
  if (read.proven.windows().empty()) return 0;
  if (read.dates_tell) {
    return std::ranges::count_if(
        intake.news, [&](const Record* record) { return IsProven(read.proven, record->date()); });
  }
  return IsProven(read.proven, read.window.from(), read.window.to()) ? std::ssize(intake.inserted)
                                                                     : 0;
}

}  // namespace patra::domain
