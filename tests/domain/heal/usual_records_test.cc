#include "domain/heal/usual_records.h"

#include <gtest/gtest.h>

namespace patra::domain::usual_records_test {

using namespace std::chrono_literals;

TEST(UsualRecords, FewerThanEightSlicesTellNothing) {
  std::vector<SliceBrought> finished(7, {.width = 1h, .records = 100});
  EXPECT_FALSE(UsualOf(finished, 1h));
  finished.push_back({.width = 1h, .records = 100});
  EXPECT_TRUE(UsualOf(finished, 1h));
  finished.back().width = 0h;
  EXPECT_FALSE(UsualOf(finished, 1h)) << "one without a width counts for nothing";
}

TEST(UsualRecords, AreOfTheWidthThatIsAskedFor) {
  std::vector<SliceBrought> finished;
  for (int i = 0; i < 5; ++i) {
    finished.push_back({.width = 1h, .records = 90});
    finished.push_back({.width = 2h, .records = 220});
  }
  const auto usual = UsualOf(finished, 30min);
  ASSERT_TRUE(usual);
  EXPECT_DOUBLE_EQ(usual->mean, 50);
  EXPECT_DOUBLE_EQ(usual->deviation, 5);
}

}  // namespace patra::domain::usual_records_test
