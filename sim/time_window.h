// Reads the dates with which clients name a window.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace patra::sim {

// A moment and how much of time its text covers: "2026-03" is the whole month.
struct Period {
  Instant first;
  Instant after;  // the moment behind the last one
};

// YYYY, YYYY-MM, YYYY-MM-DD, YYYY-MM-DDThh, …hh:mm, …hh:mm:ss, each optionally with Z; `separator`
// divides the date's parts.
std::optional<Period> ParsePeriod(std::string_view text, char separator = '-');

// Far enough for every corpus, near enough for arithmetic.
inline constexpr Instant kWindowMin = std::chrono::sys_days{std::chrono::year{1900} / 1 / 1};
inline constexpr Instant kWindowMax = std::chrono::sys_days{std::chrono::year{2200} / 1 / 1};

}  // namespace patra::sim
