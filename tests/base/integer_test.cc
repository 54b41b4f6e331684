#include "base/integer.h"

#include <gtest/gtest.h>

namespace patra::integer_test {

TEST(ParseInteger, TakesWholeTextsOnly) {
  EXPECT_EQ(ParseInteger("0"), 0);
  EXPECT_EQ(ParseInteger("-42"), -42);
  EXPECT_EQ(ParseInteger("9223372036854775807"), 9223372036854775807);
  for (const auto* text : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808", "one"})
    EXPECT_EQ(ParseInteger(text), std::nullopt) << text;
}

}  // namespace patra::integer_test
