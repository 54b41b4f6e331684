#include "adapter/cli/command_line.h"

#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/cli/fake_services.h"
#include "tests/temporary_folder.h"

namespace patra::adapter::cli::command_line_test {

using ::testing::HasSubstr;
using ::testing::Not;

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
  services_.desk.fake_gate_keys.keys = {{.key = "crossref",
                                         .reason = "COOL_DOWN",
                                         .blocked_until = Instant(std::chrono::seconds(60)),
                                         .share_ppm = 700'000,
                                         .permits = 1'234},
                                        {.key = "demo", .reason = "NONE", .share_ppm = 1'000'000}};
  EXPECT_EQ(Run({"gate", "list", "--db", "sqlite:p.db"}), 0);
  EXPECT_EQ(services_.asked_store.database, "sqlite:p.db");
  EXPECT_THAT(out_.str(), HasSubstr("COOL_DOWN until 1970-01-01T00:01:00Z"));
  EXPECT_THAT(out_.str(), HasSubstr("1,234"));
  EXPECT_EQ(Run({"gate", "show", "crossref", "--json"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("\"sharePpm\":700000"));
  EXPECT_EQ(Run({"gate", "show", "nobody"}), 1);
  EXPECT_EQ(Run({"gate", "reset", "crossref", "--reason", "they let us in again"}), 0);
  EXPECT_EQ(services_.desk.fake_gate_keys.reset_key, "crossref");
  EXPECT_EQ(services_.desk.fake_gate_keys.reset_reason, "they let us in again");
  EXPECT_EQ(Run({"gate", "reset", "crossref"}), 2) << "nobody resets a key without a reason";
  EXPECT_EQ(Run({"gate", "reset", "nobody", "--reason", "why"}), 1);
  EXPECT_EQ(Run({"gate"}), 2);
}

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("patra "));
  EXPECT_EQ(Run({"eval", "--help"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("jsonpath"));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CommandLine, NothingThatASourceOrAStoreHoldsIsObeyedByATerminal) {
  services_.desk.fake_registry.exported = {{"demo", "name: \x1b]0;owned\x07\xc2\x9b\u202e\n"}};
  EXPECT_EQ(Run({"registry", "export"}), 0);
  EXPECT_EQ(out_.str(), "---\nname: \\u001b]0;owned\\u0007\\u009b\\u202e\n");
  EXPECT_EQ(Run({"gate", "show", "\x1b[2J"}), 1);
  EXPECT_THAT(err_.str(), Not(HasSubstr("\x1b")));
}

TEST_F(CommandLine, TheDatabaseIsNamedAnywhereOnTheLine) {
  EXPECT_EQ(Run({"db", "migrate", "--db", "sqlite:x.db"}), 0);
  EXPECT_EQ(services_.asked_database, "sqlite:x.db");
  EXPECT_EQ(Run({"--db", "sqlite:y.db", "db", "check"}), 0);
  EXPECT_EQ(services_.asked_database, "sqlite:y.db");
}

TEST_F(CommandLine, AnExportIsOneFilePerSource) {
  testing::TemporaryFolder folder;
  services_.desk.fake_registry.exported = {{"dictionary/fields", "fields: {}\n"},
                                           {"demo", "source: demo\n"}};
  EXPECT_EQ(Run({"registry", "export", folder.Path("inside").c_str()}), 0);
  EXPECT_TRUE(std::filesystem::exists(folder.Path("inside/dictionary/fields.yaml")));
  EXPECT_TRUE(std::filesystem::exists(folder.Path("inside/demo.yaml")));
}

TEST_F(CommandLine, BackupAndRestoreGoInOppositeDirections) {
  EXPECT_EQ(Run({"db", "backup", "copy.db", "--db", "sqlite:x.db"}), 0);
  EXPECT_EQ(services_.copied, "sqlite:x.db > copy.db");
  EXPECT_EQ(Run({"db", "restore", "copy.db", "--db", "sqlite:x.db"}), 0);
  EXPECT_EQ(services_.copied, "copy.db > sqlite:x.db");
  EXPECT_EQ(Run({"db", "backup"}), 2);
}

TEST_F(CommandLine, AStoreThatMovesIsShownTableByTable) {
  contract::PromotedTable items{.name = "ing_item", .rows = 1234, .hash = "0123456789abcdef"};
  items.found = items.rows;
  items.found_hash = items.hash;
  services_.promotion->tables = {items, {.name = "ing_fuse"}};
  services_.promotion->not_ours = {"notes"};
  EXPECT_EQ(Run({"db", "promote", "--db", "x.db", "--to", "mysql://u@h/d"}), 0);
  EXPECT_EQ(services_.copied, "x.db > mysql://u@h/d");
  EXPECT_THAT(out_.str(), HasSubstr("1,234  0123456789ab  ok"));
  EXPECT_THAT(out_.str(), HasSubstr("1 more tables have no rows"));
  EXPECT_THAT(out_.str(), HasSubstr("a is moved to b"));
  EXPECT_THAT(err_.str(), HasSubstr("left behind: notes"));
  EXPECT_EQ(Run({"db", "promote"}), 2);
  EXPECT_EQ(Run({"db", "promote", "--to", "y.db", "--abandon"}), 2);
}

TEST_F(CommandLine, WhatDiffersAfterAMoveIsNamedAndAFailure) {
  services_.promotion->tables = {{.name = "ing_item",
                                  .rows = 2,
                                  .hash = "aa",
                                  .found = 1,
                                  .found_hash = "bb",
                                  .differences = {"id=7: missing in the target"},
                                  .differing = 3}};
  EXPECT_EQ(Run({"db", "promote", "--to", "y.db"}), 1);
  EXPECT_THAT(out_.str(), HasSubstr("DIFFERS"));
  EXPECT_THAT(err_.str(), HasSubstr("ing_item: id=7: missing in the target"));
  EXPECT_THAT(err_.str(), HasSubstr("ing_item: and 2 more"));
  EXPECT_EQ(Run({"db", "promote", "--to", "y.db", "--json"}), 1);
  EXPECT_THAT(out_.str(), HasSubstr("\"same\":false"));
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

TEST_F(CommandLine, SourceCheckReportsEveryProblemWithItsPlaceAndExits78) {
  services_.library.check = {
      .definitions = 1,
      .problems = {
          {ErrorCode::kInvalidInput,
           "'pagin' is not a known key",
           {.file = "a.yaml", .line = 3, .column = 5},
           "did you mean 'paging'?"},
          {ErrorCode::kInvalidInput, "'id' is missing", {.file = "a.yaml", .line = 9}, ""}}};
  EXPECT_EQ(Run({"source", "check"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("a.yaml:3:5: 'pagin' is not a known key"));
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'paging'?"));
  EXPECT_THAT(err_.str(), HasSubstr("a.yaml:9: 'id' is missing"));
}

TEST_F(CommandLine, SourceShowCompiledSaysWhereEachValueCameFrom) {
  EXPECT_EQ(Run({"source", "show", "demo", "--compiled", "--set", "http.base_url=https://x"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr("retry.attempts"));
  EXPECT_THAT(out_.str(), HasSubstr("platform"));
  EXPECT_THAT(out_.str(), HasSubstr("trigger"));
}

TEST_F(CommandLine, SourceTakesItsFolderBeforeOrAfterTheCommand) {
  EXPECT_EQ(Run({"source", "list", "--sources", "/usr"}), 0);
  EXPECT_EQ(services_.asked_folder, "/usr");
  EXPECT_EQ(Run({"source", "--sources", "/etc", "list"}), 0);
  EXPECT_EQ(services_.asked_folder, "/etc");
}

TEST_F(CommandLine, AFolderOfDefinitionsThatIsNotThereIsAMistakeWhereverItIsNamed) {
  for (const auto& command : std::vector<std::vector<const char*>>{{"source", "list"},
                                                                   {"harvest", "demo"},
                                                                   {"plan", "harvest", "demo"},
                                                                   {"verify", "demo"}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--sources", "/no/such/folder"});
    EXPECT_EQ(Run(arguments), 2) << command.front();
    EXPECT_THAT(err_.str(), HasSubstr("/no/such/folder"));
  }
}

TEST_F(CommandLine, SourceTestFailsWhereAnExchangeIsNotAsExpected) {
  services_.library.exchanges = {{.name = "one"}, {.name = "two", .differences = {"total"}}};
  EXPECT_EQ(Run({"source", "test", "demo"}), 1);
  EXPECT_THAT(out_.str(), HasSubstr("2 exchanges, 1 not as expected"));
}

TEST_F(CommandLine, SourcePauseNeedsAReason) {
  EXPECT_EQ(Run({"source", "pause", "demo"}), 2);
  EXPECT_EQ(Run({"source", "pause", "demo/items", "--reason", "moving house"}), 0);
  EXPECT_EQ(services_.desk.fake_holds.paused.target, "demo/items");
}

TEST_F(CommandLine, OnlyACommitOfAReplayNeedsAReason) {
  EXPECT_EQ(Run({"replay"}), 2);
  EXPECT_EQ(Run({"replay", "12/13", "--mode", "erase"}), 2);
  EXPECT_EQ(Run({"replay", "12/13", "--mode", "commit"}), 2);
  EXPECT_EQ(services_.operations.replays, 0);
  EXPECT_EQ(Run({"replay", "12/13", "--from-raw"}), 0);
  EXPECT_TRUE(services_.operations.asked_replay.from_raw);
  EXPECT_EQ(Run({"replay", "12/13", "--mode", "commit", "--reason", "the page was lost"}), 0);
  EXPECT_EQ(services_.operations.asked_replay.reason, "the page was lost");
}

TEST_F(CommandLine, RegistryApplyTakesNothingOfAFolderWithAProblem) {
  services_.desk.fake_registry.report.problems = {
      {ErrorCode::kInvalidInput, "'id' is missing", {.file = "a.yaml", .line = 9}, ""}};
  EXPECT_EQ(Run({"registry", "apply"}), 78);
  EXPECT_THAT(err_.str(), HasSubstr("a.yaml:9: 'id' is missing"));
}

TEST_F(CommandLine, RegistryDiffPrintsEveryField) {
  services_.desk.fake_registry.report.changes = {
      "demo/items reg_prov_retry_cfg.max_attempts: 5 -> 7"};
  EXPECT_EQ(Run({"registry", "diff"}), 0);
  for (const auto* verb : {"apply", "promote", "drop"})
    EXPECT_EQ(Run({"registry", verb, "--release", "canary"}), 0) << verb;
  EXPECT_THAT(out_.str(), HasSubstr("max_attempts: 5 -> 7"));
}

TEST_F(CommandLine, PlanHarvestHandsOnEverythingThatWasSaid) {
  services_.operations.report->planned = {
      .kind = app::Planned::Kind::kCreated, .plan = 7, .slices = 3};
  EXPECT_EQ(Run({"plan",
                 "harvest",
                 "crossref/works",
                 "--from",
                 "-7d",
                 "--to",
                 "now",
                 "--query",
                 "cancer",
                 "--priority",
                 "2",
                 "--max-requests",
                 "50",
                 "--rate",
                 "1/s",
                 "--page-size",
                 "20",
                 "--again",
                 "--set",
                 "http.base_url=http://x",
                 "--json"}),
            kComplete);
  const auto& asked = services_.operations.asked;
  EXPECT_EQ(asked.source.target, "crossref/works");
  EXPECT_EQ(asked.source.operation, domain::Operation::kHarvest);
  EXPECT_EQ(asked.from, "-7d");
  EXPECT_EQ(asked.to, "now");
  EXPECT_EQ(asked.source.query, "cancer");
  EXPECT_EQ(asked.source.rate, "1/s");
  EXPECT_EQ(asked.source.page_size, 20);
  EXPECT_EQ(asked.options.priority, 2);
  EXPECT_EQ(asked.options.requests_max, 50);
  EXPECT_TRUE(asked.options.again);
  EXPECT_NE(out_.str().find(R"("plan":"7")"), std::string::npos) << out_.str();
}

TEST_F(CommandLine, PlanUpdateTakesAnAgeOrLeavesItToTheDefinition) {
  EXPECT_EQ(Run({"plan", "update", "crossref", "--stale"}), kComplete);
  EXPECT_EQ(services_.operations.asked.stale, "");
  EXPECT_EQ(services_.operations.asked.source.target, "crossref");
  EXPECT_EQ(Run({"plan", "update", "crossref", "--stale", "30d", "--parts", "7"}), kComplete);
  EXPECT_EQ(services_.operations.asked.stale, "30d");
  EXPECT_EQ(services_.operations.asked.parts, 7);
}

TEST_F(CommandLine, PlanUpdateReadsIdsFromStandardInput) {
  in_.str("# two\na\n\nb\r\n");
  EXPECT_EQ(Run({"plan", "update", "crossref", "--ids", "-"}), kComplete);
  EXPECT_EQ(services_.operations.asked.ids, (std::vector<std::string>{"a", "b"}));
}

TEST_F(CommandLine, ADryRunOfAnUpdateReadsIdsFromStandardInputToo) {
  in_.str("a\nb\n");
  EXPECT_EQ(Run({"update", "crossref", "--ids", "-", "--dry-run", "--config", "my.yaml"}),
            kComplete);
  EXPECT_EQ(services_.operations.asked.ids, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(services_.asked_engine.configuration, "my.yaml");
}

TEST_F(CommandLine, PlansFollowAConfigurationThatCanBeShown) {
  EXPECT_EQ(Run({"plan", "harvest", "crossref", "--config", "my.yaml"}), kComplete);
  EXPECT_EQ(services_.asked_engine.configuration, "my.yaml");
  EXPECT_EQ(Run({"plan", "policy", "--config", "my.yaml"}), kComplete);
  EXPECT_NE(out_.str().find("plan.watch"), std::string::npos) << out_.str();
  EXPECT_EQ(Run({"plan", "policy", "--json"}), kComplete);
  EXPECT_NE(out_.str().find(R"("name":"plan.watch","value":"6m")"), std::string::npos)
      << out_.str();
}

TEST_F(CommandLine, APartialPlanAndAHeldSourceHaveExitCodesOfTheirOwn) {
  services_.operations.report->planned = {.kind = app::Planned::Kind::kCreated,
                                          .plan = 7,
                                          .slices = 3,
                                          .is_partial = true,
                                          .reason = "the queue is full"};
  EXPECT_EQ(Run({"plan", "backfill", "crossref", "--auto", "--until", "2020"}), kStoppedByLimit);
  EXPECT_NE(out_.str().find("the queue is full"), std::string::npos);
  EXPECT_TRUE(services_.operations.asked.further);
  services_.operations.report->planned = {.kind = app::Planned::Kind::kHeld, .reason = "paused"};
  EXPECT_EQ(Run({"plan", "harvest", "crossref"}), kTryLater);
  services_.operations.report->problems = {{ErrorCode::kInvalidInput, "no such endpoint"}};
  EXPECT_EQ(Run({"plan", "harvest", "crossref"}), kInvalidConfiguration);
}

TEST_F(CommandLine, SourceInitRefusesANameThatCommandsCannotSay) {
  EXPECT_EQ(Run({"source", "init", "My Source"}), kInvalidConfiguration);
  EXPECT_NE(err_.str().find("is not a name"), std::string::npos);
}

TEST_F(CommandLine, CancelNeedsAReason) {
  EXPECT_EQ(Run({"plan", "cancel", "12"}), kUsage);
  EXPECT_EQ(Run({"slice", "cancel", "12", "--reason", "wrong window"}), kComplete);
  EXPECT_EQ(services_.desk.fake_corrections.cancelled.id, 12);
  EXPECT_EQ(services_.desk.fake_corrections.cancelled.kind, app::CancelRequest::Kind::kSlice);
  EXPECT_EQ(services_.desk.fake_corrections.cancelled.reason, "wrong window");
}

TEST_F(CommandLine, EveryEndOfAHarvestHasItsExitCode) {
  struct Case {
    const char* what;
    app::WorkSummary work;
    int code;
  };
  const std::vector<Case> cases{
      {"nothing is missing", {}, kComplete},
      {"a slice failed", {.failed = 1}, kFailed},
      {"a slice has a gap", {.partial = 1}, kFailed},
      {"the allowance is used up", {.left = 3}, kTryLater},
      {"as many requests as were allowed", {.left = 3, .is_at_limit = true}, kStoppedByLimit},
      {"a budget that is used up", {.left = 1, .spent = 1}, kStoppedByLimit},
      {"a budget that did for all", {.spent = 1}, kComplete},
      {"the key is refused", {.failed = 1, .is_refused = true}, kRefused},
      {"somebody asked to stop", {.left = 3, .is_stopped = true}, kInterrupted}};
  for (const auto& c : cases) {
    services_.operations.summary->work = c.work;
    EXPECT_EQ(Run({"harvest", "crossref/works"}), c.code) << c.what;
  }
  services_.signal = 15;
  EXPECT_EQ(Run({"harvest", "crossref/works"}), 143);
}

// Whoever put it there, and however often the command is given. An executor was asked for no stretch: it speaks of what it met.
TEST_F(CommandLine, AHarvestOfAProviderThatAnnouncesNothingDoesNotSayThatEverythingAnnouncedCame) {
  auto& work = services_.operations.summary->work;
  work.succeeded = 1;
  work.totals.counts = {.received = 5, .inserted = 5};
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("no total was announced"));
  EXPECT_THAT(out_.str(), Not(HasSubstr("everything announced was received")));
  work.totals.counts = {};
  out_.str("");
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("no total was announced")) << "nor did anything come";
  out_.str("");
  work.totals.is_announced = true;
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("everything announced was received"));
}

TEST_F(CommandLine, WhatIsInQuarantineOfTheStretchDecides) {
  auto& summary = *services_.operations.summary;
  summary.quarantine_open = 2;
  for (const auto* command : {"harvest", "harvest", "backfill"}) {
    EXPECT_EQ(Run({command, "crossref/works", "--from", "-2d", "--to", "-1d"}), kQuarantined);
    EXPECT_THAT(out_.str(), HasSubstr("2 open in what was asked for"));
  }
  EXPECT_EQ(Run({"update", "crossref/works", "--stale"}), kQuarantined);
  EXPECT_EQ(Run({"work", "--drain"}), kComplete);
  summary.quarantine_open = 0;
  summary.work.totals.counts = {.received = 1, .quarantined = 1};
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kComplete) << "it was settled since";
  EXPECT_EQ(Run({"work", "--drain"}), kQuarantined);
}

TEST_F(CommandLine, WhatIsHeldIsReleasedBeforeAnythingElse) {
  auto& work = services_.operations.summary->work;
  work.failed = 1;
  work.holds = {{.provenance = "crossref",
                 .endpoint = "works",
                 .reason = "HTTP 400",
                 .is_fuse = true,
                 .since = Instant(std::chrono::hours(24))}};
  const std::vector<std::vector<const char*>> commands{{"harvest", "crossref/works"},
                                                       {"work", "--drain"}};
  for (const auto& command : commands) {
    out_.str("");
    Run(command);
    EXPECT_THAT(out_.str(), HasSubstr("crossref/works is stopped since 1970-01-02T00:00:00Z: "
                                      "HTTP 400"));
    const auto release = out_.str().find("patra fuse reset crossref/works --reason");
    EXPECT_NE(release, std::string::npos);
    EXPECT_LT(release, out_.str().find("patra verify"));
  }
}

TEST_F(CommandLine, AnOrdinaryWaitIsNotCalledSomebodyElsesAndNeedsNoNewPlan) {
  auto& summary = *services_.operations.summary;
  summary.plan.planned.kind = app::Planned::Kind::kAlreadyPlanned;
  summary.unproven = {.stretches = {*domain::Window::Between(Instant(std::chrono::hours(0)),
                                                             Instant(std::chrono::hours(1)))},
                      .is_under_way = true};
  summary.work.left = 1;
  summary.work.waits = domain::TaskWait{"COOL_DOWN: HTTP 429", Instant(std::chrono::hours(24))};
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kTryLater);
  EXPECT_THAT(out_.str(), Not(HasSubstr("--again")));
  EXPECT_THAT(out_.str(), Not(HasSubstr("somebody is at it")));
  EXPECT_THAT(out_.str(), HasSubstr("patra gate reset"));
  summary.work.running = 1;
  Run({"harvest", "crossref/works"});
  EXPECT_THAT(out_.str(), HasSubstr("somebody is at it"));
}

// Whoever left it undone: an earlier command, another process, or nobody yet.
TEST_F(CommandLine, AHarvestWhoseStretchIsNotProvenDoesNotEndWell) {
  const auto window =
      *domain::Window::Between(Instant(std::chrono::hours(0)), Instant(std::chrono::hours(1)));
  auto& summary = *services_.operations.summary;
  summary.unproven.stretches = {window};
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("1 stretch of what was asked for"));
  summary.unproven.is_under_way = true;
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kTryLater);
  summary.plan.planned.is_partial = true;
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kStoppedByLimit);
  summary.plan.planned.given_up = {
      {.task = 77, .window = window, .tries = 3, .reason = "HTTP 500"}};
  EXPECT_EQ(Run({"harvest", "crossref/works"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("tried 3 times: HTTP 500"));
  EXPECT_THAT(out_.str(), HasSubstr("patra task requeue 77 --reason WHY"));
  EXPECT_EQ(Run({"harvest", "crossref/works", "--json"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("\"task\":\"77\""));
  summary.unproven = {.slices = 2};
  summary.plan.planned = {};
  EXPECT_EQ(Run({"update", "crossref/works", "--stale"}), kFailed);
}

TEST_F(CommandLine, WhatIsLeftSaysForWhatAndUntilWhenItWaits) {
  auto& work = services_.operations.summary->work;
  work.left = 3;
  work.waits = domain::TaskWait{"COOL_DOWN", Instant(std::chrono::hours(24))};
  const std::vector<std::vector<const char*>> commands{{"harvest", "crossref/works"},
                                                       {"update", "crossref/works", "--signals"},
                                                       {"work", "--drain"}};
  for (auto command : commands) {
    out_.str("");
    EXPECT_EQ(Run(command), kTryLater) << command[0];
    EXPECT_THAT(out_.str(), HasSubstr("waits for COOL_DOWN until 1970-01-02")) << command[0];
    command.push_back("--json");
    EXPECT_EQ(Run(command), kTryLater) << command[0];
    EXPECT_THAT(out_.str(), HasSubstr("\"waitsFor\":\"COOL_DOWN\",\"waitsUntil\":\"1970-01-02"))
        << command[0];
  }
}

TEST_F(CommandLine, AHarvestTellsWhatItDidAndWhatToDoNext) {
  auto& summary = *services_.operations.summary;
  summary.plan.source = "crossref";
  summary.plan.endpoint = "works";
  summary.work.succeeded = 4;
  summary.work.failed = 1;
  summary.work.totals.counts = {.received = 1'300, .inserted = 1'200, .unchanged = 100};
  summary.work.first_error = Error{ErrorCode::kUnavailable, "HTTP 400"};
  EXPECT_EQ(Run({"harvest", "crossref/works", "--from", "-7d", "--allow-loopback", "--concurrency",
                 "2", "--db", "sqlite:p.db"}),
            kFailed);
  EXPECT_EQ(services_.operations.asked.from, "-7d");
  EXPECT_TRUE(services_.asked_engine.allow_loopback);
  EXPECT_EQ(services_.asked_engine.database, "sqlite:p.db");
  EXPECT_EQ(services_.operations.asked_work.workers, 2);
  EXPECT_THAT(out_.str(), HasSubstr("4 done, 1 failed"));
  EXPECT_THAT(out_.str(), HasSubstr("1,200 new"));
  EXPECT_THAT(out_.str(), HasSubstr("patra verify crossref/works"));
  EXPECT_THAT(err_.str(), HasSubstr("HTTP 400"));
}

TEST_F(CommandLine, DeletedRecordsAreNotNewOnes) {
  auto& work = services_.operations.summary->work;
  work.totals.counts = {.received = 10, .inserted = 7, .updated = 3};
  work.totals.counts.inserted_gone = 5;
  work.totals.counts.updated_gone = 1;
  work.totals.gone = 2;
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("2 new, 2 updated"));
  EXPECT_THAT(out_.str(), HasSubstr("6 deleted"));
  EXPECT_THAT(out_.str(), HasSubstr("2 records not on the list any more"));
}

TEST_F(CommandLine, WhatWasLeftOutIsShown) {
  services_.operations.summary->work.totals.counts = {
      .received = 319, .inserted = 5, .filtered = 314};
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("314 records left out"));
}

TEST_F(CommandLine, AWatermarkThatDidNotMoveSaysWhy) {
  auto& summary = *services_.operations.summary;
  const Instant day{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  summary.watermark = summary.watermark_before = day;
  summary.work.partial = 1;
  summary.unproven.stretches = {*domain::Window::Between(day, day + std::chrono::hours(1))};
  EXPECT_EQ(Run({"harvest", "demo"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("2026-01-01T00:00:00Z, as before: nothing from "
                                    "2026-01-01T00:00:00Z on is proven"));
}

TEST_F(CommandLine, TheLastWordIsWhatDecidedTheExitCode) {
  auto& summary = *services_.operations.summary;
  summary.unproven.stretches = {
      *domain::Window::Between(Instant(), Instant() + std::chrono::hours(1))};
  EXPECT_EQ(Run({"harvest", "demo"}), kFailed);
  EXPECT_THAT(err_.str(), ::testing::EndsWith("[1970-01-01T00:00:00Z, 1970-01-01T01:00:00Z) is not "
                                              "proven\n"));
  err_.str("");
  summary.work.left = 2;
  summary.work.tired = app::TiredOf{.waited = std::chrono::minutes(2), .what = "HTTP 503"};
  EXPECT_EQ(Run({"harvest", "demo", "--wait-max", "2m"}), kTryLater);
  EXPECT_EQ(services_.operations.asked_work.wait_max, "2m");
  EXPECT_THAT(out_.str(), HasSubstr("in all for a provider that brings nothing: HTTP 503"));
  EXPECT_THAT(err_.str(), ::testing::EndsWith("HTTP 503\n"));
}

TEST_F(CommandLine, PlansByAnEarlierDefinitionAreNamed) {
  auto& planned = services_.operations.summary->plan.planned;
  planned.replaced = {12};
  planned.older = {34};
  EXPECT_EQ(Run({"harvest", "demo"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("plan 12, which brought nothing"));
  EXPECT_THAT(out_.str(), HasSubstr("patra plan cancel 34 --reason WHY"));
}

TEST_F(CommandLine, OnlyADryRunAsks) {
  EXPECT_EQ(Run({"harvest", "demo", "--ask"}), kUsage);
  EXPECT_EQ(Run({"harvest", "demo", "--dry-run", "--ask"}), kComplete);
  EXPECT_TRUE(services_.operations.asked.options.asks);
  EXPECT_EQ(Run({"plan", "harvest", "demo", "--dry-run", "--ask"}), kUsage);
}

TEST_F(CommandLine, AHarvestForMachinesPrintsEventsAndASummary) {
  services_.operations.summary->work.totals.requests = 7;
  EXPECT_EQ(Run({"harvest", "crossref", "--json", "--quiet"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr("\"event\":\"progress\""));
  EXPECT_THAT(out_.str(), HasSubstr("\"event\":\"summary\""));
  EXPECT_THAT(out_.str(), HasSubstr("\"requests\":7"));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CommandLine, APreviewOfABadAnswerFails) {
  services_.operations.preview.pages = {{.what = "page 1", .verdict = "HTTP 503"}};
  EXPECT_EQ(Run({"source", "preview", "crossref/works"}), kFailed);
  EXPECT_THAT(out_.str(), HasSubstr("HTTP 503"));
}

TEST_F(CommandLine, APreviewShowsRequestOutlineAndRecordsBesideWhatTheyWereMadeOf) {
  services_.operations.preview.pages = {
      {.what = "page 1",
       .method = "POST",
       .url = "https://api.example.org/works?key=***",
       .headers = {{"Accept", "text/it's"}},
       .body = R"({"q":1})",
       .outline = {"$  object", "  items  list of 1"},
       .records = 1,
       .first_records = {{.id = "10.5555/1", .raw = R"({"DOI":"10.5555/1"})", .mapped = "{}"}}}};
  EXPECT_EQ(Run({"source", "preview", "crossref/works", "--pages", "3", "--save-exchange"}),
            kComplete);
  EXPECT_EQ(services_.operations.asked_preview.pages_max, 3);
  EXPECT_TRUE(services_.operations.asked_preview.saves);
  EXPECT_TRUE(services_.asked_engine.makes_none) << "a look leaves no store behind";
  for (const auto* part :
       {"POST https://api.example.org/works?key=***",
        R"(curl --compressed -X POST -H 'Accept: text/it'\''s' --data-raw '{"q":1}' 'https)",
        "items  list of 1", R"(raw     {"DOI":"10.5555/1"})", "mapped  {}", "nothing was stored"})
    EXPECT_THAT(out_.str(), HasSubstr(part));
  EXPECT_EQ(Run({"source", "preview", "crossref/works", "--json"}), kComplete);
  EXPECT_THAT(out_.str(), HasSubstr(R"("outline":["$  object","  items  list of 1"])"));
  EXPECT_EQ(Run({"source", "preview", "crossref/works", "--pages", "0"}), kUsage);
}

TEST_F(CommandLine, ADefinitionIsGuessedFromAnAddressThroughAnEngineThatMakesNoStore) {
  testing::TemporaryFolder folder;
  const auto file = folder.Path("api.yaml");
  EXPECT_EQ(Run({"source", "init", "api", file.c_str(), "--from-url", "https://api.example.org/x",
                 "--allow-loopback"}),
            kComplete);
  EXPECT_EQ(services_.operations.asked_url, "https://api.example.org/x");
  EXPECT_TRUE(services_.asked_engine.makes_none);
  EXPECT_TRUE(services_.asked_engine.allow_loopback);
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(Run({"source", "init"}), kUsage);
}

TEST_F(CommandLine, AHarvestByAddressTakesTheSourceThatIsMadeForIt) {
  EXPECT_EQ(Run({"harvest", "oai-pmh/records", "--base-url", "https://example.org/oai"}),
            kComplete);
  EXPECT_EQ(services_.operations.asked.source.target, "oai-pmh-at-oai/records");
  EXPECT_THAT(err_.str(), HasSubstr("at.yaml is written"));
  EXPECT_EQ(Run({"backfill", "oai-pmh", "--base-url", "https://example.org/oai"}), kUsage);
}

TEST_F(CommandLine, TheLedgerIsFilteredByWhatIsAsked) {
  EXPECT_EQ(Run({"task", "list", "--source", "demo", "--status", "failed", "--plan", "7", "--limit",
                 "3", "--db", "sqlite:x.db"}),
            0);
  const auto& asked = services_.desk.store.asked;
  EXPECT_EQ(asked.source, "demo");
  EXPECT_EQ(asked.status, "FAILED");
  EXPECT_EQ(asked.plan, 7);
  EXPECT_EQ(asked.rows_max, 3);
  EXPECT_EQ(services_.asked_store.database, "sqlite:x.db");
  EXPECT_EQ(Run({"task", "list", "--limit", "0"}), 2);
  EXPECT_EQ(Run({"task", "requeue", "4"}), 2) << "a decision needs a reason";
  EXPECT_EQ(Run({"cursor", "set", "demo/items", "now"}), 2) << "a decision needs a reason";
  EXPECT_EQ(Run({"batch", "list", "--run", "5", "--json"}), 0);
  EXPECT_EQ(asked.run, 5);
}

TEST_F(CommandLine, RecordsAreFilteredByWhatIsAsked) {
  EXPECT_EQ(Run({"items", "export", "--source", "demo", "--deleted", "--format", "csv", "--fields",
                 "a,b"}),
            0);
  EXPECT_EQ(services_.desk.store.asked_items.tombstones, contract::Tombstones::kOnly);
  EXPECT_THAT(out_.str(), HasSubstr(",a,b\r\n"));
  EXPECT_EQ(Run({"items", "export", "--format", "xlsx"}), 2);
  EXPECT_EQ(Run({"items", "export", "--deleted", "--with-deleted"}), 2);
  EXPECT_EQ(Run({"items", "list"}), 0);
  EXPECT_EQ(services_.desk.store.asked_items.tombstones, contract::Tombstones::kLeaveOut);
}

TEST_F(CommandLine, WhatChangedIsToldWithThePlaceToGoOn) {
  services_.desk.fake_changes.page.place = {.position = 413};
  EXPECT_EQ(Run({"items", "changes", "--after", "412.7"}), 0);
  EXPECT_EQ(services_.desk.fake_changes.after, "412.7");
  EXPECT_THAT(out_.str(), HasSubstr("nothing has changed behind 413.0"));
  contract::ChangeRow row{
      .place = {.position = 413, .heard = 1}, .source = "demo", .endpoint = "items"};
  row.change = {.kind = contract::ChangeKind::kMerged, .id = "a", .merged_into = "b"};
  services_.desk.fake_changes.page.changes = {row};
  EXPECT_EQ(Run({"items", "changes", "--json"}), 0);
  EXPECT_THAT(out_.str(), HasSubstr(R"("change":"merged")"));
  EXPECT_THAT(out_.str(), HasSubstr(R"("place":"413.1")"));
  EXPECT_EQ(Run({"items", "changes", "--source", "nope"}), 78);
}

}  // namespace patra::adapter::cli::command_line_test
