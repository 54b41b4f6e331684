#include "adapter/cli/quarantine_command.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/heal_command.h"
#include "tests/adapter/fake_healing.h"

namespace patra::adapter::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class QuarantineCommand : public ::testing::Test {
 protected:
  Console console() { return {.out = out_, .err = err_, .in = in_}; }

  FakeHealing healing_;
  std::istringstream in_{R"({"title":"T"})"};
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(QuarantineCommand, ListsWhatIsAskedForAndSaysWhatToTypeNext) {
  EXPECT_EQ(RunQuarantineList({.filter = {.rule = "required"}, .target = "demo/items"}, healing_,
                              console()),
            kComplete);
  EXPECT_EQ(healing_.asked.provenance, "demo");
  EXPECT_EQ(healing_.asked.endpoint, "items");
  EXPECT_EQ(healing_.asked.rule, "required");
  EXPECT_THAT(out_.str(), HasSubstr("42"));
  EXPECT_THAT(err_.str(), HasSubstr("patra quarantine show"));
}

TEST_F(QuarantineCommand, GivesIdsAsStringsToMachines) {
  RunQuarantineList({.as_json = true}, healing_, console());
  EXPECT_THAT(out_.str(), HasSubstr(R"("id":"42")"));
}

TEST_F(QuarantineCommand, CountsKinds) {
  RunQuarantineList({.counts = true}, healing_, console());
  EXPECT_THAT(out_.str(), HasSubstr("1,234"));
}

TEST_F(QuarantineCommand, RefusesAStateThatDoesNotExist) {
  EXPECT_EQ(RunQuarantineList({.status = "open"}, healing_, console()), kInvalidConfiguration);
}

TEST_F(QuarantineCommand, DecidesAboutNamedRecordsOrAboutAllOfAKind) {
  EXPECT_EQ(RunQuarantineDecide({.ids = {"1", "2"}}, healing_, console()), kComplete);
  EXPECT_THAT(healing_.request.ids, ElementsAre(1, 2));
  EXPECT_EQ(RunQuarantineDecide({.request = {.all = true, .filter = {.rule = "date"}}}, healing_,
                                console()),
            kComplete);
  EXPECT_EQ(healing_.request.filter.rule, "date");
}

TEST_F(QuarantineCommand, NeverDecidesAboutEverythingOrAboutNothing) {
  EXPECT_EQ(RunQuarantineDecide({}, healing_, console()), kInvalidConfiguration);
  EXPECT_EQ(RunQuarantineDecide({.request = {.all = true}}, healing_, console()),
            kInvalidConfiguration);
  EXPECT_EQ(RunQuarantineDecide({.ids = {"1", "2"}, .fields_file = "-"}, healing_, console()),
            kInvalidConfiguration);
}

TEST_F(QuarantineCommand, ReadsFieldsFromStandardInput) {
  RunQuarantineDecide({.ids = {"1"}, .fields_file = "-"}, healing_, console());
  EXPECT_EQ(healing_.request.fields, R"({"title":"T"})");
}

TEST_F(QuarantineCommand, SaysWhatCouldNotBeDecidedAndDoesTheRest) {
  healing_.reports = {
      {.id = 1, .problem = Error{ErrorCode::kConflict, "it is REJECTED already", {}, {}}},
      {.id = 2, .decided = {.outcome = domain::Overwrite::kInsert}}};
  EXPECT_EQ(RunQuarantineDecide({.ids = {"1", "2"}}, healing_, console()), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("1: it is REJECTED already"));
  EXPECT_THAT(out_.str(), HasSubstr("2: taken in"));
}

TEST_F(QuarantineCommand, TheJournalSaysWhatWasDoneAndWhy) {
  RunHealLog({}, healing_, console());
  EXPECT_THAT(out_.str(), HasSubstr("STOP_SOURCE"));
  EXPECT_THAT(out_.str(), HasSubstr("401"));
}

TEST_F(QuarantineCommand, ThresholdsAreShownWithTheirDefaultsWhereTheyDiffer) {
  EXPECT_EQ(RunHealPolicy({.configuration = "x.yaml"}, healing_, console()), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("6m"));
  EXPECT_THAT(out_.str(), HasSubstr("5m"));
  EXPECT_THAT(err_.str(), HasSubstr("from x.yaml"));
  RunHealPolicy({.as_json = true}, healing_, console());
  EXPECT_THAT(out_.str(), HasSubstr(R"({"default":"5m","meaning":"how long","name":"watch")"));
}

TEST_F(QuarantineCommand, AdjustmentsAreShownAndTakenBackWithAReason) {
  EXPECT_EQ(RunHealAdjustments({}, healing_, console()), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("PAGE_SIZE"));
  EXPECT_THAT(out_.str(), HasSubstr("slow"));
  EXPECT_EQ(RunHealRelease({.target = "demo/items", .reason = "fixed", .adjustment = "PAGE_SIZE"},
                           healing_, console()),
            kComplete);
  EXPECT_EQ(healing_.target.reason, "fixed");
}

}  // namespace
}  // namespace patra::adapter::cli
