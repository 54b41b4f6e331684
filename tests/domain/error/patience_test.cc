#include "domain/error/patience.h"

#include <gtest/gtest.h>

namespace patra::domain::patience_test {

using namespace std::chrono_literals;

TEST(Patience, IsTheDefinitionsUntilEnoughAnswersCame) {
  EXPECT_EQ(PatienceFor({}, 30s), 30s);
  EXPECT_EQ(PatienceFor({.answers = 4, .slowest = 50ms}, 30s), 30s);
  EXPECT_EQ(PatienceFor({.answers = 5, .slowest = 50ms}, 30s), 2s);
}

TEST(Patience, IsManyTimesWhatAnAnswerEverTookAndNeverMoreThanTheDefinitionSays) {
  EXPECT_EQ(PatienceFor({.answers = 9, .slowest = 500ms}, 30s), 10s);
  EXPECT_EQ(PatienceFor({.answers = 9, .slowest = 2s}, 30s), 30s);
  EXPECT_EQ(PatienceFor({.answers = 9, .slowest = Duration::max()}, 30s), 30s);
  EXPECT_EQ(PatienceFor({.answers = 9, .slowest = 1ms}, 1s), 1s);
}

TEST(Patience, GrowsWithEachWaitInVainUntilASlowProviderIsWaitedFor) {
  AnswerTimes times{.answers = 9, .slowest = 50ms};
  std::vector<Duration> waits;
  for (times.in_vain = 0; times.in_vain < 9; ++times.in_vain)
    waits.push_back(PatienceFor(times, 30s));
  EXPECT_EQ(waits, (std::vector<Duration>{2s, 2s, 2s, 2s, 4s, 8s, 16s, 30s, 30s}));
  times.in_vain = 1'000'000;
  EXPECT_EQ(PatienceFor(times, 30s), 30s);
}

}  // namespace patra::domain::patience_test
