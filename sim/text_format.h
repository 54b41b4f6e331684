// Small writers for the JSON and XML in which records are prepared.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "sim/work.h"

namespace patra::sim {

std::string JsonText(std::string_view text);  // quoted and escaped
std::string XmlText(std::string_view text);   // escaped for text and attributes

// <i>…</i> around styled runs, everything else escaped.
std::string XmlMarkup(const StyledText& text);

// The same tags inside plain text, as Crossref carries them.
std::string InlineMarkup(const StyledText& text);

// Calendar parts of a moment (UTC).
struct DateParts {
  int year;
  unsigned month;
  unsigned day;
  int hour;
  int minute;
  int second;
};
DateParts PartsOf(Instant instant);

std::string PrintDay(Instant instant, std::string_view separator);  // 2026-03-29
std::string PrintSeconds(Instant instant);                          // 2026-03-29T01:00:00Z

}  // namespace patra::sim
