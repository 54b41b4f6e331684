#include "adapter/cli/schedule_command.h"

#include <sstream>

#include <gmock/gmock.h>

#include "adapter/cli/command_line.h"
#include "tests/adapter/cli/fake_services.h"

namespace patra::adapter::cli::schedule_command_test {

using ::testing::HasSubstr;

class ScheduleCommand : public ::testing::Test {
 protected:
  int Run(std::vector<std::string> words) {
    words.insert(words.begin(), {"patra", "schedule"});
    std::vector<const char*> line;
    for (const auto& word : words) line.push_back(word.c_str());
    out_.str("");
    err_.str("");
    return RunCommandLine(static_cast<int>(line.size()), line.data(), services_, clock_,
                          {.out = out_, .err = err_, .in = in_});
  }
  FakeSchedule& schedule() { return services_.desk.fake_schedule; }

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  SystemClock clock_;
  FakeServices services_;
};

const domain::Execution kFailed{.id = 8,
                                .job = "nightly",
                                .status = domain::ExecutionStatus::kFailed,
                                .plan = 9,
                                .reason = "1 slice is missing",
                                .counts = {.received = 1'234}};

TEST_F(ScheduleCommand, ListsJobsWithWhenTheyFireAndHowTheyFared) {
  EXPECT_EQ(Run({"list"}), 0);
  EXPECT_EQ(out_.str(), "no jobs\n");
  schedule().reports = {
      {.job = {.id = "nightly", .provenance = "demo", .endpoint = "items", .cron = "@daily"},
       .last = kFailed},
      {.job = {.id = "off", .provenance = "x", .enabled = false, .disabled_reason = "no key"}}};
  EXPECT_EQ(Run({"list", "--source", "demo"}), 0);
  EXPECT_EQ(schedule().asked_source, "demo");
  EXPECT_THAT(out_.str(), HasSubstr("demo/items"));
  EXPECT_THAT(out_.str(), HasSubstr("FAILED 1970-01-01T00:00:00Z"));
  EXPECT_THAT(out_.str(), HasSubstr("off: no key"));
  EXPECT_EQ(Run({"show", "nightly", "--json"}), 0);
  const auto shown = ParseJson(out_.str());
  ASSERT_TRUE(shown);
  EXPECT_EQ(*shown->Find("last")->Find("plan"), Value("9"));
}

TEST_F(ScheduleCommand, SetsWhatIsNamedAndLeavesTheRest) {
  EXPECT_EQ(Run({"set", "nightly", "--source", "demo/items", "--cron", "@daily", "--tz",
                 "Europe/Berlin", "--args", "{}", "--jitter", "5m"}),
            0)
      << err_.str();
  const auto& asked = schedule().asked;
  EXPECT_EQ(asked.id, "nightly");
  EXPECT_EQ(asked.target, "demo/items");
  EXPECT_EQ(asked.timezone, "Europe/Berlin");
  EXPECT_FALSE(asked.enabled || asked.query || asked.misfire || asked.operation);
  EXPECT_EQ(schedule().by.name, "anna");
  EXPECT_TRUE(services_.asked_store.makes);
  EXPECT_EQ(Run({"set", "nightly", "--disabled"}), 0);
  EXPECT_EQ(schedule().asked.enabled, false);
  EXPECT_EQ(Run({"set", "nightly", "--enabled"}), 0);
  EXPECT_EQ(schedule().asked.enabled, true);
  EXPECT_EQ(Run({"set", "nightly", "--enabled", "--disabled"}), 2);
}

TEST_F(ScheduleCommand, TellsAllThatIsWrong) {
  schedule().problems = {
      {ErrorCode::kInvalidInput, "no such zone", {}, "did you mean 'UTC'?"},
      {ErrorCode::kInvalidInput, "no such source", {.file = "j.yaml", .line = 3}}};
  EXPECT_EQ(Run({"set", "nightly", "--cron", "@daily"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'UTC'?"));
  EXPECT_EQ(Run({"apply", "j.yaml"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("j.yaml:3: no such source"));
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ScheduleCommand, DecidesWithAReason) {
  EXPECT_EQ(Run({"disable", "nightly"}), 2) << "a reason is missing";
  for (const std::string what : {"enable", "disable", "remove"}) {
    EXPECT_EQ(Run({what, "nightly", "--reason", "because"}), 0);
    EXPECT_EQ(schedule().decided, what + " nightly: because");
    EXPECT_EQ(Run({what, "nope", "--reason", "because"}), 78);
  }
  EXPECT_EQ(Run({"trigger", "nightly"}), 0);
  EXPECT_EQ(schedule().decided, "trigger nightly: triggered by hand");
  EXPECT_EQ(out_.str(), "nightly waits for a planner\n");
}

TEST_F(ScheduleCommand, TellsWhatFiredAndWhatWill) {
  EXPECT_EQ(Run({"log"}), 0);
  EXPECT_EQ(out_.str(), "nothing has fired\n");
  schedule().executions = {kFailed};
  EXPECT_EQ(Run({"log", "nightly", "--status", "failed", "--limit", "3"}), 0);
  EXPECT_EQ(schedule().listed.job, "nightly");
  EXPECT_EQ(schedule().listed.status, "failed");
  EXPECT_EQ(schedule().listed.executions_max, 3);
  EXPECT_THAT(out_.str(), HasSubstr("1,234"));
  EXPECT_THAT(out_.str(), HasSubstr("1 slice is missing"));
  EXPECT_EQ(Run({"next", "nightly", "--count", "2"}), 0);
  EXPECT_EQ(out_.str(),
            "local                      utc\n"
            "1970-01-01T01:00:00+01:00  1970-01-01T00:00:00Z\n"
            "1970-01-01T01:00:00+01:00  1970-01-01T00:00:00Z\n");
}

TEST_F(ScheduleCommand, MovesJobsByFiles) {
  EXPECT_EQ(Run({"apply", "jobs.yaml"}), 0);
  EXPECT_EQ(schedule().applied_file, "jobs.yaml");
  EXPECT_EQ(out_.str(), "created a\n");
  EXPECT_THAT(err_.str(), HasSubstr("1 created, 0 changed, 1 as they were"));
  EXPECT_EQ(Run({"export"}), 0);
  EXPECT_EQ(out_.str(), "jobs:\n");
}

}  // namespace patra::adapter::cli::schedule_command_test
