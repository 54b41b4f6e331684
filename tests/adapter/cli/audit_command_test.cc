#include "adapter/cli/audit_command.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/cli/fake_ledger.h"

namespace patra::adapter::cli::audit_command_test {

using ::testing::HasSubstr;

class AuditCommand : public ::testing::Test {
 protected:
  int List(const AuditListing& listing) {
    return RunAuditList(listing, read_.ledger(), {.out = out_, .err = err_, .in = in_});
  }
  int Show(const std::string& id, bool as_json = false) {
    return RunAuditShow({.id = id, .as_json = as_json}, read_.ledger(),
                        {.out = out_, .err = err_, .in = in_});
  }

  const Instant at_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2}};
  FakeStore store_;
  FakeReadSide read_{store_};
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(AuditCommand, ListsWhoDecidedWhatAboutWhatAndWhy) {
  store_.audit = {{{17, "anna", "COMMAND_LINE", "RESET_FUSE", "a new key", R"({"fuse":"8"})", at_},
                   "SOURCE",
                   "demo/*"}};
  EXPECT_EQ(List({.before = "99", .entries_max = 1}), kComplete);
  EXPECT_EQ(store_.asked_audit_before, 99);
  for (const auto* part :
       {"17", "anna", "COMMAND_LINE", "RESET_FUSE", "SOURCE/demo/*", "a new key"})
    EXPECT_THAT(out_.str(), HasSubstr(part));
  EXPECT_THAT(err_.str(), HasSubstr("--before 17"));
  EXPECT_EQ(List({.as_json = true}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr(R"("objectType":"SOURCE")"));
  EXPECT_EQ(List({.before = "x"}), kInvalidConfiguration);
}

TEST_F(AuditCommand, NarrowsToOneObjectWhateverItsCase) {
  store_.decisions = {{18, "anna", "API", "REQUEUE", "try again", "{}", at_}};
  EXPECT_EQ(List({.object = "task/42"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("TASK/42"));
  EXPECT_THAT(out_.str(), HasSubstr("REQUEUE"));
  EXPECT_EQ(List({.object = "task"}), kInvalidConfiguration);
}

TEST_F(AuditCommand, ShowsOnWhatSomethingWasDecided) {
  store_.audit = {{{17, "anna", "COMMAND_LINE", "RESET_FUSE", "a new key", R"({"fuse":"8"})", at_},
                   "SOURCE",
                   "demo/*"}};
  EXPECT_EQ(Show("17"), kComplete);
  EXPECT_EQ(store_.asked_audit_before, 18);
  EXPECT_THAT(out_.str(), HasSubstr(R"({"fuse":"8"})"));
  EXPECT_EQ(Show("17", true), kComplete);
  EXPECT_EQ(Show("16"), kFailed);
  store_.audit.clear();
  EXPECT_EQ(Show("17"), kFailed);
  EXPECT_EQ(List({}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("nobody decided anything"));
}

}  // namespace patra::adapter::cli::audit_command_test
