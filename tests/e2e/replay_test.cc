// Batches once more, against the simulator: an unchanged world agrees, a changed one is told, and nothing is written
// that nobody asked for (I13).
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plan/planner.h"
#include "app/quarantine/decide_quarantine.h"
#include "app/work/run_operation.h"
#include "base/hash.h"
#include "infra/sql/quarantine_repository.h"
#include "infra/sql/registry.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"

namespace patra::replay_test {

using app::RecordDifference;
using app::ReplayMode;
using app::ReplayVerdict;
using std::chrono::days;
using ::testing::HasSubstr;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

struct BatchKey {
  Id run = 0;
  Id batch = 0;
};

class ReplayWorld : public testing::SimWorld {
 protected:
  void StartWith(const std::string& endpoint) {
    Start({.seed = 5, .size = 500, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    spec_ = testing::SimRest(endpoint, simulator_->url(), kBegin);
    spec_.window.width = spec_.window.width_max = days(20);
    spec_.retry.circuit_failures_max = 10;  // batches are to fail, and not to wait for the breaker
    if (spec_.paging.style != domain::PagingStyle::kTime) spec_.paging.size = 20;
    if (spec_.details) spec_.details->id_batch_size = 20;
  }

  app::WorkSummary Harvest() {
    const auto summary = testing::Harvest(*engine_, {.spec = spec_}, {.workers = 0});
    EXPECT_TRUE(summary) << summary.error().Describe();
    return summary ? summary->work : app::WorkSummary{};
  }

  std::vector<BatchKey> Batches(const std::string& where) {
    const auto sql = "SELECT run_id, id FROM ing_task_run_batch WHERE " + where + " ORDER BY id";
    auto found = testing::DatabaseOf(engine_->store())
                     .Read([&](infra::sql::Session& connection) -> Result<std::vector<BatchKey>> {
                       std::vector<BatchKey> keys;
                       auto rows = PATRA_TRY(connection.Query(sql));
                       while (PATRA_TRY(rows.Next()))
                         keys.push_back({rows.Integer("run_id"), rows.Integer("id")});
                       return keys;
                     });
    EXPECT_TRUE(found) << found.error().Describe();
    return found.value_or(std::vector<BatchKey>{});
  }

  Result<app::ReplayReport> Replay(const BatchKey& key, ReplayMode mode = ReplayMode::kReport,
                                   bool from_raw = false) {
    return engine_->replay().Run({.run = key.run,
                                  .batch = key.batch,
                                  .mode = mode,
                                  .from_raw = from_raw,
                                  .decision = {{"anna"}, "to see what comes"}});
  }

  // Everything that is in the store. The rate gate, which pays for the requests, has its own account, and a server its marks of
  // what was committed.
  std::string StoreHash() {
    const auto hash =
        testing::DatabaseOf(engine_->store())
            .Read([&](infra::sql::Session& session) -> Result<std::string> {
              Sha256Stream all;
              const auto tables = PATRA_TRY(
                  TextsOf(session, stores_.are_on_a_server() ? kTablesOfAServer : kTablesOfAFile));
              for (const auto& table : tables) {
                all.Append(table);
                PATRA_TRY(AppendTable(session, table, all));
              }
              return all.FinishHex();
            });
    EXPECT_TRUE(hash) << hash.error().Describe();
    return hash.value_or("");
  }

 private:
  static constexpr const char* kTablesOfAFile =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
      "AND name <> 'ing_gate' ORDER BY name";
  static constexpr const char* kTablesOfAServer =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
      "AND table_type = 'BASE TABLE' AND table_name NOT IN ('ing_gate', 'patra_commit') "
      "ORDER BY table_name";

  static Result<std::vector<std::string>> TextsOf(infra::sql::Session& session,
                                                  const std::string& sql) {
    std::vector<std::string> texts;
    auto rows = PATRA_TRY(session.Query(sql));
    while (PATRA_TRY(rows.Next())) texts.push_back(rows.Text(infra::sql::kOnly));
    return texts;
  }

  Result<void> AppendTable(infra::sql::Session& session, const std::string& table,
                           Sha256Stream& all) {
    const auto names = PATRA_TRY(TextsOf(
        session, stores_.are_on_a_server()
                     ? fmt::format("SELECT column_name FROM information_schema.columns WHERE "
                                   "table_schema = DATABASE() AND table_name = '{}'",
                                   table)
                     : fmt::format("SELECT name FROM pragma_table_info('{}')", table)));
    std::string columns;
    for (const auto& name : names)
      columns += fmt::format("{}quote(\"{}\")", columns.empty() ? "" : " || ',' || ", name);
    for (const auto& row :
         PATRA_TRY(TextsOf(session, fmt::format("SELECT {} FROM {} ORDER BY 1", columns, table))))
      all.Append(row);
    return {};
  }

 protected:
  domain::SpecSnapshot spec_;
};

class ReplayOfEveryStyle : public ReplayWorld, public ::testing::TestWithParam<const char*> {};

TEST_P(ReplayOfEveryStyle, AgreesInAnUnchangedWorldAndWritesNothing) {
  StartWith(GetParam());
  EXPECT_EQ(Harvest().failed, 0);
  const auto batches = Batches("status_code = 'SUCCEEDED'");
  ASSERT_GT(batches.size(), 3u);
  const auto before = StoreHash();
  int asked = 0;
  for (const auto& key : batches) {
    const auto from_raw = Replay(key, ReplayMode::kReport, true);
    ASSERT_TRUE(from_raw) << from_raw.error().Describe();
    EXPECT_EQ(from_raw->verdict, ReplayVerdict::kAgrees) << from_raw->reason;
    EXPECT_TRUE(from_raw->is_same_body());

    const auto report = Replay(key);
    if (!report) {
      EXPECT_EQ(std::string(GetParam()), "by-scroll") << report.error().Describe();
      EXPECT_THAT(report.error().message, HasSubstr("cannot be sent twice"));
      EXPECT_THAT(report.error().hint, HasSubstr("‹wish.from_raw›"));
      continue;
    }
    ++asked;
    EXPECT_EQ(report->verdict, ReplayVerdict::kAgrees) << report->reason;
    EXPECT_TRUE(report->is_same_request()) << report->recorded.request << "\n"
                                           << report->got.request;
    EXPECT_EQ(report->got.status, 200);
    EXPECT_EQ(report->same, report->got.records);
    if (std::string(GetParam()) != "by-scroll") {
      EXPECT_EQ(report->got.body_hash, report->recorded.body_hash);
    }
    const bool is_detail = report->position.starts_with("details");
    const bool leads_to_details = report->recorded.next.starts_with("details");
    if (!is_detail && !leads_to_details && std::string(GetParam()) != "by-scroll") {
      EXPECT_EQ(report->got.next, report->recorded.next) << "batch " << report->batch_no;
    }
  }
  EXPECT_GT(asked, 0);
  EXPECT_EQ(StoreHash(), before);
}

TEST_P(ReplayOfEveryStyle, NamesWhatTheProviderChangedSince) {
  StartWith(GetParam());
  Harvest();
  const auto batches = Batches("status_code = 'SUCCEEDED' AND record_count > 0");
  simulator_->Advance(days(30));
  const auto before = StoreHash();
  // What is stored is what came then: only records that come in a newer version prove that the world went on.
  std::set<std::string> named;
  for (const auto& key : batches) {
    const auto report = Replay(key);
    if (!report) continue;
    for (const auto& difference : report->differences) named.insert(difference.id);
    if (!report->differences.empty()) {
      EXPECT_NE(report->verdict, ReplayVerdict::kAgrees);
    }
  }
  EXPECT_GT(named.size(), 2u);
  EXPECT_EQ(StoreHash(), before);

  // After another harvest the store has the newer versions: what is gone has moved on.
  clock_->SleepFor(days(30));
  EXPECT_EQ(Harvest().failed, 0);
  int changed_since = 0;
  for (const auto& key : batches) {
    const auto from_raw = Replay(key, ReplayMode::kReport, true);
    ASSERT_TRUE(from_raw) << from_raw.error().Describe();
    EXPECT_EQ(from_raw->verdict, ReplayVerdict::kAgrees) << from_raw->reason;
    const auto report = Replay(key);
    if (report && report->verdict == ReplayVerdict::kChangedSince) ++changed_since;
  }
  const bool can_tell = std::string(GetParam()) != "by-ids";
  if (can_tell) {
    EXPECT_GT(changed_since, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Sim, ReplayOfEveryStyle,
                         ::testing::Values("items", "by-offset", "by-token", "by-scroll", "by-url",
                                           "by-time", "by-ids", "by-key", "total-in-header",
                                           "by-continue", "by-header"),
                         [](const auto& endpoint) {
                           std::string name = endpoint.param;
                           std::erase(name, '-');
                           return name;
                         });

class ReplayTest : public ReplayWorld, public ::testing::Test {};

TEST_F(ReplayTest, AChangedRecordIsNamedIsolatedAndApproved) {
  StartWith("by-ids");
  Harvest();
  simulator_->Advance(days(30));
  std::optional<BatchKey> changed;
  for (const auto& key : Batches("before_token IS NOT NULL AND status_code = 'SUCCEEDED'")) {
    const auto report = Replay(key);
    ASSERT_TRUE(report) << report.error().Describe();
    if (report->Count(RecordDifference::Kind::kChanged) == 0) continue;
    const bool has_gone = report->Count(RecordDifference::Kind::kGone) > 0;
    EXPECT_EQ(report->verdict, has_gone ? ReplayVerdict::kDiffers : ReplayVerdict::kChangedSince)
        << report->reason;
    EXPECT_THAT(report->reason, HasSubstr("changed"));
    EXPECT_FALSE(report->differences.back().fields.empty());
    changed = key;
  }
  ASSERT_TRUE(changed);

  const auto isolated = Replay(*changed, ReplayMode::kIsolate);
  ASSERT_TRUE(isolated) << isolated.error().Describe();
  EXPECT_EQ(isolated->isolated, isolated->Count(RecordDifference::Kind::kChanged));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine WHERE rule = 'replay' AND level_code = "
                  "'RECORD' AND status_code = 'OPEN'"),
            isolated->isolated);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_audit WHERE action = 'REPLAY_ISOLATE'"), 1);
  const auto once = StoreHash();
  EXPECT_EQ(Replay(*changed, ReplayMode::kIsolate)->isolated, 0);
  EXPECT_EQ(StoreHash(), once);

  app::CompiledSources sources;
  auto& quarantine = engine_->store().quarantine();
  app::DecideQuarantine decide(
      quarantine, sources,
      [&](const domain::Lane&) -> Result<domain::SpecSnapshot> { return spec_; });
  const auto entries = quarantine.List({.rule = "replay"}, 0, 1'000);
  ASSERT_TRUE(entries);
  for (const auto& entry : *entries) {
    EXPECT_THAT(entry.reason, HasSubstr(fmt::format("{}/{}", changed->run, changed->batch)));
    const auto approved = decide.Approve({.id = entry.id}, {{"anna"}, "seen"});
    ASSERT_TRUE(approved) << approved.error().Describe();
    EXPECT_EQ(approved->outcome, domain::Overwrite::kUpdate);
  }
  const auto after = Replay(*changed);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->Count(RecordDifference::Kind::kChanged), 0) << after->reason;
}

TEST_F(ReplayTest, ACommittedReplayBringsWhatTheFailedBatchLackedAndOnce) {
  StartWith("items");
  ASSERT_TRUE(
      simulator_->SetFaults(*ParseJson(R"({"faults":[{"kind":"server_error","probability":1}]})")));
  Harvest();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), 0);
  const auto failed = Batches("status_code = 'FAILED'");
  ASSERT_FALSE(failed.empty());
  ASSERT_TRUE(simulator_->SetFaults(Value()));
  clock_->SleepFor(std::chrono::hours(1));

  const auto reported = Replay(failed.back());
  ASSERT_TRUE(reported) << reported.error().Describe();
  EXPECT_EQ(reported->verdict, ReplayVerdict::kDiffers) << reported->reason;
  EXPECT_GT(reported->Count(RecordDifference::Kind::kNew), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), 0);

  const auto unchanged =
      "SELECT (SELECT count(*) FROM ing_task_run_batch) * 1000000 + "
      "(SELECT count(*) FROM ing_cursor_event) * 1000 + (SELECT count(*) FROM ing_coverage)";
  const auto rest = Count(unchanged);
  const auto committed = Replay(failed.back(), ReplayMode::kCommit);
  ASSERT_TRUE(committed) << committed.error().Describe();
  ASSERT_FALSE(committed->refusal) << committed->refusal->Describe();
  EXPECT_EQ(committed->committed.inserted, committed->got.records);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), committed->got.records);
  EXPECT_EQ(Count(unchanged), rest) << "no batch, no cursor moves, nothing is proven";
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_task_run WHERE is_replay = 1 AND "
                              "status_code = 'SUCCEEDED' AND json_extract(checkpoint, '$.replay') "
                              "= '{}/{}'",
                              failed.back().run, failed.back().batch)),
            1);
  EXPECT_EQ(
      Count("SELECT count(*) FROM ing_audit WHERE action = 'REPLAY_COMMIT' AND actor = 'anna' "
            "AND json_extract(details, '$.counts.new') > 0"),
      1);

  const auto once = StoreHash();
  const auto twice = Replay(failed.back(), ReplayMode::kCommit);
  ASSERT_TRUE(twice) << twice.error().Describe();
  EXPECT_EQ(twice->replay_run, 0);
  EXPECT_EQ(StoreHash(), once);

  // The task itself is none the wiser: queued again, it brings everything.
  const auto ports = engine_->plan_ports();
  const std::string open = "FROM ing_task WHERE status_code IN ('FAILED', 'PARTIAL')";
  while (Count("SELECT count(*) " + open) > 0) {
    const auto requeued =
        ports.queue.Requeue(Count("SELECT min(id) " + open), {{"anna"}, "the provider is back"});
    ASSERT_TRUE(requeued) << requeued.error().Describe();
  }
  const auto worked = engine_->work().Run({.workers = 0, .drain = true}, [](const auto&) {});
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_EQ(worked->failed, 0);
  const auto to = Count("SELECT max(normalized_instant) FROM ing_cursor");
  const auto difference = boot::CompareWithTruth(
      *simulator_, engine_->store().read().items(), kBegin, Instant(Duration(to)),
      {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "items"});
  ASSERT_TRUE(difference) << difference.error().Describe();
  EXPECT_TRUE(difference->empty()) << difference->missing << " missing";
}

TEST_F(ReplayTest, DetailsThatCouldNotBeHadAreCommittedFromTheIdsThatWereOpen) {
  StartWith("by-ids");
  ASSERT_TRUE(simulator_->SetFaults(*ParseJson(
      R"({"faults":[{"kind":"server_error","probability":1,"path":"/rest/details"}]})")));
  Harvest();
  ASSERT_TRUE(simulator_->SetFaults(Value()));
  clock_->SleepFor(std::chrono::hours(1));
  std::int64_t stored = 0;
  for (const auto& key : Batches("status_code = 'FAILED'")) {
    const auto report = Replay(key, ReplayMode::kCommit);
    ASSERT_TRUE(report) << report.error().Describe();
    EXPECT_THAT(report->position, HasSubstr("details"));
    ASSERT_FALSE(report->refusal) << report->refusal->Describe();
    EXPECT_LE(report->got.records, spec_.details->id_batch_size);
    stored += report->committed.inserted;
  }
  EXPECT_GT(stored, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), stored);
}

TEST_F(ReplayTest, BatchesOfAnUpdateAgree) {
  StartWith("by-ids");
  Harvest();
  clock_->SleepFor(std::chrono::hours(2));
  infra::definitions::YamlFiles files;
  auto ports = engine_->plan_ports();
  app::Planner planner(ports, engine_->store().registry(), files);
  app::PlanRequest request{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
  request.source.target = "sim-rest/by-ids";
  request.source.operation = domain::Operation::kUpdate;
  request.source.overrides = {"sim-rest.http.base_url=" + simulator_->url(),
                              "sim-rest.http.allow_http=true",
                              "sim-rest.window.start=" + FormatRfc3339(kBegin)};
  request.stale = "1h";
  const auto updated =
      app::RunOperation(planner, engine_->work()).Run(request, {.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(updated) << updated.error().Describe();
  const auto batches = Batches("operation_code = 'UPDATE' AND status_code = 'SUCCEEDED'");
  ASSERT_FALSE(batches.empty());
  const auto before = StoreHash();
  for (const auto& key : batches) {
    const auto report = Replay(key);
    ASSERT_TRUE(report) << report.error().Describe();
    EXPECT_EQ(report->verdict, ReplayVerdict::kAgrees) << report->reason;
    EXPECT_GT(report->same, 0);
  }
  EXPECT_EQ(StoreHash(), before);
}

TEST_F(ReplayTest, APageThatLacksRecordsIsNotCommitted) {
  StartWith("items");
  Harvest();
  simulator_->Advance(days(60));
  int refused = 0;
  const auto before = StoreHash();
  for (const auto& key : Batches("status_code = 'SUCCEEDED' AND record_count > 0")) {
    const auto report = Replay(key, ReplayMode::kCommit);
    ASSERT_TRUE(report) << report.error().Describe();
    if (!report->refusal) continue;
    EXPECT_THAT(report->refusal->hint, HasSubstr("isolate"));
    ++refused;
  }
  EXPECT_GT(refused, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine"), 0);
  if (Count("SELECT count(*) FROM ing_audit") == 0) {
    EXPECT_EQ(StoreHash(), before);
  }
}

TEST_F(ReplayTest, AProviderThatIsDownIsNoAgreement) {
  StartWith("items");
  Harvest();
  const auto before = StoreHash();
  ASSERT_TRUE(
      simulator_->SetFaults(*ParseJson(R"({"faults":[{"kind":"server_error","probability":1}]})")));
  const auto key = Batches("status_code = 'SUCCEEDED'").front();
  const auto report = Replay(key, ReplayMode::kCommit);
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_EQ(report->verdict, ReplayVerdict::kNoPage);
  EXPECT_FALSE(report->reason.empty());
  EXPECT_EQ(StoreHash(), before);
  EXPECT_EQ(Replay(key, ReplayMode::kReport, true)->verdict, ReplayVerdict::kAgrees);
}

TEST_F(ReplayTest, ABatchThatIsNotThereIsNotFound) {
  StartWith("items");
  Harvest();
  const auto keys = Batches("status_code = 'SUCCEEDED'");
  const auto report = Replay({.run = keys.front().run + 1, .batch = keys.front().batch});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(report.error().hint, HasSubstr("patra batch list"));
}

}  // namespace patra::replay_test
