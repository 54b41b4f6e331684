#include "base/time_zone.h"

#include <gtest/gtest.h>

namespace patra::time_zone_test {

using namespace std::chrono_literals;
using std::chrono::local_days;
using std::chrono::seconds;

TimeZone Zone(std::string_view name) {
  const auto zone = TimeZone::Find(name);
  EXPECT_TRUE(zone) << name;
  return zone.value_or(TimeZone::Utc());
}

Instant At(std::string_view text) { return ParseRfc3339(text).value(); }

TEST(TimeZone, FindsZonesByName) {
  EXPECT_EQ(Zone("Europe/Berlin").name(), "Europe/Berlin");
  EXPECT_EQ(Zone("Europe/Berlin"), Zone("Europe/Berlin"));
  EXPECT_EQ(Zone("UTC"), TimeZone::Utc());
  EXPECT_EQ(TimeZone(), TimeZone::Utc());
}

TEST(TimeZone, SuggestsANameForAnUnknownOne) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"Europe/Berln", "did you mean 'Europe/Berlin'?"},
      {"europe/berlin", "did you mean 'Europe/Berlin'?"},
      {"America/NewYork", "did you mean 'America/New_York'?"},
      {"Middle-earth", "use an IANA name, as Europe/Berlin or UTC"},
      {"", "use an IANA name, as Europe/Berlin or UTC"},
      {"../../etc/passwd", "use an IANA name, as Europe/Berlin or UTC"},
  };
  for (const auto& [name, hint] : cases) {
    const auto zone = TimeZone::Find(name);
    ASSERT_FALSE(zone) << name;
    EXPECT_EQ(zone.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(zone.error().hint, hint);
  }
}

TEST(TimeZone, KnowsTheOffset) {
  const auto berlin = Zone("Europe/Berlin");
  EXPECT_EQ(berlin.OffsetAt(At("2026-03-29T00:59:59Z")), 1h);
  EXPECT_EQ(berlin.OffsetAt(At("2026-03-29T01:00:00Z")), 2h);
  EXPECT_EQ(berlin.OffsetAt(At("1800-01-01T00:00:00Z")), seconds{53min + 28s});
  EXPECT_EQ(Zone("Asia/Kathmandu").OffsetAt(At("2026-01-01T00:00:00Z")), 5h + 45min);
  EXPECT_EQ(Zone("Australia/Lord_Howe").OffsetAt(At("2026-07-01T00:00:00Z")), 10h + 30min);
  EXPECT_EQ(TimeZone::Utc().OffsetAt(kInstantMax), 0s);
  EXPECT_EQ(berlin.OffsetAt(Instant::min()), berlin.OffsetAt(kInstantMin));
  EXPECT_EQ(berlin.OffsetAt(Instant::max()), berlin.OffsetAt(kInstantMax));
}

TEST(TimeZone, DecidesWhatASkippedTimeMeans) {
  const auto berlin = Zone("Europe/Berlin");
  const LocalTime skipped = local_days{2026y / 3 / 29} + 2h + 30min;
  EXPECT_EQ(berlin.ToUtc(skipped, InGap::kAfter), At("2026-03-29T01:00:00Z"));
  EXPECT_EQ(berlin.ToUtc(skipped, InGap::kShift), At("2026-03-29T01:30:00Z"));
  EXPECT_EQ(berlin.ToUtc(skipped, InGap::kError).error().message,
            "this time does not exist in Europe/Berlin: the clock jumps over it");
  EXPECT_EQ(berlin.ToUtc(local_days{2026y / 3 / 29} + 2h - 1us, InGap::kError),
            At("2026-03-29T00:59:59.999999Z"));
  EXPECT_EQ(berlin.ToUtc(local_days{2026y / 3 / 29} + 3h, InGap::kError),
            At("2026-03-29T01:00:00Z"));
}

TEST(TimeZone, DecidesWhatARepeatedTimeMeans) {
  const auto berlin = Zone("Europe/Berlin");
  const LocalTime repeated = local_days{2026y / 10 / 25} + 2h + 30min;
  EXPECT_EQ(berlin.ToUtc(repeated), At("2026-10-25T00:30:00Z"));
  EXPECT_EQ(berlin.ToUtc(repeated, InGap::kAfter, WhenRepeated::kSecond),
            At("2026-10-25T01:30:00Z"));
  EXPECT_EQ(berlin.ToUtc(repeated, InGap::kAfter, WhenRepeated::kError).error().message,
            "this time occurs twice in Europe/Berlin: the clock is set back");
  EXPECT_EQ(berlin.ToUtc(local_days{2026y / 10 / 25} + 3h, InGap::kError, WhenRepeated::kError),
            At("2026-10-25T02:00:00Z"));
}

TEST(TimeZone, SkipsAWholeDayWhereTheDateLineMoved) {
  const auto samoa = Zone("Pacific/Apia");  // there was no 30 December 2011
  const LocalTime noon = local_days{2011y / 12 / 30} + 12h;
  EXPECT_EQ(samoa.ToUtc(noon), At("2011-12-30T10:00:00Z"));
  EXPECT_EQ(samoa.ToLocal(At("2011-12-30T10:00:00Z")), LocalTime{local_days{2011y / 12 / 31}});
  EXPECT_FALSE(samoa.ToUtc(noon, InGap::kError));
}

TEST(TimeZone, FindsTheStartOfTheDay) {
  EXPECT_EQ(Zone("Europe/Berlin").StartOfDay(At("2026-03-28T23:30:00Z")),
            At("2026-03-28T23:00:00Z"));
  EXPECT_EQ(Zone("America/New_York").StartOfDay(At("2026-03-29T03:59:59Z")),
            At("2026-03-28T04:00:00Z"));
  // The clock jumped from 00:00 to 01:00.
  EXPECT_EQ(Zone("America/Sao_Paulo").StartOfDay(At("2018-11-04T12:00:00Z")),
            At("2018-11-04T03:00:00Z"));
  EXPECT_FALSE(Zone("Europe/Berlin").StartOfDay(kInstantMin));
}

TEST(TimeZone, RefusesLocalTimesOutsideTheCalendar) {
  EXPECT_FALSE(TimeZone::Utc().ToUtc(LocalTime::min()));
  EXPECT_FALSE(TimeZone::Utc().ToUtc(LocalTime::max()));
  EXPECT_FALSE(Zone("Asia/Tokyo").ToUtc(local_days{1y / 1 / 1}));
  EXPECT_FALSE(Zone("America/New_York").ToUtc(local_days{9999y / 12 / 31} + 23h));
}

TEST(TimeZone, RemembersTheLatestTimeShownWhileAnHourRepeats) {
  const auto berlin = Zone("Europe/Berlin");
  const LocalTime day = local_days{2026y / 10 / 25};
  EXPECT_EQ(berlin.LatestShown(At("2026-10-25T00:30:00Z")), day + 2h + 30min);
  EXPECT_EQ(berlin.LatestShown(At("2026-10-25T01:00:00Z")), day + 3h - 1us);
  EXPECT_EQ(berlin.LatestShown(At("2026-10-25T01:30:00Z")), day + 3h - 1us);
  EXPECT_EQ(berlin.LatestShown(At("2026-10-25T02:00:00Z")), day + 3h);
  EXPECT_EQ(berlin.LatestShown(At("2026-10-25T02:00:01Z")), day + 3h + 1s);
}

TEST(TimeZone, ReturnsToTheSameMomentThroughTheWallClock) {
  for (const auto* name : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
                           "Asia/Kathmandu", "Pacific/Apia", "Africa/Casablanca"}) {
    const auto zone = Zone(name);
    for (auto at = At("2007-01-01T00:00:00Z"); at < At("2017-01-01T00:00:00Z"); at += 17min + 3s) {
      const auto local = zone.ToLocal(at);
      const auto first = zone.ToUtc(local, InGap::kError);
      const auto second = zone.ToUtc(local, InGap::kError, WhenRepeated::kSecond);
      ASSERT_TRUE(first == at || second == at) << name << ' ' << FormatRfc3339(at);
    }
  }
}

}  // namespace patra::time_zone_test
