#include "adapter/cli/command_line.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::adapter::cli {
namespace {

using ::testing::HasSubstr;

// Answers with what the test prepared and remembers what it was asked.
class FakeServices final : public Services {
 public:
  Result<DemoReport> Demo(const DemoRequest& request, const OnDemoProgress&) override {
    demo_request = request;
    return demo;
  }
  Result<DatabaseReport> MigrateDatabase(const std::string& database) override {
    asked_database = database;
    return migrated;
  }
  Result<DatabaseReport> CheckDatabase(const std::string& database) override {
    asked_database = database;
    return checked;
  }

  Result<std::vector<GateKeyReport>> ListGate(const std::string& database) override {
    asked_database = database;
    return gate;
  }
  Result<void> ResetGate(const std::string&, const std::string& key) override {
    reset_key = key;
    if (key != "crossref") return Fail(ErrorCode::kNotFound, "the gate knows no such key");
    return {};
  }

  DemoRequest demo_request;
  std::string asked_database;
  std::string reset_key;
  std::vector<GateKeyReport> gate;
  Result<DemoReport> demo = DemoReport{};
  Result<DatabaseReport> migrated = DatabaseReport{.database = "p.db", .schema_after = 2};
  Result<DatabaseReport> checked = DatabaseReport{.database = "p.db", .schema_after = 2};
};

class CommandLine : public ::testing::Test {
 protected:
  int Run(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "patra");
    return RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), services_, clock_,
                          {.out = out_, .err = err_, .in = in_});
  }

  FakeServices services_;
  SystemClock clock_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(CommandLine, AnUnknownCommandIsAUsageError) {
  EXPECT_EQ(Run({"harvets"}), 2);
  EXPECT_EQ(Run({}), 2);
  EXPECT_EQ(Run({"eval", "cron"}), 2);
  EXPECT_EQ(Run({"eval", "cron", "* * * * *", "--count", "0"}), 2);
}

TEST_F(CommandLine, TheGateIsListedShownAndReset) {
  services_.gate = {{.key = "crossref",
                     .reason = "COOL_DOWN",
                     .blocked_until = Instant(std::chrono::seconds(60)),
                     .share_ppm = 700'000,
                     .permits = 1'234},
                    {.key = "demo", .reason = "NONE", .share_ppm = 1'000'000}};
  EXPECT_EQ(Run({"gate", "list", "--db", "sqlite:p.db"}), 0);
  EXPECT_EQ(services_.asked_database, "sqlite:p.db");
  EXPECT_THAT(out_.str(), HasSubstr("COOL_DOWN until 1970-01-01T00:01:00Z"));
  EXPECT_THAT(out_.str(), HasSubstr("1,234"));
  EXPECT_EQ(Run({"gate", "show", "crossref", "--json"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("\"sharePpm\":700000"));
  EXPECT_EQ(Run({"gate", "show", "nobody"}), 1);
  EXPECT_EQ(Run({"gate", "reset", "crossref"}), 0);
  EXPECT_EQ(services_.reset_key, "crossref");
  EXPECT_EQ(Run({"gate", "reset", "nobody"}), 1);
  EXPECT_EQ(Run({"gate"}), 2);
}

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("patra "));
  EXPECT_EQ(Run({"eval", "--help"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("jsonpath"));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CommandLine, TheDatabaseIsNamedAnywhereOnTheLine) {
  EXPECT_EQ(Run({"db", "migrate", "--db", "sqlite:x.db"}), 0);
  EXPECT_EQ(services_.asked_database, "sqlite:x.db");
  EXPECT_EQ(Run({"--db", "sqlite:y.db", "db", "check"}), 0);
  EXPECT_EQ(services_.asked_database, "sqlite:y.db");
}

TEST_F(CommandLine, AProblemThatTheCheckFoundIsAFailure) {
  services_.checked->problems = {"index uk_plan_key is missing"};
  EXPECT_EQ(Run({"db", "check"}), 1);
  EXPECT_THAT(out_.str(), HasSubstr("uk_plan_key"));
}

TEST_F(CommandLine, EveryKindOfErrorHasItsExitCode) {
  services_.migrated = Fail(ErrorCode::kInvalidInput, "wrong", {}, "do better");
  EXPECT_EQ(Run({"db", "migrate"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("do better"));
  services_.migrated = Fail(ErrorCode::kUnavailable, "busy");
  EXPECT_EQ(Run({"db", "migrate"}), 75);
  services_.migrated = Fail(ErrorCode::kCorruption, "broken");
  EXPECT_EQ(Run({"db", "migrate"}), 1);
}

TEST_F(CommandLine, TheDemoSucceedsOnlyIfTheStoreHoldsTheTruth) {
  services_.demo->stages = {{.title = "first harvest", .truth = 5}};
  EXPECT_EQ(Run({"demo", "--records", "5"}), 0);
  EXPECT_EQ(services_.demo_request.records, 5);
  services_.demo->stages[0].missing = 1;
  EXPECT_EQ(Run({"demo"}), 1);
  services_.demo->stages[0] = {.title = "first harvest", .truth = 5, .wrong = 2};
  EXPECT_EQ(Run({"demo"}), 1);
}

}  // namespace
}  // namespace patra::adapter::cli
