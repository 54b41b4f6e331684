#include "adapter/cli/table.h"

#include <gtest/gtest.h>

namespace patra::adapter::cli::table_test {

TEST(Table, AlignsNumbersToTheRightAndTextToTheLeft) {
  Table table({"source", "records"});
  table.Add({"crossref", "1,200"});
  table.Add({"x", "7"});
  EXPECT_EQ(table.Print(),
            "source    records\n"
            "crossref    1,200\n"
            "x               7\n");
}

TEST(Thousands, GroupsDigitsByThree) {
  EXPECT_EQ(Thousands(0), "0");
  EXPECT_EQ(Thousands(999), "999");
  EXPECT_EQ(Thousands(1000), "1,000");
  EXPECT_EQ(Thousands(-1234567), "-1,234,567");
}

}  // namespace patra::adapter::cli::table_test
