#include "base/close_match.h"

#include <gtest/gtest.h>

namespace patra::close_match_test {

constexpr std::string_view kFunctions[] = {"concat", "coalesce", "formatDateTime", "now", "first"};

TEST(CloseMatch, FindsWhatWasMistyped) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"formatDatetime", "formatDateTime"},  // case
      {"formatDateTme", "formatDateTime"},   // left out
      {"coaleesce", "coalesce"},             // doubled
      {"cocnat", "concat"},                  // swapped
      {"frist", "first"},                    // swapped
      {"nwo", "now"},                        // swapped
      {"consat", "concat"},                  // replaced
      {"now", "now"},
  };
  for (const auto& [word, expected] : cases) EXPECT_EQ(CloseMatch(word, kFunctions), expected);
}

TEST(CloseMatch, FindsNothingWhereNothingIsNear) {
  for (const auto* word : {"", "x", "no such thing", "lower", "formatNumberTime"}) {
    EXPECT_EQ(CloseMatch(word, kFunctions), std::nullopt) << word;
  }
  EXPECT_EQ(CloseMatch("now", std::vector<std::string>{}), std::nullopt);
}

TEST(CloseMatch, PrefersTheNearestAndThenTheFirst) {
  const std::vector<std::string> names = {"paths", "part", "path"};
  EXPECT_EQ(CloseMatch("pathx", names), "paths");
  EXPECT_EQ(CloseMatch("pat", names), "part");
  EXPECT_EQ(CloseMatch("path", names), "path");
}

TEST(CloseMatch, IsBoundedForLongWords) {
  const std::string long_word(1'000'000, 'a');
  EXPECT_EQ(CloseMatch(long_word, std::vector{long_word}), std::nullopt);
}

TEST(CloseMatch, WordsTheHint) {
  EXPECT_EQ(DidYouMean("nwo", kFunctions), "did you mean 'now'?");
  EXPECT_EQ(DidYouMean("xyz", kFunctions), "");
  EXPECT_EQ(DidYouMean("xyz", kFunctions, "look it up"), "look it up");
}

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(EditDistance("", "", 0), 0);
  EXPECT_EQ(EditDistance("abc", "ABC", 0), 0);
  EXPECT_EQ(EditDistance("kitten", "sitting", 3), 3);
  EXPECT_EQ(EditDistance("kitten", "sitting", 2), std::nullopt);
  EXPECT_EQ(EditDistance("ab", "ba", 1), 1);
  EXPECT_EQ(EditDistance("", "abc", 3), 3);
}

}  // namespace patra::close_match_test
