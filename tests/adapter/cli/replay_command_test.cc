#include "adapter/cli/replay_command.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/cli/fake_operations.h"

namespace patra::adapter::cli::replay_command_test {

using app::RecordDifference;
using app::ReplayMode;
using app::ReplayVerdict;
using ::testing::HasSubstr;
using ::testing::Not;

class ReplayCommandTest : public ::testing::Test {
 protected:
  int Run(const ReplayCommand& command) {
    return RunReplay(command, replays_, {.name = "anna"}, {.out = out_, .err = err_, .in = in_});
  }

  FakeOperations replays_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(ReplayCommandTest, ReportsByDefault) {
  EXPECT_EQ(Run({.target = "12/13"}), kComplete);
  EXPECT_EQ(replays_.asked_replay.run, 12);
  EXPECT_EQ(replays_.asked_replay.batch, 13);
  EXPECT_EQ(replays_.asked_replay.mode, ReplayMode::kReport);
  EXPECT_THAT(out_.str(), HasSubstr("records: 3 same"));
  EXPECT_THAT(out_.str(), HasSubstr("\nagrees\n"));
}

TEST_F(ReplayCommandTest, WhatIsNoRunAndBatchIsWrongUsage) {
  for (const auto* target : {"12", "", "12/", "/13", "a/b", "12/13/14"}) {
    EXPECT_EQ(Run({.target = target}), kUsage) << target;
  }
  EXPECT_EQ(replays_.replays, 0);
}

TEST_F(ReplayCommandTest, NamesWhatDiffersAndFails) {
  replays_.replay.verdict = ReplayVerdict::kChangedSince;
  replays_.replay.differences = {{.kind = RecordDifference::Kind::kChanged,
                                  .id = "rest-7",
                                  .fields = {"title", "year"},
                                  .is_since = true}};
  EXPECT_EQ(Run({.target = "12/13"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("3 same, 1 changed"));
  EXPECT_THAT(out_.str(), HasSubstr("rest-7: title, year (changed since)"));
  EXPECT_THAT(out_.str(), HasSubstr("differs: the provider has changed since"));
}

TEST_F(ReplayCommandTest, ShowsTheFirstFewOfManyDifferences) {
  replays_.replay.verdict = ReplayVerdict::kDiffers;
  for (int i = 100; i < 130; ++i) {
    replays_.replay.differences.push_back(
        {.kind = RecordDifference::Kind::kNew, .id = "id-" + std::to_string(i)});
  }
  Run({.target = "12/13"});
  EXPECT_THAT(out_.str(), HasSubstr("id-109"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("id-110")));
  EXPECT_THAT(out_.str(), HasSubstr("and 20 more"));
}

TEST_F(ReplayCommandTest, ARefusalToCommitIsAFailureThatSaysWhatToDo) {
  replays_.replay.mode = ReplayMode::kCommit;
  replays_.replay.refusal = Error{ErrorCode::kConflict, "2 came", {}, "--mode isolate"};
  EXPECT_EQ(Run({.target = "12/13", .mode = "commit"}), kFailed);
  EXPECT_EQ(replays_.asked_replay.mode, ReplayMode::kCommit);
  EXPECT_THAT(err_.str(), HasSubstr("--mode isolate"));
}

TEST_F(ReplayCommandTest, WhatWasIsolatedHasItsOwnCodeAndItsNextCommand) {
  replays_.replay.mode = ReplayMode::kIsolate;
  replays_.replay.verdict = ReplayVerdict::kDiffers;
  replays_.replay.isolated = 2;
  EXPECT_EQ(Run({.target = "12/13", .mode = "isolate"}), kQuarantined);
  EXPECT_THAT(err_.str(), HasSubstr("patra quarantine list --rule replay"));
}

TEST_F(ReplayCommandTest, ACommitThatHasNothingToDoSaysSo) {
  replays_.replay.mode = ReplayMode::kCommit;
  EXPECT_EQ(Run({.target = "12/13", .mode = "commit"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("nothing was written"));
}

TEST_F(ReplayCommandTest, AShutGateIsNoFinding) {
  replays_.replay.verdict = ReplayVerdict::kNoPage;
  replays_.replay.try_at = Instant{};
  EXPECT_EQ(Run({.target = "12/13"}), kTryLater);
}

TEST_F(ReplayCommandTest, GivesMachinesOneObjectWithIdsAsStrings) {
  EXPECT_EQ(Run({.target = "12/13", .as_json = true}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr(R"("batch":"13")"));
  EXPECT_THAT(out_.str(), HasSubstr(R"("verdict":"agrees")"));
  EXPECT_EQ(std::ranges::count(out_.str(), '\n'), 1);
}

TEST_F(ReplayCommandTest, ABatchThatIsNotThereIsAnError) {
  replays_.replay_problem =
      Error{ErrorCode::kNotFound, "run 12 has no batch 13", {}, "patra batch list"};
  EXPECT_EQ(Run({.target = "12/13"}), kFailed);
  EXPECT_THAT(err_.str(), HasSubstr("run 12 has no batch 13"));
}

}  // namespace patra::adapter::cli::replay_command_test
