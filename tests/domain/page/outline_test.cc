#include "domain/page/outline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::outline_test {

using ::testing::Contains;
using ::testing::ElementsAre;

std::vector<std::string> Outline(std::string_view body) {
  const auto parsed = ParseAnswer(body);
  EXPECT_TRUE(parsed) << parsed.error().Describe();
  return OutlineOf(*parsed);
}

TEST(Outline, HasMembersTypesAndHowLongListsAre) {
  EXPECT_THAT(Outline(R"({"total":2,"items":[{"id":"a","n":1},{"id":"b","n":null,"x":[]}]})"),
              ElementsAre("$  object",           //
                          "  items  list of 2",  //
                          "    [*]  object",     //
                          "      id  text 'a'",  //
                          "      n  number 1 or null",
                          "      x  list of 0, in 1 of 2",  //
                          "  total  number 2"));
}

TEST(Outline, OfXmlHasElementsAttributesAndHowOftenTheyCome) {
  EXPECT_THAT(
      Outline("<?xml version='1.0'?><list size='2'><r><id>a</id></r><r><id>b</id></r></list>"),
      ElementsAre("/list  object", "  @size  text '2'", "  r  object, 2 times",
                  "    id  text 'a', 2 times"));
}

TEST(Outline, IsBoundedHoweverLargeTheAnswerIs) {
  std::string body = "{";
  for (int i = 0; i < 5'000; ++i)
    body += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":{\"a\":{\"b\":1}}";
  const auto lines = Outline(body + "}");
  EXPECT_LE(lines.size(), 302u);
  EXPECT_THAT(lines, Contains("  … and 4940 more"));
}

TEST(Outline, WhatIsNeitherJsonNorXmlIsAnError) {
  EXPECT_FALSE(ParseAnswer(""));
  EXPECT_FALSE(ParseAnswer("Not today"));
}

}  // namespace patra::domain::outline_test
