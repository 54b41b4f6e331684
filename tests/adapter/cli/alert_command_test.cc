#include "adapter/cli/alert_command.h"

#include <sstream>

#include <gmock/gmock.h>

#include "tests/adapter/cli/fake_alerts.h"

namespace patra::adapter::cli::alert_command_test {

using ::testing::HasSubstr;

class AlertCommand : public ::testing::Test {
 protected:
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{.out = out_, .err = err_, .in = in_};
  FakeAlerts alerts_;
};

TEST_F(AlertCommand, TellsWhatFiresAndWhatIsKnown) {
  alerts_.reports = {
      {.alert = {.key = "fuse/a/*", .severity = domain::Severity::kCritical, .message = "blown"}},
      {.alert = {.key = "wait/b/items", .message = "parked"}, .is_silenced = true}};
  EXPECT_EQ(RunAlertList({}, alerts_, console_), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("CRITICAL  firing"));
  EXPECT_THAT(out_.str(), HasSubstr("WARN      silenced"));
}

TEST_F(AlertCommand, SaysThatThereIsNothing) {
  EXPECT_EQ(RunAlertList({}, alerts_, console_), kComplete);
  EXPECT_EQ(out_.str(), "no alerts\n");
}

TEST_F(AlertCommand, GivesMachinesOneObjectALine) {
  alerts_.reports = {{.alert = {.key = "fuse/a/*", .message = "blown"}}};
  EXPECT_EQ(RunAlertList({.as_json = true}, alerts_, console_), kComplete);
  const auto line = ParseJson(out_.str());
  ASSERT_TRUE(line) << out_.str();
  EXPECT_EQ(*line->Find("state")->AsString(), "firing");
  EXPECT_EQ(*line->Find("key")->AsString(), "fuse/a/*");
}

TEST_F(AlertCommand, ResolvingWhatDoesNotFireIsAnError) {
  EXPECT_EQ(RunAlertResolve("fuse/a/*", alerts_, console_), kComplete);
  EXPECT_NE(RunAlertResolve("other", alerts_, console_), kComplete);
}

}  // namespace patra::adapter::cli::alert_command_test
