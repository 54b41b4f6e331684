#include "base/quote.h"

#include <gtest/gtest.h>

namespace patra::quote_test {

TEST(Quote, StaysOnOneLineAndShort) {
  EXPECT_EQ(Quote("a b"), "'a b'");
  EXPECT_EQ(Quote(""), "''");
  EXPECT_EQ(Quote(std::string_view("a\nb\0c\x7F", 6)), "'a?b?c?'");
  EXPECT_EQ(Quote("abcdef", 3), "'abc…'");
}

TEST(Quote, NeverCutsACharacter) {
  EXPECT_EQ(Quote("aéé", 2), "'a…'");
  EXPECT_EQ(Quote("aéé", 3), "'aé…'");
  EXPECT_EQ(Quote("aéé", 5), "'aéé'");
}

}  // namespace patra::quote_test
