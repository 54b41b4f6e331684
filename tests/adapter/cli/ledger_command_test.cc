#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/items_command.h"
#include "adapter/cli/ledger_command.h"
#include "adapter/cli/status_command.h"
#include "adapter/cli/verify_command.h"
#include "app/desk/desk_ports.h"
#include "tests/adapter/cli/fake_ledger.h"
#include "tests/adapter/cli/fake_operations.h"
#include "tests/parquet_reader.h"
#include "tests/temporary_folder.h"

namespace patra::adapter::cli::ledger_command_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr Duration kHour = std::chrono::hours(1);
const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class LedgerCommands : public ::testing::Test {
 protected:
  LedgerCommand Command(LedgerKind kind, const std::string& id = "") {
    return {.kind = kind, .id = id};
  }
  std::string Out() { return std::exchange(out_, std::ostringstream()).str(); }
  std::string Err() { return std::exchange(err_, std::ostringstream()).str(); }

  int Verify(const VerifyCommand& command) {
    const auto verification = app::MakeVerification(read_.completeness(), clock_);
    const auto open = [&] {
      return std::shared_ptr<app::Operations>(std::shared_ptr<void>(), &operations_);
    };
    return RunVerify(command, *verification, open, console_);
  }

  FakeStore store_;
  FakeReadSide read_{store_};
  FakeCorrections corrections_{store_};
  FakeOperations operations_;
  const domain::Actor anna_{.name = "anna"};
  VirtualClock clock_{kStart + 48 * kHour};
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{.out = out_, .err = err_, .in = in_};
};

TEST_F(LedgerCommands, AListIsATableForPeopleAndAnObjectALineForMachines) {
  store_.plans = {{.id = 7, .scope = {"demo", "items", "HARVEST"}, .status = "READY"},
                  {.id = 6, .scope = {"demo", "items", "HARVEST"}, .status = "COMPLETED"}};
  auto command = Command(LedgerKind::kPlan);
  EXPECT_EQ(RunLedgerList(command, read_.ledger(), console_), 0);
  EXPECT_THAT(Out(), HasSubstr("demo/items"));
  command.as_json = true;
  EXPECT_EQ(RunLedgerList(command, read_.ledger(), console_), 0);
  const auto json = Out();
  EXPECT_EQ(std::ranges::count(json, '\n'), 2);
  EXPECT_THAT(json, HasSubstr(R"("id":"7")"));
}

TEST_F(LedgerCommands, EveryKindHasAListAShowAndATimeline) {
  const contract::Scope scope{"demo", "items", "HARVEST"};
  store_.plans = {{.id = 2, .trigger = 1, .scope = scope, .status = "READY"}};
  store_.triggers = {{.id = 1, .scope = scope, .type = "MANUAL"}};
  store_.slices = {{.id = 3, .plan = 2, .task = 4, .scope = scope, .status = "FAILED"}};
  store_.tasks = {{.id = 4, .plan = 2, .slice = 3, .scope = scope, .status = "FAILED"}};
  store_.runs = {{.id = 5, .task = 4, .plan = 2, .scope = scope, .status = "FAILED"}};
  store_.batches = {{.id = 6, .run = 5, .scope = scope, .status = "FAILED"}};
  store_.cursors = {{.id = 8, .scope = scope, .type = "TIME", .value = "x"}};
  const std::pair<LedgerKind, const char*> kinds[] = {
      {LedgerKind::kPlan, "2"}, {LedgerKind::kSlice, "3"}, {LedgerKind::kTask, "4"},
      {LedgerKind::kRun, "5"},  {LedgerKind::kBatch, "6"}, {LedgerKind::kCursor, "8"}};
  for (const auto& [kind, id] : kinds) {
    EXPECT_EQ(RunLedgerList(Command(kind), read_.ledger(), console_), 0) << Name(kind);
    EXPECT_EQ(RunLedgerShow(Command(kind, id), read_.ledger(), console_), 0) << Name(kind);
    EXPECT_THAT(Out(), HasSubstr("demo")) << Name(kind);
    EXPECT_EQ(RunLedgerTimeline(Command(kind, id), read_.ledger(), console_), 0) << Name(kind);
    EXPECT_EQ(RunLedgerShow(Command(kind, "99"), read_.ledger(), console_), 1) << Name(kind);
    EXPECT_EQ(RunLedgerShow(Command(kind, "x"), read_.ledger(), console_), 78) << Name(kind);
  }
}

TEST_F(LedgerCommands, ABatchIsAPageThatTellsWhatWasAskedWhatCameAndWhatWasMadeOfIt) {
  const contract::Scope scope{"demo", "items", "HARVEST"};
  store_.plans = {{.id = 2, .scope = scope, .fingerprint = "f1"}};
  store_.slices = {{.id = 3,
                    .plan = 2,
                    .scope = scope,
                    .window = contract::Stretch{kStart, kStart + kHour},
                    .expr_hash = "e1",
                    .signature = "s1"}};
  store_.batches = {
      {.id = 6,
       .run = 5,
       .slice = 3,
       .plan = 2,
       .scope = scope,
       .number = 4,
       .page = 4,
       .after = R"({"page":5})",
       .status = "FAILED",
       .error = "HTTP 429",
       .error_level = "L1",
       .request_digest =
           R"({"headers":["Accept: a/b"],"method":"GET","query":{"page":"4"},"urlTemplate":"https://x/items"})",
       .response_digest =
           R"({"firstBytes":"slow down, ‹fuse.reset demo›\nplease","headerHints":{"retryAfter":"60"},)"
           R"("parked":{"decision":"REJECT","limitKey":"demo","reason":"COOL_DOWN","waitMs":0},)"
           R"("quota":{"limit":100,"remaining":12},)"
           R"("rate":{"burst":1,"cooldownUntil":"2026-01-01T00:01:00Z","decision":"WAIT","limitKey":"demo",)"
           R"("r":1.5,"reason":"PACE","share":0.5,"waitMs":1200},"status":429})",
       .stats =
           R"({"429Count":2,"backoffTotalMs":700,"decisions":[{"decision":"UPDATE","from":{"updatedAt":"T1"},)"
           R"("id":"rec-1","to":{"updatedAt":"T2"}}],"demoteEvents":1,"errors":[{"at":"T0","backoffMs":700,)"
           R"("batchNo":4,"level":"L1","reason":"HTTP 429","status":429}],"inserted":2,"itemsCount":3,)"
           R"("latencyMs":48,"reqCount":3,"retryCount":2,"selfHealing":{"circuitOpen":false,)"
           R"("qpsDownshift":true},"updated":1,"waitTotalMs":1200})",
       .created_at = kStart,
       .committed_at = kStart + kHour}};
  store_.events = {{.id = 9,
                    .key = "updated_at",
                    .direction = "FORWARD",
                    .after = "later",
                    .remarks = R"({"batchNo":4,"lateArrival":3,"reason":"HARVEST"})"},
                   {.id = 10, .key = "other", .remarks = R"({"batchNo":5})"}};
  for (const auto* id : {"6", "5/4"}) {
    EXPECT_EQ(RunLedgerShow(Command(LedgerKind::kBatch, id), read_.ledger(), console_), 0) << id;
    const auto page = Out();
    for (const auto* part :
         {"batch 4 of run 5: FAILED L1",
          "HTTP 429",
          "GET https://x/items?page=4",
          "Accept: a/b",
          "HTTP 429 after 48 ms",
          "slow down,",
          "please",
          "WAIT at demo after 1,200 ms for PACE",
          "1.5 requests a second, 1 at once; 0.5 of what is configured",
          "until 2026-01-01T00:01:00Z",
          "REJECT at demo",
          "12 of 100 left",
          "3, 2 retries, 2 times told to slow down",
          "1,200 ms for permits, 700 ms between tries",
          "the rate went down ×1",
          "3, 2 inserted, 1 updated",
          "rec-1",
          "UPDATE",
          "T1",
          "T2",
          "qpsDownshift",
          R"({"page":5})",
          "f1",
          "e1",
          "s1",
          R"(FORWARD none → later {"batchNo":4,"lateArrival":3,"reason":"HARVEST"})"}) {
      EXPECT_THAT(page, HasSubstr(part)) << page;
    }
    EXPECT_THAT(page, Not(HasSubstr("circuitOpen")));
    EXPECT_THAT(page, Not(HasSubstr("‹fuse.reset"))) << "a provider names nobody's next step";
    EXPECT_THAT(page, Not(HasSubstr("other"))) << "that another batch led to";
  }
  EXPECT_EQ(RunLedgerShow(Command(LedgerKind::kBatch, "5/3"), read_.ledger(), console_), 1);

  auto command = Command(LedgerKind::kBatch, "5/4");
  command.as_json = true;
  EXPECT_EQ(RunLedgerShow(command, read_.ledger(), console_), 0);
  const auto json = ParseJson(Out());
  ASSERT_TRUE(json);
  EXPECT_EQ(*json->Find("signature"), Value("s1"));
  EXPECT_EQ(*json->Find("request")->Find("method"), Value("GET"));
  EXPECT_EQ(json->Find("cursorEvents")->AsArray()->size(), 1u);
}

TEST_F(LedgerCommands, AFailedTaskIsShownWithTheCommandThatQueuesItAgain) {
  store_.tasks = {{.id = 4, .slice = 3, .status = "FAILED", .last_error = "connection reset"}};
  EXPECT_EQ(RunLedgerShow(Command(LedgerKind::kTask, "4"), read_.ledger(), console_), 0);
  EXPECT_THAT(Out(), HasSubstr("connection reset"));
  EXPECT_THAT(err_.str(), HasSubstr("patra task requeue 4 --reason WHY"));
  auto command = Command(LedgerKind::kTask, "4");
  command.reason = "the provider is back";
  EXPECT_EQ(RunTaskRequeue(command, corrections_, anna_, console_), 0);
  EXPECT_EQ(corrections_.requeued, 4);
  EXPECT_EQ(corrections_.reason, "the provider is back");
}

TEST_F(LedgerCommands, ATimelineIsInTheOrderOfTimeAndOfCauses) {
  store_.runs = {{.id = 5,
                  .task = 4,
                  .plan = 2,
                  .attempt = 1,
                  .status = "SUCCEEDED",
                  .started_at = kStart,
                  .finished_at = kStart + kHour}};
  store_.batches = {
      {.id = 6,
       .number = 1,
       .status = "SUCCEEDED",
       .records = 100,
       .response_digest =
           R"({"bytes":34120,"status":200,"rate":{"reason":"COOL_DOWN","waitMs":12}})",
       .stats = R"({"inserted":90,"unchanged":10,"latencyMs":48})",
       .committed_at = kStart + kHour}};
  store_.events = {{.id = 9, .key = "updated_at", .after = "later", .at = kStart + kHour}};
  EXPECT_EQ(RunLedgerTimeline(Command(LedgerKind::kRun, "5"), read_.ledger(), console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("100 records (90 new, 0 updated, 10 unchanged)"));
  EXPECT_THAT(text, HasSubstr("34120 bytes, 48 ms, waited 12 ms (COOL_DOWN)"));
  EXPECT_LT(text.find("run opened"), text.find("batch SUCCEEDED"));
  EXPECT_LT(text.find("batch SUCCEEDED"), text.find("run SUCCEEDED"));
  EXPECT_LT(text.find("run SUCCEEDED"), text.find("cursor moved"));
}

TEST_F(LedgerCommands, APlanShowsWhereItsValuesCameFrom) {
  store_.origins = {{"window.safety_lag", "2h", "source", "sources/demo.yaml:16:15"}};
  auto command = Command(LedgerKind::kPlan, "2");
  command.origins = true;
  EXPECT_EQ(RunLedgerShow(command, read_.ledger(), console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("window.safety_lag"));
  EXPECT_THAT(text, HasSubstr("sources/demo.yaml:16:15"));
}

TEST_F(LedgerCommands, ACursorThatIsSetIsShownBeforeAndAfter) {
  store_.cursors = {{.id = 8, .scope = {"demo", "items", "HARVEST"}, .value = "old"}};
  auto command = Command(LedgerKind::kCursor, "demo/items");
  command.value = "2026-01-01";
  command.reason = "read it again";
  EXPECT_EQ(RunCursorSet(command, corrections_, anna_, console_), 0);
  EXPECT_THAT(Out(), HasSubstr("old → 2026-01-01"));
  EXPECT_EQ(corrections_.reason, "read it again");
}

TEST_F(LedgerCommands, StatusTellsLagWaitsHoldsAndWhatIsBroken) {
  store_.status = {
      .now = kStart + 48 * kHour,
      .endpoints = {{.source = "demo",
                     .endpoint = "items",
                     .watermark = kStart,
                     .queued = 3,
                     .parked = {{"QUOTA", kStart + 60 * kHour, 2}},
                     .slices_failed = 1,
                     .last_run = contract::RunRow{.id = 5, .status = "FAILED", .error = "reset"}}},
      .holds = {{.is_fuse = true,
                 .source = "demo",
                 .endpoint = "*",
                 .reason = "401",
                 .by = "patra",
                 .since = kStart}}};
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("2d"));
  EXPECT_THAT(text, HasSubstr("2 tasks for QUOTA, until 2026-01-03T12:00:00Z"));
  EXPECT_THAT(text, HasSubstr("patra fuse reset demo"));
  EXPECT_THAT(text, HasSubstr("patra verify demo/items"));
  EXPECT_EQ(RunStatus(true, read_.status(), clock_, console_), 0);
  EXPECT_THAT(Out(), HasSubstr(R"("lagSeconds":172800)"));
}

TEST_F(LedgerCommands, StatusSaysWhetherRecordsAreAsFreshAsPromised) {
  const auto now = kStart + 48 * kHour;
  const contract::Freshness kept{.within = std::chrono::days(30), .oldest = now - 24 * kHour};
  const contract::Freshness broken{.within = kHour, .oldest = kStart, .overdue = 7};
  store_.status = {.now = now,
                   .endpoints = {{.source = "demo", .endpoint = "kept", .freshness = kept},
                                 {.source = "demo", .endpoint = "broken", .freshness = broken},
                                 {.source = "demo", .endpoint = "none"}}};
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("demo/kept: every record was looked at within 30d, the oldest 1d"));
  EXPECT_THAT(text,
              HasSubstr("demo/broken: 7 records were not looked at within 1h, the oldest 2d"));
  EXPECT_THAT(text, HasSubstr("patra update demo/broken --stale"));
  EXPECT_EQ(RunStatus(true, read_.status(), clock_, console_), 0);
  const auto json = Out();
  EXPECT_THAT(json, HasSubstr(R"("freshness":{"oldestLook":"2026-01-01T00:00:00Z","overdue":7,)"
                              R"("withinSeconds":3600})"));
  EXPECT_THAT(json, HasSubstr(R"("freshness":null)"));
}

TEST_F(LedgerCommands, StatusSaysWhichStoresUseTheSameCredentialWithAGateOfTheirOwn) {
  store_.status = {.now = kStart + 2 * kHour,
                   .shared_credentials = {{"demo#KEY", "/home/me/other.db", "d#K", kStart},
                                          {"demo#KEY", "", "other#KEY", kStart}}};
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("demo#KEY: /home/me/other.db sends with it, too, last 2h ago"));
  EXPECT_THAT(text, HasSubstr("a gate of its own: their requests add up"));
  EXPECT_THAT(text, HasSubstr("demo#KEY: other#KEY is the same credential, last used 2h ago"));
  EXPECT_EQ(RunStatus(true, read_.status(), clock_, console_), 0);
  EXPECT_THAT(Out(), HasSubstr(R"("sharedCredentials":[{"credential":"demo#KEY")"));
  store_.status = {.now = kStart, .sharing_unknown = "nobody can tell"};
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  EXPECT_THAT(Out(), HasSubstr("shared   nobody can tell"));
}

TEST_F(LedgerCommands, StatusSaysThatAWatermarkLiesAfterNowAndHowToPutItRight) {
  store_.status = {
      .now = kStart,
      .endpoints = {{.source = "demo", .endpoint = "ahead", .watermark = kStart + 5 * kHour},
                    {.source = "demo", .endpoint = "fine", .watermark = kStart}}};
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("demo/ahead: the watermark lies 5h after now"));
  EXPECT_THAT(text, HasSubstr("patra cursor set demo/ahead TIME --reason WHY"));
  EXPECT_EQ(text.find("demo/fine: the watermark"), std::string::npos);
}

TEST_F(LedgerCommands, StatusOfAnEmptyStoreSaysHowToBegin) {
  EXPECT_EQ(RunStatus(false, read_.status(), clock_, console_), 0);
  EXPECT_THAT(Out(), HasSubstr("patra source list"));
}

TEST_F(LedgerCommands, VerifyIsGreenOnlyWhenProven) {
  const VerifyCommand request{.request = {.target = "demo/items"}};
  EXPECT_EQ(Verify(request), 1) << "nothing was planned";

  store_.planned = contract::Stretch{kStart, kStart + kHour};
  store_.proven = {*store_.planned};
  store_.slices = {{.id = 3,
                    .plan = 2,
                    .task = 4,
                    .status = "SUCCEEDED",
                    .window = store_.planned,
                    .sums = {.announced = 1, .received = 1, .inserted = 1}}};
  EXPECT_EQ(Verify(request), 0);
  EXPECT_THAT(Out(), HasSubstr("demo/items: complete\n"));

  store_.quarantine_open = 2;
  EXPECT_EQ(Verify(request), 10);
  EXPECT_THAT(Out(), HasSubstr("2 records in quarantine"));

  store_.proven.clear();
  store_.slices[0].status = "FAILED";
  store_.slices[0].gap = "stopped at page 3";
  EXPECT_EQ(Verify(request), 1);
  const auto text = Out();
  EXPECT_THAT(text, HasSubstr("stopped at page 3"));
  EXPECT_THAT(text, HasSubstr("patra task requeue 4"));
}

TEST_F(LedgerCommands, ARepairSaysWhatItTriesAgainWhatItGaveUpAndWhatHoldsItBack) {
  const VerifyCommand request{.request = {.target = "demo/items"}, .repair = true};
  store_.planned = contract::Stretch{kStart, kStart + kHour};
  operations_.repair = {.is_needed = true,
                        .slices = 2,
                        .tried_again = 3,
                        .given_up = {{.task = 77,
                                      .window = *domain::Window::Between(kStart, kStart + kHour),
                                      .tries = 3,
                                      .reason = "HTTP 500"}}};
  EXPECT_EQ(Verify(request), 1);
  auto said = Err();
  EXPECT_THAT(said, HasSubstr("planned 2 slices for the gaps, tries 3 again"));
  EXPECT_THAT(said, HasSubstr("tried 3 times: HTTP 500"));
  EXPECT_THAT(said, HasSubstr("patra task requeue 77 --reason WHY"));

  operations_.repair.held = app::Planned{.kind = app::Planned::Kind::kHeld,
                                         .reason = "demo/items is paused: 400",
                                         .hint = "patra source resume demo/items"};
  EXPECT_EQ(Verify(request), 1);
  said = Err();
  EXPECT_THAT(said, HasSubstr("nothing is planned: demo/items is paused: 400"));
  EXPECT_THAT(said, HasSubstr("next: patra source resume demo/items"));
}

TEST_F(LedgerCommands, VerifyTakesARangeAndRefusesNonsense) {
  store_.planned = contract::Stretch{kStart, kStart + kHour};
  EXPECT_EQ(Verify({.request = {.target = "demo", .from = "2026-01-01", .to = "2026-01-02"},
                    .as_json = true}),
            1);
  EXPECT_THAT(Out(),
              HasSubstr(R"("range":{"from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z"})"));
  EXPECT_EQ(Verify({.request = {.target = "demo", .from = "yesterdayish"}}), 78);
}

TEST_F(LedgerCommands, ACellThatBreaksTheLineIsNoRowOfItsOwn) {
  store_.plans = {{.id = 7, .scope = {"demo", "x\n8  demo", "HARVEST"}, .status = "READY"}};
  EXPECT_EQ(RunLedgerList(Command(LedgerKind::kPlan), read_.ledger(), console_), 0);
  const auto text = Out();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
}

class ItemCommands : public LedgerCommands {
 protected:
  static std::string ContentOf(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  ItemCommands() {
    for (const auto* id : {"a", "b", "c", "d", "e"}) {
      store_.items.push_back({.source = "demo",
                              .endpoint = "items",
                              .id = id,
                              .updated_at = kStart,
                              .fields = R"({"title":"one, two","year":1999})",
                              .batch = 6});
    }
    store_.fields = {{"title"}, {"year"}};
  }
};

TEST_F(ItemCommands, ExportWritesEveryPage) {
  EXPECT_EQ(RunItemsExport({}, read_, clock_, console_), 0);
  const auto text = Out();
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_THAT(
      text,
      HasSubstr(R"({"endpoint":"items","fields":{"title":"one, two","year":1999},"id":"a",)"));
}

TEST_F(ItemCommands, ExportAsCsvHasAHeaderAndQuotes) {
  EXPECT_EQ(RunItemsExport({.format = "csv"}, read_, clock_, console_), 0);
  const auto text = Out();
  EXPECT_THAT(
      text, ::testing::StartsWith("source,endpoint,id,updatedAt,deletedAt,mergedInto,title,year\r\n"
                                  "demo,items,a,2026-01-01T00:00:00Z,,,\"one, two\",1999\r\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
}

TEST_F(ItemCommands, ExportToAFileIsThereAsAWholeOrNotAtAll) {
  testing::TemporaryFolder folder;
  const auto path = folder.Path("out.jsonl");
  EXPECT_EQ(RunItemsExport({.out = path}, read_, clock_, console_), 0);
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);

  store_.items.back().fields = "broken";
  const auto other = folder.Path("other.csv");
  EXPECT_EQ(RunItemsExport({.format = "csv", .out = other}, read_, clock_, console_), 1);
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.Path("")), {}), 1);
  EXPECT_EQ(RunItemsExport({.out = folder.Path("no/such/folder")}, read_, clock_, console_), 78);
}

TEST_F(ItemCommands, ExportAsParquetHasTypedColumns) {
  testing::TemporaryFolder folder;
  store_.fields = {{"title", contract::FieldKind::kText}, {"year", contract::FieldKind::kInteger}};
  const auto path = folder.Path("out.parquet");
  EXPECT_EQ(RunItemsExport({.format = "parquet", .out = path}, read_, clock_, console_), 0);
  const auto read = testing::ReadParquet(ContentOf(path));
  EXPECT_EQ(read.rows, 5);
  EXPECT_EQ(read["year"].physical, 2) << "INT64";
  EXPECT_EQ(read["year"].values.at(4), "1999");
}

TEST_F(ItemCommands, AColumnWhoseTypeDoesNotHoldAValueIsTextAndSaysSo) {
  testing::TemporaryFolder folder;
  store_.fields = {{"title", contract::FieldKind::kText}, {"year", contract::FieldKind::kInteger}};
  store_.items[3].fields = R"({"title":"t","year":"about 1999"})";
  const auto path = folder.Path("out.parquet");
  EXPECT_EQ(RunItemsExport({.format = "parquet", .out = path}, read_, clock_, console_), 0);
  EXPECT_THAT(Err(), HasSubstr("'year' of 'd' is '\"about 1999\"'"));
  const auto read = testing::ReadParquet(ContentOf(path));
  EXPECT_THAT(read["year"].values,
              ::testing::ElementsAre("1999", "1999", "1999", "about 1999", "1999"));

  std::ostringstream pipe;
  console_.exact = &pipe;
  EXPECT_EQ(RunItemsExport({.format = "parquet"}, read_, clock_, console_), 1)
      << "what has gone through a pipe cannot be begun anew";
  EXPECT_THAT(Err(), HasSubstr("--out FILE"));
}

TEST_F(ItemCommands, ParquetGoesThroughAPipeByteForByteAndToNoTerminal) {
  EXPECT_EQ(RunItemsExport({.format = "parquet"}, read_, clock_, console_), 78);
  EXPECT_THAT(Err(), HasSubstr("terminal"));
  std::ostringstream pipe;
  console_.exact = &pipe;
  EXPECT_EQ(RunItemsExport({.format = "parquet"}, read_, clock_, console_), 0);
  EXPECT_EQ(testing::ReadParquet(pipe.str()).rows, 5);
  EXPECT_EQ(Out(), "");
}

TEST_F(ItemCommands, TheNextCommandIsQuotedForTheShell) {
  store_.items = {{.source = "demo", .endpoint = "items", .id = "x'; reboot #", .fields = "{}"}};
  EXPECT_EQ(RunItemsShow({.id = store_.items[0].id}, read_, console_), 0);
  EXPECT_THAT(Err(), HasSubstr("patra items why 'x'\\''; reboot #'\n"));
  store_.items[0].id = "-rf";
  EXPECT_EQ(RunItemsShow({.id = "-rf"}, read_, console_), 0);
  EXPECT_THAT(Err(), HasSubstr("patra items why -- -rf\n"));
}

TEST_F(ItemCommands, TheFiltersReachTheStore) {
  ItemsCommand command{.filter = {.source = "demo", .id_prefix = "10.1"},
                       .updated_from = "2026-01-01",
                       .updated_to = "2026-01-02"};
  EXPECT_EQ(RunItemsList(command, read_, clock_, console_), 0);
  EXPECT_EQ(store_.asked_items.id_prefix, "10.1");
  EXPECT_EQ(store_.asked_items.updated_to, kStart + 24 * kHour);
  command.updated_from = "soon";
  EXPECT_EQ(RunItemsList(command, read_, clock_, console_), 78);
}

TEST_F(ItemCommands, WhyLeadsFromTheRecordToTheTrigger) {
  store_.batches = {{.id = 6,
                     .run = 5,
                     .task = 4,
                     .slice = 3,
                     .plan = 2,
                     .status = "SUCCEEDED",
                     .request_digest = R"({"url":"https://x/works?page=1"})"}};
  store_.runs = {{.id = 5, .status = "SUCCEEDED"}};
  store_.tasks = {{.id = 4, .status = "SUCCEEDED"}};
  store_.slices = {{.id = 3, .status = "SUCCEEDED"}};
  store_.plans = {{.id = 2, .trigger = 1}};
  store_.triggers = {{.id = 1, .type = "SCHEDULE"}};
  EXPECT_EQ(RunItemsWhy({.id = "a"}, read_, console_), 0);
  const auto text = Out();
  for (const auto* part :
       {"batch", "https://x/works?page=1", "run", "task", "slice", "plan", "SCHEDULE"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, HasSubstr("1 of the newest 100 pages name it"));

  store_.batches.clear();
  EXPECT_EQ(RunItemsWhy({.id = "a"}, read_, console_), 0) << "archived lineage is no error";
  EXPECT_THAT(Out(), HasSubstr("not in the ledger any more"));
}

TEST_F(ItemCommands, AnIdThatSeveralSourcesHaveMustBeNarrowed) {
  store_.items.push_back({.source = "other", .endpoint = "items", .id = "a", .fields = "{}"});
  EXPECT_EQ(RunItemsShow({.id = "a"}, read_, console_), 1);
  EXPECT_THAT(err_.str(), HasSubstr("demo/items, other/items"));
  EXPECT_EQ(RunItemsShow({.filter = {.source = "other"}, .id = "a"}, read_, console_), 0);
  EXPECT_EQ(RunItemsShow({.id = "nobody"}, read_, console_), 1);
}

}  // namespace patra::adapter::cli::ledger_command_test
