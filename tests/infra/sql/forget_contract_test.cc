// What every store must do to forget a source.
#include <gmock/gmock.h>

#include "app/retention/archive_old.h"
#include "app/retention/forget_source.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::forget_contract_test {

using std::chrono::days;
using ::testing::Contains;
using ::testing::IsEmpty;
using testing::kStart;
using ::testing::SizeIs;

class ForgetContract : public testing::LedgerTest {
 protected:
  app::RetentionPorts Ports() {
    return {.store = ports_->archive(),
            .files = ports_->store().archive_files(),
            .old_rows = ports_->store().old_rows(),
            .forgetting = ports_->store().forgetting(),
            .outbox = ports_->outbox(),
            .duties = ports_->duties(),
            .ids = ids_,
            .clock = clock_,
            .log = log_,
            .stop = stop_};
  }
  Result<app::ForgetReport> Forget(const std::string& source) {
    return app::ForgetSource(Ports(), "me").Run(source, {{"anna"}, "the contract has ended"});
  }

  // Something in as many tables as can be.
  void Fill(const std::string& source, int from) {
    const auto plan = Planned(from, from + 2, source);
    ASSERT_TRUE(ports_->plans().RecordTrigger(
        {.id = plan.trigger_id, .fired_at = clock_.Now(), .lane = plan.lane}));
    for (const auto& task : Claim(10)) {
      const auto run = ports_->runs().Open(task, kFirstPage);
      auto batch = BatchOf(task, *run, {RecordOf(fmt::format("{}", task.lineage.slice), kStart)});
      batch.raw_page = app::RawPage{"text/plain", "page", clock_.Now()};
      batch.bad_records = {{.id = "bad",
                            .path = "$",
                            .rule = "json",
                            .reason = "r",
                            .bytes = fmt::format("{}", task.lineage.slice)}};
      batch.found_ids = {"x", "y"};
      batch.listed = {"x", "y"};
      batch.walked = app::WalkedPage{.memory = {}, .ids = {1}};
      batch.bad_ids = {{"y", "gone"}};
      batch.after = app::Position{.page = 2};
      const auto committed = ports_->runs().Commit(batch);
      ASSERT_TRUE(committed) << committed.error().Describe();
      auto lineage = run->lineage;
      lineage.batch = committed->next_batch;
      auto last = BatchOf(task, *run, {});
      last.lineage = lineage;
      last.batch_no = 2;
      last.before = {.page = 2};
      ASSERT_TRUE(ports_->runs().Commit(last));
      ASSERT_TRUE(
          ports_->runs().Close({.task = task,
                                .lineage = lineage,
                                .clock = domain::ClockReading{clock_.Now(), clock_.Now()}}));
    }
    ASSERT_TRUE(ports_->remaps().Begin({.lane = plan.lane, .mapping_hash = std::string(64, 'a')},
                                       {{"anna"}, "r"}));
    ASSERT_TRUE(ports_->store().rates().Add({{.minute = clock_.Now(),
                                              .key = source,
                                              .provenance = source,
                                              .endpoint = "items",
                                              .requests = 1}}));
    ASSERT_TRUE(ports_->holds().Blow({.provenance = source, .reason = "r"}, "{}"));
    ASSERT_TRUE(ports_->holds().Reset(source, "*", {{"anna"}, "r"}));
    ASSERT_TRUE(
        ports_->journal().Add({.lane = plan.lane, .saw = "{}", .did = "{}", .at = clock_.Now()}));
    ASSERT_TRUE(ports_->alerts().Raise({.key = source, .provenance = source, .message = "m"}));
    ASSERT_TRUE(ports_->signals().Add({.provenance = source,
                                       .endpoint = "items",
                                       .item_id = "1",
                                       .type = "EXTERNAL",
                                       .origin = "o"}));
    ASSERT_TRUE(ports_->adjustments().Put({.provenance = source,
                                           .endpoint = "items",
                                           .kind = app::AdjustmentKind::kPageSize,
                                           .value = 10,
                                           .reason = "r"}));
    ASSERT_TRUE(ports_->health().NoteQueues(*ports_->health().Observe({})));
  }

  // Of every table that has the source's name in a column, how many rows are its own.
  std::map<std::string, std::int64_t> RowsOf(const std::string& source) {
    std::map<std::string, std::int64_t> rows;
    const auto tables = ports_->database().Read(
        [](infra::sql::Session& session) { return infra::sql::StoredTablesOf(session); });
    EXPECT_TRUE(tables);
    for (const auto& table : *tables) {
      const auto has = [&](std::string_view column) {
        return std::ranges::find(table.columns, column, &infra::sql::StoredColumn::name) !=
               table.columns.end();
      };
      if (!table.name.starts_with("ing_") || !has("provenance_code")) continue;
      rows[table.name] = ports_->Count(
          fmt::format("SELECT count(*) FROM {} WHERE provenance_code = '{}'", table.name, source));
    }
    return rows;
  }
  std::int64_t Rows(const std::string& table) {
    return ports_->Count("SELECT count(*) FROM " + table);
  }

  app::NoLog log_;
  app::StopRequest stop_;
};
RUN_ON_EVERY_LEDGER(ForgetContract);

// Tables that have only what belongs to the rows of others.
constexpr auto kBelow = {"ing_raw_page",         "ing_enumerated_id", "ing_walk_page",
                         "ing_quarantine_place", "ing_item",          "ing_listed_item",
                         "ing_archived_batch",   "ing_queue_day"};

TEST_P(ForgetContract, NothingOfItIsLeftAndAllOfTheOthersIs) {
  Fill("demo", 0);
  Fill("other", 0);
  const auto others = RowsOf("other");
  for (const auto& [table, rows] : RowsOf("demo"))
    if (table != "ing_archive_index" && table != "ing_pause" && table != "ing_cursor_refusal" &&
        table != "ing_query") {
      EXPECT_GT(rows, 0) << table << " has to be filled, so that it is seen to be emptied";
    }
  std::map<std::string, std::int64_t> below;
  for (const auto* table : kBelow) below[table] = Rows(table);
  const auto audited = Rows("ing_audit");

  const auto report = Forget("demo");
  ASSERT_TRUE(report) << report.error().Describe();
  for (const auto& [table, rows] : RowsOf("demo")) {
    if (table == "ing_pause" || table == "ing_record_set") {
      EXPECT_EQ(rows, 1) << table;
    } else {
      EXPECT_EQ(rows, 0) << table;
    }
  }
  EXPECT_EQ(RowsOf("other"), others);
  for (const auto* table : kBelow) EXPECT_EQ(Rows(table), below[table] / 2) << table;
  EXPECT_EQ(Rows("ing_audit"), audited + 1);
  const auto holds = *ports_->holds().Holds(domain::Role::kPlanner);
  ASSERT_THAT(holds, SizeIs(1));
  EXPECT_EQ(holds[0].reason, "its data was deleted: the contract has ended");
  EXPECT_TRUE(Forget("demo")) << "there is nothing more to do";
}

TEST_P(ForgetContract, WhoHearsOfChangesMissesNoneOfTheOthers) {
  Fill("demo", 0);
  Fill("other", 0);
  const auto before = Told();
  ASSERT_THAT(before, SizeIs(4));
  ASSERT_TRUE(Forget("demo"));
  EXPECT_THAT(Told(), SizeIs(2)) << "and no gap";
}

TEST_P(ForgetContract, ItsFilesGoAsWell) {
  Fill("demo", 0);
  Fill("other", 0);
  ports_->Execute("UPDATE ing_quarantine SET status_code = 'REJECTED'");
  clock_.Advance(days(100));
  ASSERT_TRUE(
      app::ArchiveOld(Ports(), "me")
          .Run({.before = clock_.Now() - days(90)}, [](app::ArchivedKind, std::int64_t) {}));
  ASSERT_GE(backend_->archive.files().size(), 4u);
  const auto notes = Rows("ing_archived_batch");
  ASSERT_GT(notes, 0);
  const auto report = Forget("demo");
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_GE(report->files, 2);
  for (const auto& [name, bytes] : backend_->archive.files())
    EXPECT_TRUE(name.starts_with("other/")) << name;
  EXPECT_EQ(Rows("ing_archived_batch"), notes / 2);
  EXPECT_EQ(RowsOf("demo")["ing_archive_index"], 0);
}

TEST_P(ForgetContract, WhileATaskRunsNothingIsDeleted) {
  Fill("demo", 0);
  Planned(5, 6);
  const auto running = Claim(1);
  ASSERT_THAT(running, SizeIs(1));
  const auto refused = Forget("demo");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_GT(Rows("ing_item"), 0);
  EXPECT_EQ(RowsOf("demo")["ing_pause"], 0);
  EXPECT_EQ(Forget("nobody").error().code, ErrorCode::kNotFound);
}

TEST_P(ForgetContract, WhatIsQueuedIsNotWorkedAt) {
  Planned(0, 2);
  ASSERT_TRUE(Forget("demo"));
  EXPECT_THAT(Claim(10), IsEmpty());
  EXPECT_EQ(RowsOf("demo")["ing_plan"], 0);
}

// More than goes in one step of any of the tables.
TEST_P(ForgetContract, HoweverMuchThereIs) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  std::vector<domain::Record> records;
  for (int i = 0; i < 1100; ++i) records.push_back(RecordOf(fmt::format("r{}", i), kStart));
  auto batch = BatchOf(task, *run, records);
  for (int i = 0; i < 1100; ++i) batch.found_ids.push_back(fmt::format("r{}", i));
  batch.listed = batch.found_ids;
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  ASSERT_EQ(Rows("ing_enumerated_id"), 1100);
  ASSERT_EQ(Rows("ing_listed_item"), 1100);
  const auto report = Forget("demo");
  ASSERT_TRUE(report) << report.error().Describe();
  for (const auto* table : {"ing_item", "ing_enumerated_id", "ing_listed_item", "ing_plan_slice"})
    EXPECT_EQ(Rows(table), 0) << table;
}

}  // namespace patra::forget_contract_test
