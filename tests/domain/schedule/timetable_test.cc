#include "domain/schedule/timetable.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace patra::domain::timetable_test {

using namespace std::chrono_literals;

Instant At(const std::string& text) { return *ParseRfc3339(text); }

Timetable Table(const std::string& cron, const std::string& zone = "UTC") {
  return *Timetable::Of(cron, zone);
}

TEST(Timetable, GoesByTheClockOfItsZone) {
  const auto nightly = Table("30 2 * * *", "Europe/Berlin");
  EXPECT_EQ(nightly.FirstAfter(At("2026-01-10T00:00:00Z")), At("2026-01-10T01:30:00Z"));
  EXPECT_EQ(nightly.FirstAfter(At("2026-07-10T00:00:00Z")), At("2026-07-10T00:30:00Z"));
}

TEST(Timetable, AnHourThatTheClockJumpsOverOrRepeatsFiresOnce) {
  const auto nightly = Table("30 2 * * *", "Europe/Berlin");
  const auto spring = nightly.NextAfter(At("2026-03-28T01:30:00Z"), At("2026-03-28T02:00:00Z"));
  EXPECT_EQ(spring, At("2026-03-29T01:00:00Z")) << "right after the jump";
  EXPECT_EQ(nightly.NextAfter(*spring, *spring), At("2026-03-30T00:30:00Z"));
  const auto autumn = nightly.NextAfter(At("2026-10-24T00:30:00Z"), At("2026-10-24T01:00:00Z"));
  EXPECT_EQ(autumn, At("2026-10-25T00:30:00Z")) << "the first of the two";
  EXPECT_EQ(nightly.NextAfter(*autumn, *autumn), At("2026-10-26T01:30:00Z"));
}

TEST(Timetable, SaysWhatIsWrongAndWhatMayBeMeant) {
  EXPECT_EQ(Timetable::Of("61 * * * *", "UTC").error().hint, "a minute is 0 to 59; * is every one");
  EXPECT_EQ(Timetable::Of("@daily", "Europe/Berln").error().hint, "did you mean 'Europe/Berlin'?");
}

TEST(Timetable, WhatCountsFromAFiringKeepsItsStepsHoweverLateItIs) {
  const auto every = Table("@every 6h");
  const auto first = At("2026-01-01T00:10:00Z");
  EXPECT_EQ(every.NextAfter(first, first), first + 6h);
  EXPECT_EQ(every.NextAfter(first, first + 6h), first + 12h) << "strictly after";
  EXPECT_EQ(every.NextAfter(first, first + 100h), first + 102h);
  EXPECT_EQ(Table("@EVERY 6h").NextAfter(first, first + 100h), first + 102h);
}

struct Lateness {
  Misfire policy;
  Duration late;
  bool fires;
  std::string note;
  std::string next;
};

TEST(Occurrence, ThatIsLateFiresOnceOrNotAtAll) {
  const auto hourly = Table("0 * * * *");
  const auto occurrence = At("2026-01-01T03:00:00Z");
  for (const auto& [policy, late, fires, note, next] : std::initializer_list<Lateness>{
           {Misfire::kOnce, 0s, true, "", "04:00"},
           {Misfire::kSkip, 5min, true, "", "04:00"},
           {Misfire::kOnce, 10min, true, "fires 10m late", "04:00"},
           {Misfire::kOnce, 100h, true, "4d 4h late: fires once for all that came", "08:00"},
           {Misfire::kSkip, 10min, false, "missed: nobody claimed it for 10m", "04:00"},
           // The newest occurrence is not missed yet, and is claimed next.
           {Misfire::kSkip, 62min, false, "missed: nobody claimed it for 1h 2m", "04:00"},
           {Misfire::kSkip, 70min, false, "missed: nobody claimed it for 1h 10m", "05:00"},
       }) {
    const auto due = Judge(hourly, occurrence, occurrence + late, policy);
    EXPECT_EQ(due.fires, fires) << note;
    EXPECT_TRUE(due.note.starts_with(note)) << due.note;
    EXPECT_EQ(FormatRfc3339(*due.next).substr(11, 5), next) << due.note;
  }
}

TEST(Occurrence, OfAJobThatWasDownForLongFiresOnceForAllThatItMissed) {
  const auto minutely = Table("* * * * *");
  const auto occurrence = At("2026-01-01T00:00:00Z");
  const auto now = occurrence + 72h + 30s;
  const auto due = Judge(minutely, occurrence, now, Misfire::kOnce);
  EXPECT_EQ(due.note, "3d 30s late: fires once for all that came due meanwhile");
  EXPECT_EQ(due.next, occurrence + 72h + 1min);
}

TEST(Start, IsSpreadWithinTheJitterAndTheSameForEverybody) {
  const auto occurrence = At("2026-01-01T03:00:00Z");
  EXPECT_EQ(StartOf("a", occurrence, 0s), occurrence);
  std::set<Instant> starts;
  for (int i = 0; i < 100; ++i) {
    const auto name = fmt::format("job-{}", i);
    const auto start = StartOf(name, occurrence, 10min);
    EXPECT_EQ(start, StartOf(name, occurrence, 10min));
    EXPECT_GE(start, occurrence);
    EXPECT_LT(start, occurrence + 10min);
    starts.insert(start);
  }
  EXPECT_GT(starts.size(), 95U);
  EXPECT_NE(StartOf("a", occurrence, 10min) - occurrence,
            StartOf("a", occurrence + 24h, 10min) - (occurrence + 24h));
}

TEST(DailyCron, SpreadsJobsOverTheDayByTheirNames) {
  std::set<std::string> crons;
  for (int i = 0; i < 100; ++i) {
    const auto cron = DailyCron(fmt::format("source-{}", i));
    EXPECT_TRUE(Timetable::Of(cron, "UTC")) << cron;
    crons.insert(cron);
  }
  EXPECT_GT(crons.size(), 80U);
  EXPECT_EQ(DailyCron("crossref"), DailyCron("crossref"));
}

}  // namespace patra::domain::timetable_test
