// English names of months and days, which machines of all countries write in dates.
#pragma once

#include <optional>
#include <string_view>

namespace patra {

inline constexpr std::string_view kMonthNames[] = {"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
inline constexpr std::string_view kDayNames[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                 "Thursday", "Friday", "Saturday"};

// The three letters that every short form begins with.
inline constexpr std::string_view ShortName(std::string_view name) { return name.substr(0, 3); }

// 1 to 12 for "May", "may", "September", "Sept"; 0 (Sunday) to 6 for "Sun", "Sunday". Both the name
// and its first three letters are understood, whatever the case.
std::optional<int> MonthOfName(std::string_view name);
std::optional<int> DayOfName(std::string_view name);

}  // namespace patra
