#include "domain/cursor/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::coverage_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Instant At(int second) { return Instant(std::chrono::seconds(second)); }
Window Seconds(int from, int to) { return *Window::Between(At(from), At(to)); }

TEST(Coverage, MergesWhatTouchesAndKeepsApartWhatDoesNot) {
  Coverage coverage;
  coverage.Add(Seconds(4, 6));
  coverage.Add(Seconds(0, 2));
  EXPECT_THAT(coverage.windows(), ElementsAre(Seconds(0, 2), Seconds(4, 6)));
  coverage.Add(Seconds(2, 4));
  EXPECT_THAT(coverage.windows(), ElementsAre(Seconds(0, 6)));
  coverage.Add(Seconds(1, 3));
  EXPECT_THAT(coverage.windows(), ElementsAre(Seconds(0, 6)));
}

TEST(Coverage, TheFrontierStopsAtTheFirstHole) {
  const Coverage coverage({Seconds(0, 2), Seconds(3, 9)});
  EXPECT_EQ(coverage.FrontierFrom(At(0)), At(2));
  EXPECT_EQ(coverage.FrontierFrom(At(2)), At(2)) << "nothing at 2 is proven";
  EXPECT_EQ(coverage.FrontierFrom(At(3)), At(9));
  EXPECT_EQ(coverage.FrontierFrom(At(-5)), At(-5));
}

TEST(Coverage, NamesTheGapsOfAWindow) {
  const Coverage coverage({Seconds(2, 3), Seconds(5, 7)});
  EXPECT_THAT(coverage.GapsIn(Seconds(0, 10)),
              ElementsAre(Seconds(0, 2), Seconds(3, 5), Seconds(7, 10)));
  EXPECT_THAT(coverage.GapsIn(Seconds(5, 7)), IsEmpty());
  EXPECT_THAT(coverage.GapsIn(Seconds(6, 8)), ElementsAre(Seconds(7, 8)));
  EXPECT_THAT(Coverage().GapsIn(Seconds(0, 1)), ElementsAre(Seconds(0, 1)));
}

TEST(Coverage, AgreesWithABitPerSecondForRandomWindows) {
  SeededRandom random(5);
  for (int round = 0; round < 200; ++round) {
    Coverage coverage;
    std::vector<bool> covered(60);
    for (int i = 0; i < 12; ++i) {
      const auto from = static_cast<int>(random.Between(0, 58));
      const auto to = static_cast<int>(random.Between(from + 1, 59));
      coverage.Add(Seconds(from, to));
      for (int s = from; s < to; ++s) covered[static_cast<std::size_t>(s)] = true;

      std::vector<bool> from_gaps(60, true);
      for (const auto& gap : coverage.GapsIn(Seconds(0, 60))) {
        for (int s = 0; s < 60; ++s) {
          if (gap.Contains(At(s))) from_gaps[static_cast<std::size_t>(s)] = false;
        }
      }
      ASSERT_EQ(from_gaps, covered);
      for (std::size_t k = 0; k + 1 < coverage.windows().size(); ++k) {
        ASSERT_LT(coverage.windows()[k].to(), coverage.windows()[k + 1].from());
      }
    }
  }
}

}  // namespace patra::domain::coverage_test
