#include "domain/window/provider_clock.h"

#include <gtest/gtest.h>

#include "base/http_date.h"
#include "base/random.h"
#include "domain/window/provider_now.h"

namespace patra::domain::provider_clock_test {

using namespace std::chrono_literals;
using enum ClockVerdict;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 12h};

ClockReading At(Duration ahead, Instant ours = kNow) {
  return {.ours = ours, .theirs = ours - ahead};
}

ClockVerdict Judge(std::optional<ClockReading> reading,
                   std::optional<ClockReading> earlier = std::nullopt,
                   std::optional<Instant> newest = std::nullopt) {
  return JudgeClocks({reading, earlier, newest, reading ? reading->ours : kNow});
}

TEST(ProviderClock, IsReadFromTheDateOfAnAnswer) {
  const auto date = FormatHttpDate(kNow - 5h);
  const auto reading = ReadClock(&date, nullptr, kNow, 2s);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->theirs, kNow - 5h);
  EXPECT_EQ(reading->ours, kNow - 2s) << "the request left before the answer came";
  const std::string nonsense = "yesterday";
  EXPECT_FALSE(ReadClock(&nonsense, nullptr, kNow, 0s));
  EXPECT_FALSE(ReadClock(nullptr, nullptr, kNow, 0s));
}

TEST(ProviderClock, AnAnswerFromACacheIsAsOldAsItSays) {
  const auto date = FormatHttpDate(kNow - 5h);
  const std::string age = "18000";
  EXPECT_EQ(ReadClock(&date, &age, kNow, 0s)->ahead(), 0s);
  const std::string wrong = "-7";
  EXPECT_EQ(ReadClock(&date, &wrong, kNow, 0s)->ahead(), 5h);
  const std::string endless = "99999999999";
  EXPECT_LE(ReadClock(&date, &endless, kNow, 0s)->theirs, kNow + std::chrono::days(30));
}

TEST(ProviderClock, ClocksThatDifferByLessThanAMinuteAgree) {
  EXPECT_EQ(Judge(At(0s)), kAgree);
  EXPECT_EQ(Judge(At(60s)), kAgree);
  EXPECT_EQ(Judge(At(-60s)), kAgree);
}

TEST(ProviderClock, OneThatMovesBehindOursSaysThatOursIsAhead) {
  EXPECT_EQ(Judge(At(61s)), kOursAhead);
  EXPECT_EQ(Judge(At(5h), At(5h, kNow - 1h)), kOursAhead);
  EXPECT_EQ(Judge(At(std::chrono::days(400)), At(std::chrono::days(400), kNow - 1h)), kOursAhead)
      << "however far";
}

TEST(ProviderClock, OursThatJumpsAheadIsNotTakenForTheirsStandingStill) {
  const auto before = At(0s, kNow);
  const ClockReading after{.ours = kNow + 5h, .theirs = kNow + 10s};
  EXPECT_EQ(Judge(after, before), kOursAhead);
}

TEST(ProviderClock, ADateThatStandsStillIsNoClock) {
  const ClockReading first{.ours = kNow, .theirs = kNow - 2h};
  EXPECT_EQ(Judge(first), kOursAhead) << "at first nobody can know";
  EXPECT_EQ(Judge(ClockReading{.ours = kNow + 5min, .theirs = kNow - 2h}, first), kOursAhead);
  EXPECT_EQ(Judge(ClockReading{.ours = kNow + 10min, .theirs = kNow - 2h}, first), kNoClock);
}

TEST(ProviderClock, ADateFarBehindItsOwnRecordsIsNoClock) {
  EXPECT_EQ(Judge(At(std::chrono::days(30)), std::nullopt, kNow - 1h), kNoClock);
  EXPECT_EQ(Judge(At(std::chrono::days(30)), std::nullopt, kNow - std::chrono::days(31)),
            kOursAhead);
  EXPECT_EQ(Judge(At(std::chrono::days(30)), std::nullopt, kNow + 1h), kOursAhead)
      << "a record from the future proves nothing";
  EXPECT_EQ(Judge(At(5h), std::nullopt, kNow - 1h), kOursAhead)
      << "one may be stamped with the end of its day";
}

TEST(ProviderClock, WithoutADateRecordsTellOnlyThatOursIsBehind) {
  EXPECT_EQ(Judge(std::nullopt), kAgree);
  EXPECT_EQ(Judge(std::nullopt, std::nullopt, kNow - std::chrono::days(3)), kAgree);
  EXPECT_EQ(Judge(std::nullopt, std::nullopt, kNow + 2h), kOursBehind);
  EXPECT_EQ(Judge(std::nullopt, std::nullopt, kNow + std::chrono::days(200)), kAgree)
      << "that is no time of now";
}

TEST(ProviderClock, OursThatLagsIsSaid) { EXPECT_EQ(Judge(At(-2h)), kOursBehind); }

// However often and whenever it is read: a constant date is found out, a clock that moves never is.
TEST(ProviderClock, AConstantDateHoldsNobodyUpForLongAndAClockThatMovesIsAlwaysBelieved) {
  SeededRandom random(7);
  for (int round = 0; round < 200; ++round) {
    const auto offset = std::chrono::seconds(random.Between(120, 80'000));
    std::optional<ClockReading> kept_still;
    std::optional<ClockReading> kept_moving;
    auto ours = kNow;
    for (int i = 0; i < 50; ++i) {
      ours += std::chrono::seconds(random.Between(3, 900));
      const ClockReading still{.ours = ours, .theirs = kNow - offset};
      const ClockReading moving{.ours = ours, .theirs = ours - offset};
      if (ours - kNow >= 30min) {
        EXPECT_EQ(Judge(still, kept_still), kNoClock);
      }
      EXPECT_EQ(Judge(moving, kept_moving), kOursAhead);
      kept_still = ToKeep(kept_still, still);
      kept_moving = ToKeep(kept_moving, moving);
    }
  }
}

TEST(ProviderClock, TheProvidersNowIsItsOwnWhereOursIsAheadAndElseOurs) {
  EXPECT_EQ(ProviderNow(kOursAhead, kNow, kNow - 5h), kNow - 5h);
  for (const auto verdict : {kAgree, kOursBehind, kNoClock})
    EXPECT_EQ(ProviderNow(verdict, kNow, kNow - 5h), kNow + kClockTolerance);
  EXPECT_EQ(ProviderNow(kAgree, kNow, std::nullopt), kNow + kClockTolerance);
}

TEST(ProviderClock, AReadingFromBeforeOursWasPutRightIsForgotten) {
  const auto ahead = At(5h, kNow + 5h);
  const auto right = At(0s, kNow + 1min);
  EXPECT_EQ(ToKeep(ahead, right).ours, right.ours);
}

TEST(ProviderClock, PartsOfAWindowEndAtTheLimit) {
  const auto window = *Window::Between(kNow, kNow + 2h);
  EXPECT_EQ(PartBefore(window, kNow + 3h), window);
  EXPECT_EQ(PartBefore(window, kNow + 1h)->to(), kNow + 1h);
  EXPECT_FALSE(PartBefore(window, kNow));
  EXPECT_FALSE(PartBefore(window, kNow - 1h));
}

}  // namespace patra::domain::provider_clock_test
