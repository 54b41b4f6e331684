#include "adapter/cli/fuse_command.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "tests/adapter/cli/fake_healing.h"

namespace patra::adapter::cli::fuse_command_test {

using ::testing::HasSubstr;
using ::testing::Not;

class FuseCommand : public ::testing::Test {
 protected:
  Console console() { return {.out = out_, .err = err_, .in = in_}; }

  const Instant at_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2}};
  FakeHolds holds_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(FuseCommand, ListsWhatHasBlownAndWhoResetWhatHad) {
  holds_.fuses = {
      {.id = 8, .provenance = "demo", .endpoint = "*", .reason = "401", .blown_at = at_},
      {.id = 7,
       .provenance = "demo",
       .endpoint = "*",
       .reason = "403",
       .blown_at = at_,
       .reset_at = at_ + std::chrono::hours(1),
       .reset_by = "anna",
       .reset_reason = "a new key"}};
  EXPECT_EQ(RunFuseList({.target = "demo", .filter = {.with_reset = true}}, holds_, console()),
            kComplete);
  EXPECT_EQ(holds_.asked.source, "demo");
  EXPECT_TRUE(holds_.asked.with_reset);
  EXPECT_THAT(out_.str(), HasSubstr("2026-01-02T01:00:00Z by anna: a new key"));
  EXPECT_THAT(out_.str(), HasSubstr("BLOWN"));
  EXPECT_THAT(err_.str(), HasSubstr("patra fuse reset"));
}

TEST_F(FuseCommand, ShowsTheNewestWithItsEvidence) {
  holds_.fuses = {{.id = 8,
                   .provenance = "demo",
                   .endpoint = "items",
                   .reason = "401",
                   .evidence = R"({"batch":"17","status":401})",
                   .blown_at = at_}};
  EXPECT_EQ(RunFuseShow({.target = "demo/items"}, holds_, console()), kComplete);
  EXPECT_EQ(holds_.asked.endpoint, "items");
  EXPECT_THAT(out_.str(), HasSubstr(R"({"batch":"17","status":401})"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("before")));
  EXPECT_EQ(RunFuseShow({.target = "demo/items", .as_json = true}, holds_, console()), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr(R"("state":"BLOWN")"));
  holds_.fuses.clear();
  EXPECT_EQ(RunFuseShow({.target = "demo"}, holds_, console()), kFailed);
  EXPECT_EQ(RunFuseList({}, holds_, console()), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("no fuse has blown"));
}

}  // namespace patra::adapter::cli::fuse_command_test
