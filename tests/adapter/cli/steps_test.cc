#include "adapter/cli/steps.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "domain/word/step.h"

namespace patra::adapter::cli::steps_test {

using domain::NextStep;
using ::testing::HasSubstr;

TEST(Typed, SaysWhatToTypeForEveryStep) {
  EXPECT_EQ(Typed("see `" + NextStep("fuse.reset", {"demo/items"}) + "`, or ‹wish.gaps›"),
            "see `patra fuse reset demo/items --reason WHAT-WAS-DONE`, or --gaps");
  EXPECT_EQ(Typed("‹wish.stale 30d› ‹wish.parts 7›"), "--stale 30d --parts 7");
}

TEST(Typed, NamesTheCommandAloneWhereTheStepNamesNothing) {
  EXPECT_EQ(Typed("until `‹fuse.reset›`"), "until `patra fuse reset`");
}

TEST(Typed, QuotesArgumentsForTheShell) {
  EXPECT_EQ(Typed(NextStep("gate.reset", {"demo#my key"})),
            "patra gate reset 'demo#my key' --reason WHY");
  EXPECT_EQ(Typed(NextStep("gate.reset", {"$(reboot)"})),
            "patra gate reset '$(reboot)' --reason WHY");
  EXPECT_EQ(Typed(NextStep("gate.reset", {"it's"})), R"(patra gate reset 'it'\''s' --reason WHY)");
}

TEST(Typed, LeavesWhatItDoesNotKnow) {
  for (const std::string text :
       {"‹no.such step›", "‹fuse.reset a b›", "‹wish.gaps all›", "‹backfill.window a b›", "‹Zitat›",
        "a ‹ b › c", "‹fuse.reset", "…"})
    EXPECT_EQ(Typed(text), text);
  const auto nested = NextStep("gate.reset", {"‹wish.gaps›"});
  EXPECT_EQ(Typed(nested), nested) << "what is typed would be read as a mark";
}

TEST(Typed, FindsAStepBehindABracketThatNeverCloses) {
  EXPECT_EQ(Typed("‹a ‹wish.gaps›"), "‹a --gaps");
}

TEST(Steps, AreTypedBeforeTheyAreCutOrAligned) {
  EXPECT_EQ(Short("‹wish.gaps› it is", 8), "--gaps i…");
  Table table({"do", "why"});
  table.Add({"‹wish.gaps›", "x"});
  EXPECT_EQ(table.Print(), "do      why\n--gaps  x\n");
}

TEST(Steps, OfRecordsStayWhatTheProviderWrote) {
  EXPECT_EQ(WithoutSteps(R"({"a":"‹wish.gaps›","b":"‹Zitat›"})"),
            R"({"a":"\u2039wish.gaps›","b":"‹Zitat›"})");
}

// Every step that the sources of app and domain name, in a literal mark or by NextStep().
std::set<std::string> NamedSteps() {
  const std::regex named("(?:‹|\\bNextStep\\(\\s*\")([a-z_]+(?:\\.[a-z_]+)+)");
  std::set<std::string> names;
  for (const auto* layer : {"app", "domain"}) {
    const auto folder = std::filesystem::path(PATRA_SOURCE_DIR) / "src" / layer;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
      if (!file.is_regular_file() || file.path().filename() == "step.h") continue;
      // A call may go on on the next line.
      std::ifstream stream(file.path());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at)
        names.insert((*at)[1]);
    }
  }
  return names;
}

TEST(Steps, AreAllKnownAndAllUsed) {
  const auto named = NamedSteps();
  const auto listed = KnownSteps();
  const std::set<std::string> known(listed.begin(), listed.end());
  EXPECT_EQ(known.size(), listed.size()) << "a step has two rows";
  EXPECT_THAT(known, ::testing::ContainerEq(named));
}

}  // namespace patra::adapter::cli::steps_test
