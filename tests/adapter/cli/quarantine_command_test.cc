#include "adapter/cli/quarantine_command.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/bad_id_command.h"
#include "adapter/cli/heal_command.h"
#include "base/clock.h"
#include "tests/adapter/cli/fake_healing.h"

namespace patra::adapter::cli::quarantine_command_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class QuarantineCommand : public ::testing::Test {
 protected:
  Console console() { return {.out = out_, .err = err_, .in = in_}; }

  const domain::Actor anna_{.name = "anna"};
  FakeQuarantine quarantine_;
  FakeHealing healing_;
  std::istringstream in_{R"({"title":"T"})"};
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(QuarantineCommand, ListsWhatIsAskedForAndSaysWhatToTypeNext) {
  EXPECT_EQ(RunQuarantineList({.filter = {.rule = "required"}, .target = "demo/items"}, quarantine_,
                              console()),
            kComplete);
  EXPECT_EQ(quarantine_.asked.provenance, "demo");
  EXPECT_EQ(quarantine_.asked.endpoint, "items");
  EXPECT_EQ(quarantine_.asked.rule, "required");
  EXPECT_THAT(out_.str(), HasSubstr("42"));
  EXPECT_THAT(err_.str(), HasSubstr("patra quarantine show"));
}

TEST_F(QuarantineCommand, GivesIdsAsStringsToMachines) {
  RunQuarantineList({.as_json = true}, quarantine_, console());
  EXPECT_THAT(out_.str(), HasSubstr(R"("id":"42")"));
}

TEST_F(QuarantineCommand, CountsKinds) {
  RunQuarantineList({.counts = true}, quarantine_, console());
  EXPECT_THAT(out_.str(), HasSubstr("1,234"));
}

TEST_F(QuarantineCommand, RefusesAStateThatDoesNotExist) {
  EXPECT_EQ(RunQuarantineList({.status = "open"}, quarantine_, console()), kInvalidConfiguration);
}

TEST_F(QuarantineCommand, ListsIdsWhoseDetailsCouldNotBeHadWithReasonAndTime) {
  const Instant at{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2}};
  quarantine_.bad_ids = {{"demo", "items", "x‹fuse.reset a›", "HTTP 404", 17, at}};
  VirtualClock clock{at + std::chrono::days(10)};
  EXPECT_EQ(RunBadIds({.target = "demo/items", .listed_for = "404", .before = "-7d"}, quarantine_,
                      clock, console()),
            kComplete);
  EXPECT_EQ(quarantine_.asked_ids.provenance, "demo");
  EXPECT_EQ(quarantine_.asked_ids.endpoint, "items");
  EXPECT_EQ(quarantine_.asked_ids.reason, "404");
  EXPECT_EQ(quarantine_.asked_ids.listed_before, at + std::chrono::days(3));
  for (const auto* part : {"HTTP 404", "2026-01-02T00:00:00Z", "17"})
    EXPECT_THAT(out_.str(), HasSubstr(part));
  EXPECT_THAT(err_.str(), HasSubstr("release-id"));
  RunBadIds({.as_json = true}, quarantine_, clock, console());
  EXPECT_THAT(out_.str(), HasSubstr(R"("listedAt":"2026-01-02T00:00:00Z")"));
  EXPECT_EQ(RunBadIds({.before = "some day"}, quarantine_, clock, console()),
            kInvalidConfiguration);
}

TEST_F(QuarantineCommand, ReleasesNamedIdsOrAllThatMatch) {
  quarantine_.released = {.released = {{.item_id = "1"}}, .not_listed = {"2"}};
  EXPECT_EQ(
      RunReleaseIds({.request = {.target = "demo/items", .ids = {"1", "2"}, .reason = "back"}},
                    quarantine_, anna_, console()),
      kComplete);
  EXPECT_EQ(quarantine_.release.reason, "back");
  EXPECT_EQ(quarantine_.decided_by.name, "anna");
  EXPECT_THAT(out_.str(), HasSubstr("1 is asked for again"));
  EXPECT_THAT(out_.str(), HasSubstr("2 is not on the list"));
  quarantine_.released = {.released = {{.item_id = "1"}, {.item_id = "3"}}};
  RunReleaseIds({.request = {.target = "demo", .all = true, .ids_max = 2}}, quarantine_, anna_,
                console());
  EXPECT_THAT(out_.str(), HasSubstr("2 ids are asked for again"));
  EXPECT_THAT(err_.str(), HasSubstr("there may be more"));
}

TEST_F(QuarantineCommand, DecidesAboutNamedRecordsOrAboutAllOfAKind) {
  EXPECT_EQ(RunQuarantineDecide({.ids = {"1", "2"}}, quarantine_, anna_, console()), kComplete);
  EXPECT_THAT(quarantine_.request.ids, ElementsAre(1, 2));
  EXPECT_EQ(RunQuarantineDecide({.request = {.all = true, .filter = {.rule = "date"}}}, quarantine_,
                                anna_, console()),
            kComplete);
  EXPECT_EQ(quarantine_.request.filter.rule, "date");
}

TEST_F(QuarantineCommand, ReadsFieldsFromStandardInput) {
  RunQuarantineDecide({.ids = {"1"}, .fields_file = "-"}, quarantine_, anna_, console());
  EXPECT_EQ(quarantine_.request.fields, R"({"title":"T"})");
}

TEST_F(QuarantineCommand, SaysWhatCouldNotBeDecidedAndDoesTheRest) {
  quarantine_.reports = {
      {.id = 1, .problem = Error{ErrorCode::kConflict, "it is REJECTED already", {}, {}}},
      {.id = 2, .decided = {.outcome = domain::Overwrite::kInsert}}};
  EXPECT_EQ(RunQuarantineDecide({.ids = {"1", "2"}}, quarantine_, anna_, console()), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("1: it is REJECTED already"));
  EXPECT_THAT(out_.str(), HasSubstr("2: taken in"));
}

TEST_F(QuarantineCommand, TheJournalSaysWhatWasDoneAndWhy) {
  RunHealLog({}, healing_, console());
  EXPECT_THAT(out_.str(), HasSubstr("STOP_SOURCE"));
  EXPECT_THAT(out_.str(), HasSubstr("401"));
}

TEST_F(QuarantineCommand, AdjustmentsAreShownAndTakenBackWithAReason) {
  EXPECT_EQ(RunHealAdjustments({}, healing_, console()), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("PAGE_SIZE"));
  EXPECT_THAT(out_.str(), HasSubstr("slow"));
  EXPECT_EQ(RunHealRelease(
                {.adjustment = {.target = "demo/items", .kind = "PAGE_SIZE"}, .reason = "fixed"},
                healing_, anna_, console()),
            kComplete);
  EXPECT_EQ(healing_.reason, "fixed");
}

}  // namespace patra::adapter::cli::quarantine_command_test
