// Every form of time, from one text; a date pattern is the first line, its text the rest.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/date_pattern.h"
#include "base/duration.h"
#include "base/http_date.h"
#include "base/moment.h"
#include "base/partial_date.h"
#include "base/time.h"

namespace patra {
namespace {

const Instant kNow = ParseRfc3339("2026-03-29T12:00:00Z").value();

void CheckMoments(std::string_view text) {
  for (const auto& parsed : {ParseRfc3339(text), ParseEpochSeconds(text), ParseEpochMillis(text),
                             ParseHttpDate(text, kNow), ParseMoment(text, kNow)}) {
    if (!parsed) continue;
    PATRA_ASSERT(*parsed >= kInstantMin && *parsed <= kInstantMax);
    PATRA_ASSERT(ParseRfc3339(FormatRfc3339(*parsed)) == *parsed);
    PATRA_ASSERT(ParseRfc3339(FormatRfc3339Micros(*parsed)) == *parsed);
  }
}

void CheckDuration(std::string_view text) {
  const auto parsed = ParseDuration(text);
  if (!parsed) return;
  PATRA_ASSERT(ParseDuration(FormatIsoDuration(*parsed)) == *parsed);
  PATRA_ASSERT(ParseDuration(FormatDuration(*parsed)) == *parsed);
}

void CheckPartialDate(std::string_view text) {
  const auto parsed = PartialDate::Parse(text);
  if (!parsed) return;
  PATRA_ASSERT(PartialDate::Parse(parsed->Print()) == *parsed);
  PATRA_ASSERT(parsed->Earliest() >= kInstantMin);
}

void CheckPattern(std::string_view text) {
  const auto line_end = text.find('\n');
  const auto pattern = DatePattern::Compile(text.substr(0, line_end));
  if (!pattern) return;
  static const auto kZone = TimeZone::Find("Australia/Lord_Howe").value();
  for (const auto& zone : {TimeZone::Utc(), kZone}) {
    const auto written = pattern->Format(kNow, zone);
    if (const auto again = pattern->Parse(written, kNow, zone)) {
      PATRA_ASSERT(*again >= kInstantMin && *again <= kInstantMax);
    }
    if (line_end == std::string_view::npos) continue;
    const auto parsed = pattern->Parse(text.substr(line_end + 1), kNow, zone);
    if (parsed) pattern->Format(*parsed, zone);
  }
}

}  // namespace
}  // namespace patra

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  patra::CheckMoments(text);
  patra::CheckDuration(text);
  patra::CheckPartialDate(text);
  patra::CheckPattern(text);
  return 0;
}
