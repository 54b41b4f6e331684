#include "base/escaped_word.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::escaped_word_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FindEscaped, KnowsTheSpellingsOfJsonXmlAndAddresses) {
  for (const std::string spelled :
       {R"(ab\u002Bcd/é)", R"(ab\u002bcd\/é)", R"(\u0061\u0062\u002b\u0063\u0064\u002f\u00e9)",
        R"(ab\\u002Bcd\/é)", "ab&#43;cd/é", "ab&#x2B;cd/&#233;", "ab&#x0002b;cd&#47;é",
        "ab&amp;#43;cd/é", "ab%2Bcd%2fé", "ab%2bcd/%C3%A9", "ab%252Bcd/é", "&#97;b+cd/\\u00e9",
        R"(ab\u002Bcd%2F\u00e9)"}) {
    const auto text = "x" + spelled + "y";
    EXPECT_THAT(FindEscaped(text, "ab+cd/é"), ElementsAre(TextRange{1, text.size() - 1})) << text;
  }
  EXPECT_THAT(FindEscaped(R"(\ud83d\ude00!)", "😀!"), ElementsAre(TextRange{0, 13}));
  EXPECT_THAT(FindEscaped("a&amp;b", "a&b"), ElementsAre(TextRange{0, 7}));
  EXPECT_THAT(FindEscaped("5%25off", "5%off"), ElementsAre(TextRange{0, 7}));
}

TEST(FindEscaped, FindsEachOnceAndLeavesTheRest) {
  EXPECT_THAT(FindEscaped("a%2Bb a&#43;b a+b", "a+b"),
              ElementsAre(TextRange{0, 5}, TextRange{6, 13}));
  for (const std::string text :
       {"a+b", "", "\\", "\\u", "\\u00", "a\\u002", "&", "&#", "&#;", "&#x;", "&#43", "&#99999999;",
        "%", "%2", "%zz", "a%2Cb", "\\ud800\\u0041", "&amp;amp;amp;amp;amp;#43;"}) {
    EXPECT_THAT(FindEscaped(text, "a+b"), IsEmpty()) << text;
  }
}

TEST(FindEscaped, TakesTimeInProportionToTheText) {
  for (const char c : {'\\', '&', '%'}) {
    const std::string row(3'000'000, c);
    EXPECT_THAT(FindEscaped(row, "secret+1"), IsEmpty());
    std::string hits;
    while (hits.size() < 3'000'000) hits += "a%2Bb";
    EXPECT_EQ(FindEscaped(hits, "a+b").size(), hits.size() / 5);
  }
}

}  // namespace patra::escaped_word_test
