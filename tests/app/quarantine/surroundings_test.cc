#include "app/quarantine/surroundings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::surroundings_test {

TEST(Surroundings, AreWhatStandsBeforeAndBehindTheRecordUpToABound) {
  const std::string page = R"({"items":[{"id":1},{"id":2,"bad":true},{"id":3}]})";
  const auto around = SurroundingsOf(page, R"({"id":2,"bad":true})", 9);
  ASSERT_TRUE(around);
  EXPECT_EQ(around->before, R"({"id":1},)");
  EXPECT_EQ(around->behind, R"(,{"id":3})");
  EXPECT_EQ(around->offset, 19);
  EXPECT_EQ(around->page_bytes, static_cast<std::int64_t>(page.size()));
  const auto all = SurroundingsOf(page, R"({"id":2,"bad":true})", 1'000);
  EXPECT_EQ(all->before + R"({"id":2,"bad":true})" + all->behind, page);
}

TEST(Surroundings, CutNoCharacterIntoPieces) {
  const auto around = SurroundingsOf("漢字x漢字", "x", 4);
  ASSERT_TRUE(around);
  EXPECT_EQ(around->before, "字");
  EXPECT_EQ(around->behind, "漢");
}

TEST(Surroundings, AreNoneWhereThePageDoesNotHaveTheseBytes) {
  EXPECT_FALSE(SurroundingsOf("page", "record", 10));
  EXPECT_FALSE(SurroundingsOf("page", "", 10));
}

}  // namespace patra::app::surroundings_test
