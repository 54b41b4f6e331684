// Cron expressions: what parses fires in the future, at times that match.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/cron.h"

namespace patra {
namespace {

void Check(const Cron& cron, Instant start, const TimeZone& zone) {
  auto at = start;
  for (int i = 0; i < 4; ++i) {
    const auto next = cron.NextAfter(at, zone);
    if (!next) return;
    PATRA_ASSERT(*next > at);
    const bool every = cron.text().contains('@') && !cron.Matches(zone.ToLocal(*next));
    PATRA_ASSERT(zone != TimeZone::Utc() || every || cron.Matches(zone.ToLocal(*next)));
    at = *next;
  }
}

}  // namespace
}  // namespace patra

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace patra;
  const auto cron = Cron::Parse({reinterpret_cast<const char*>(data), size});
  if (!cron) {
    PATRA_ASSERT(cron.error().code == ErrorCode::kLimit || cron.error().place.column > 0);
    return 0;
  }
  static const auto kBerlin = TimeZone::Find("Europe/Berlin").value();
  static const auto kLordHowe = TimeZone::Find("Australia/Lord_Howe").value();
  for (const auto& zone : {TimeZone::Utc(), kBerlin, kLordHowe}) {
    for (const auto* start : {"2026-03-28T23:00:00Z", "2026-10-25T00:30:00.5Z",
                              "9999-12-30T00:00:00Z", "0001-01-01T00:00:00Z"}) {
      Check(*cron, ParseRfc3339(start).value(), zone);
    }
  }
  return 0;
}
