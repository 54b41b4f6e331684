#include "base/id.h"

#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace patra::id_test {

using namespace std::chrono_literals;
using std::chrono::sys_days;

const Instant kStart{sys_days{std::chrono::year{2026} / 3 / 1}};

TEST(IdGenerator, IdsArePositiveAndCarryTheTimeTheyWereMade) {
  VirtualClock clock(kStart + 123ms);
  const auto id = IdGenerator(clock, 5).Next();
  EXPECT_GT(id, 0);
  EXPECT_EQ(TimeOf(id), kStart + 123ms);
}

TEST(IdGenerator, IdsRiseWhileTheClockStandsStill) {
  VirtualClock clock(kStart);
  IdGenerator ids(clock, 1);
  auto last = ids.Next();
  for (int i = 0; i < 10'000; ++i) {  // more than one millisecond's sequence holds
    const auto next = ids.Next();
    ASSERT_GT(next, last);
    last = next;
  }
}

class SteppingBackClock final : public Clock {
 public:
  Instant Now() const override { return now; }
  Duration Elapsed() const override { return {}; }
  void SleepFor(Duration) override {}
  Instant now = kStart;
};

TEST(IdGenerator, IdsRiseWhenTheClockIsSetBack) {
  SteppingBackClock clock;
  IdGenerator ids(clock, 1);
  const auto before = ids.Next();
  clock.now -= 1h;
  EXPECT_GT(ids.Next(), before);
}

TEST(IdGenerator, NodesNeverMakeTheSameId) {
  VirtualClock clock(kStart);
  IdGenerator a(clock, 1), b(clock, 2);
  std::set<Id> seen;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(seen.insert(a.Next()).second);
    EXPECT_TRUE(seen.insert(b.Next()).second);
  }
}

TEST(IdGenerator, ThreadsNeverGetTheSameId) {
  SystemClock clock;
  IdGenerator ids(clock, 1);
  std::vector<std::vector<Id>> made(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : made) {
      threads.emplace_back([&ids, &mine] {
        for (int i = 0; i < 5000; ++i) mine.push_back(ids.Next());
      });
    }
  }
  std::set<Id> all;
  for (const auto& mine : made) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 20'000u);
}

TEST(IdGenerator, IdsLastUntilTheYear2090) {
  VirtualClock clock(Instant{sys_days{std::chrono::year{2090} / 1 / 1}});
  EXPECT_GT(IdGenerator(clock, 1023).Next(), 0);
}

TEST(ParseId, TakesDecimalNumbersOnly) {
  EXPECT_EQ(*ParseId("123456789012345678"), 123456789012345678);
  for (const auto* wrong : {"", "0", "-1", "1x", " 1", "9223372036854775808", "0x10"}) {
    EXPECT_FALSE(ParseId(wrong)) << wrong;
  }
}

}  // namespace patra::id_test
