#include "domain/word/step.h"

#include <gtest/gtest.h>

namespace patra::domain::step_test {

TEST(Step, IsReadableInsideOfAText) {
  EXPECT_EQ(NextStep("fuse.reset", {"demo/items"}), "‹fuse.reset demo/items›");
  EXPECT_EQ(NextStep("wish.gaps"), "‹wish.gaps›");
}

TEST(Step, ReadsBackEveryArgumentExactly) {
  const std::string hostile[] = {"",
                                 "demo/items",
                                 "a b",
                                 "‹a›",
                                 "100%",
                                 "%20",
                                 "a\"b\\c",
                                 "`rm -rf`",
                                 "zwölf Würste",
                                 "\n\t\r",
                                 "\x1b[31m",
                                 "\u202Eba",
                                 "\xFF\xFE",
                                 "%",
                                 " ",
                                 "›",
                                 std::string("\0x", 2)};
  for (const auto& argument : hostile) {
    const auto mark = NextStep("gate.reset", {argument, "second"});
    const auto read = ReadStepAt(mark + " and more");
    ASSERT_TRUE(read) << mark;
    EXPECT_EQ(*read, (ReadStep{"gate.reset", {argument, "second"}, mark.size()})) << mark;
  }
}

TEST(Step, SurvivesJsonAndLines) {
  const auto mark = NextStep("gate.reset", {"a\"b\\c\nd e\x1b"});
  EXPECT_EQ(mark.find_first_of("\"\\\n\x1b`"), std::string::npos) << mark;
}

TEST(Step, IsNotSeenInQuotationsOrBrokenMarks) {
  for (const std::string text :
       {"‹Arbeit›", "‹work›", "‹to be. or not›", "‹a.b", "a.b›", "‹›", "‹.a›", "‹a.›", "‹a.b  c›",
        "‹a.b %2›", "‹a.b %zz›", "‹a.b\n›", "‹a.b ‹c.d››", "x‹a.b›", ""})
    EXPECT_FALSE(ReadStepAt(text)) << text;
}

TEST(Step, IsNoneBeyondItsLongest) {
  const auto brackets = kStepOpens.size() + kStepCloses.size();
  const std::string longest(kStepBytesMax - brackets - std::string_view("a.b ").size(), 'x');
  EXPECT_TRUE(ReadStepAt(NextStep("a.b", {longest})));
  EXPECT_FALSE(ReadStepAt(NextStep("a.b", {longest + "x"})));
}

TEST(Step, MayStillComeAtEveryPlaceInsideOfAMarkAndNowhereElse) {
  const auto mark = NextStep("fuse.reset", {"a/b"});
  for (std::size_t bytes = 1; bytes < mark.size(); ++bytes)
    EXPECT_TRUE(MayBecomeStep(mark.substr(0, bytes))) << bytes;
  EXPECT_FALSE(MayBecomeStep(mark));
  EXPECT_FALSE(MayBecomeStep("‹a.b\n"));
  EXPECT_FALSE(MayBecomeStep("…"));
  EXPECT_FALSE(MayBecomeStep("‹a.b " + std::string(kStepBytesMax, 'x')));
}

}  // namespace patra::domain::step_test
