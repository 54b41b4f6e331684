// What every run ledger must do: batches that happen once, items that only move forward, a watermark
// that never passes unfinished work.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/random.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::run_ledger_contract_test {

using namespace std::chrono_literals;
using testing::kHour;
using testing::kStart;

class RunLedgerContract : public testing::LedgerTest {
 protected:
  // Stores one batch in a task of its own and returns how its records fared.
  domain::RecordCounts Store(std::vector<domain::Record> records) {
    const auto hour = next_hour_++;
    Planned(hour, hour + 1);
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    const auto committed = ports_->runs().Commit(BatchOf(task, *run, std::move(records)));
    EXPECT_TRUE(committed) << committed.error().Describe();
    return committed->counts;
  }

  // One walk of one page over the slice that is claimed next.
  Result<app::SliceClosed> Walk(std::vector<domain::Record> records,
                                std::vector<domain::BadRecord> bad,
                                domain::TaskStatus status = domain::TaskStatus::kSucceeded) {
    const auto task = Claim(1).at(0);
    const auto run = PATRA_TRY(ports_->runs().Open(task, kFirstPage));
    auto batch = BatchOf(task, run, std::move(records));
    batch.bad_records = std::move(bad);
    PATRA_TRY(ports_->runs().Commit(batch));
    return ports_->runs().Close({.task = task, .lineage = run.lineage, .status = status});
  }

  std::int64_t OpenRows() {
    return ports_->Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'");
  }

 private:
  int next_hour_ = 100;
};
RUN_ON_EVERY_LEDGER(RunLedgerContract);

TEST_P(RunLedgerContract, ARunKnowsWhetherItsSnapshotEverReadAPage) {
  Planned(1, 4);
  const auto tasks = Claim(2);
  const auto first = *ports_->runs().Open(tasks.at(0), kFirstPage);
  EXPECT_TRUE(first.is_first_read);
  EXPECT_TRUE(ports_->runs().Open(tasks.at(1), kFirstPage)->is_first_read) << "none was read yet";
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(tasks.at(0), first, {RecordOf("a", kStart)})));
  const auto another = Claim(1);
  EXPECT_FALSE(ports_->runs().Open(another.at(0), kFirstPage)->is_first_read)
      << "another slice is under way with what it read";
}

TEST_P(RunLedgerContract, CountsNewUpdatedUnchangedAndStaleRecords) {
  EXPECT_EQ(Store({RecordOf("a", kStart), RecordOf("b", kStart)}).inserted, 2);
  const auto counts =
      Store({RecordOf("a", kStart + 1h, "new"), RecordOf("b", kStart), RecordOf("c", kStart)});
  EXPECT_EQ(counts.updated, 1);
  EXPECT_EQ(counts.unchanged, 1);
  EXPECT_EQ(counts.inserted, 1);
  EXPECT_EQ(Store({RecordOf("a", kStart, "old")}).stale, 1);
  EXPECT_TRUE(counts.Balances());
}

// I7 for fields that survive an empty value: all permutations of arrivals leave the same row.
TEST_P(RunLedgerContract, KeptFieldsDoNotDependOnTheOrderOfArrivals) {
  const auto kept =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"abstract", "doi"});
  const auto version = [&](int hour, const std::string& fields) {
    auto record = RecordOf("x", kStart + hour * 1h);
    record.fields = fields;
    record.version.content_hash = Sha256(fields);
    record.version.fetched_at = kStart;
    record.kept_fields = kept;
    return record;
  };
  const std::vector<domain::Record> versions{
      version(1, R"({"abstract":"first","doi":"1","title":"a"})"),
      version(2, R"({"abstract":"second","title":"b"})"), version(3, R"({"title":"c"})"),
      version(3, R"({"doi":"","title":"d"})")};
  std::vector<std::size_t> order{0, 1, 2, 3};
  int round = 0;
  do {
    for (const auto i : order) {
      auto record = versions[i];
      record.id = "x" + std::to_string(round);
      EXPECT_TRUE(Store({record, record}).Balances());
    }
    ++round;
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(
      ports_->Count("SELECT count(DISTINCT fields || hex(content_hash) || kept || updated_at) "
                    "FROM ing_item"),
      1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE "
                          "json_extract(fields, '$.abstract') = 'second' AND "
                          "json_extract(fields, '$.doi') = '1'"),
            24);
}

TEST_P(RunLedgerContract, ALateVersionThatFillsAGapCountsAsAnUpdate) {
  const auto kept =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"title"});
  auto newest = RecordOf("x", kStart + 2h);
  newest.fields = "{}";
  newest.version.content_hash = Sha256(newest.fields);
  newest.kept_fields = kept;
  auto late = RecordOf("x", kStart);
  late.kept_fields = kept;
  EXPECT_EQ(Store({newest}).inserted, 1);
  EXPECT_EQ(Store({late}).updated, 1);
  EXPECT_EQ(Store({late}).stale, 1);
  EXPECT_EQ(Store({newest}).unchanged, 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE fields = '{\"title\":\"T\"}' AND "
                          "length(content_hash) = 32 AND kept IS NOT NULL"),
            1);
}

TEST_P(RunLedgerContract, TheTableDependsOnTheVersionsAndNotOnTheirOrder) {
  SeededRandom random(11);
  std::vector<domain::Record> versions;
  for (int i = 0; i < 6; ++i) {
    auto record = RecordOf("x", kStart + (i % 3) * 1h, "title " + std::to_string(i));
    record.version.fetched_at = kStart + i * 1min;
    versions.push_back(record);
  }
  // The newest by (updated, fetched) is i = 5, whatever comes first.
  for (int round = 0; round < 10; ++round) {
    const auto id = "x" + std::to_string(round);
    for (auto i = versions.size(); i > 1; --i)
      std::swap(versions[i - 1], versions[random.Below(i)]);
    for (auto version : versions) {
      version.id = id;
      Store({version});
    }
    EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE provider_item_id = '" + id +
                            "' AND fields LIKE '%title 5%'"),
              1)
        << "round " << round;
  }
}

TEST_P(RunLedgerContract, TheSameIdTwiceInOneBatchIsOneItem) {
  const auto counts = Store({RecordOf("a", kStart, "one"), RecordOf("a", kStart + 1h, "two")});
  EXPECT_EQ(counts.received, 2);
  EXPECT_EQ(counts.inserted, 1);
  EXPECT_EQ(counts.updated, 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 1);
}

TEST_P(RunLedgerContract, IdsThatDifferInCaseOrBlanksAreDifferentItems) {
  EXPECT_EQ(Store({RecordOf("a", kStart), RecordOf("A", kStart), RecordOf("a ", kStart)}).inserted,
            3);
}

TEST_P(RunLedgerContract, ABadRecordIsKeptWithItsBytesAndItsSiblingsGoOn) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.bad_records = {
      {.path = "$.updated", .rule = "date", .reason = "not a date", .bytes = "{\"id\":\"b\"}"}};
  const auto committed = ports_->runs().Commit(batch);
  ASSERT_TRUE(committed);
  EXPECT_EQ(committed->counts.quarantined, 1);
  EXPECT_EQ(committed->counts.inserted, 1);
  EXPECT_TRUE(committed->counts.Balances());
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine WHERE rule = 'date'"), 1);
}

TEST_P(RunLedgerContract, TheEndOfARecordIsToldOnceAndOnlyWhereItIsItsEnd) {
  Planned(0, 4);
  const auto tasks = Claim(4);
  const auto ends = [&] { return std::ranges::count(Told(), "deleted a"); };
  const auto commit = [&](std::size_t number, Instant updated_at, bool is_deleted) {
    const auto run = ports_->runs().Open(tasks.at(number), kFirstPage);
    auto record = RecordOf("a", updated_at);
    record.version.deleted = is_deleted;
    ASSERT_TRUE(ports_->runs().Commit(BatchOf(tasks.at(number), *run, {record})));
  };
  commit(0, kStart + 1h, false);
  commit(1, kStart, true);
  EXPECT_EQ(ends(), 0) << "it is older than what is stored";
  commit(2, kStart + 2h, true);
  EXPECT_EQ(ends(), 1);
  clock_.Advance(1h);
  commit(3, kStart + 3h, true);
  EXPECT_EQ(ends(), 1) << "it was gone before";
}

TEST_P(RunLedgerContract, WhatABatchChangesIsToldOnceInOneMessage) {
  Planned(0, 2);
  const auto told = [&](const char* list, const char* id) { return TimesTold(list, id); };
  const auto tasks = Claim(2);
  const auto first = ports_->runs().Open(tasks.at(0), kFirstPage);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(ports_->runs().Commit(
        BatchOf(tasks.at(0), *first, {RecordOf("a", kStart), RecordOf("b", kStart)})));
  }
  const auto second = ports_->runs().Open(tasks.at(1), kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(
      BatchOf(tasks.at(1), *second, {RecordOf("a", kStart), RecordOf("b", kStart + 1s, "other")})));
  EXPECT_EQ(told("inserted", "a"), 1);
  EXPECT_EQ(told("inserted", "b"), 1);
  EXPECT_EQ(told("updated", "a"), 0) << "it was unchanged";
  EXPECT_EQ(told("updated", "b"), 1);
}

TEST_P(RunLedgerContract, CommittingABatchTwiceReadsTheOldOutcome) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  const auto first = ports_->runs().Commit(BatchOf(task, *run, {RecordOf("a", kStart)}));
  const auto again =
      ports_->runs().Commit(BatchOf(task, *run, {RecordOf("a", kStart), RecordOf("b", kStart)}));
  ASSERT_TRUE(first && again);
  EXPECT_FALSE(first->already_there);
  EXPECT_TRUE(again->already_there);
  EXPECT_EQ(again->counts, first->counts);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 1);
}

TEST_P(RunLedgerContract, ABatchThatIsThereAlreadySaysWhereItGoesOn) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart), RecordOf("b", kStart)});
  batch.after = app::Position{.page = 2, .size = 7};
  const auto first = ports_->runs().Commit(batch);
  batch.after = app::Position{.page = 9};  // the provider said something else this time
  const auto again = ports_->runs().Commit(batch);
  ASSERT_TRUE(first && again);
  EXPECT_TRUE(again->already_there);
  EXPECT_EQ(again->counts.inserted, 2);
  EXPECT_EQ(again->after, (app::Position{.page = 2, .size = 7}));
  ASSERT_NE(again->next_batch, 0);
  EXPECT_EQ(again->next_batch, first->next_batch);

  auto next = BatchOf(task, *run, {RecordOf("c", kStart)});
  next.lineage.batch = again->next_batch;
  next.batch_no = 2;
  next.before = *again->after;
  const auto last = ports_->runs().Commit(next);
  ASSERT_TRUE(last) << last.error().Describe();
  EXPECT_FALSE(last->already_there);
  EXPECT_FALSE(last->after);
  EXPECT_EQ(ports_->Count("SELECT received FROM ing_plan_slice"), 3);
}

TEST_P(RunLedgerContract, AWorkerThatLostItsLeaseCommitsNothing) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto committed = ports_->runs().Commit(BatchOf(task, *run, {RecordOf("a", kStart)}));
  EXPECT_EQ(committed.error().code, ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->runs().Close({.task = task, .lineage = run->lineage}).error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 0);
}

// The task is executing again, by somebody else: only the fence tells the two apart.
TEST_P(RunLedgerContract, AWorkerWhoseTaskWentToAnotherChangesNothing) {
  Planned(0, 1);
  const auto lost = Claim(1).at(0);
  const auto old = ports_->runs().Open(lost, kFirstPage);
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto held = Claim(1, "worker-2").at(0);
  EXPECT_EQ(ports_->runs().Open(lost, kFirstPage).error().code, ErrorCode::kLeaseLost)
      << "it is dispatched, but not to this one";
  const auto run = ports_->runs().Open(held, kFirstPage);
  ASSERT_TRUE(run) << run.error().Describe();

  // As if nobody had noticed yet that the old run is over: nothing but the fence is in its way.
  ports_->Execute("UPDATE ing_task_run SET status_code = 'RUNNING'");
  ports_->Execute("UPDATE ing_task_run_batch SET status_code = 'RUNNING'");

  EXPECT_EQ(ports_->runs().Commit(BatchOf(lost, *old, {RecordOf("a", kStart)})).error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->runs().Close({.task = lost, .lineage = old->lineage}).error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->runs()
                .GiveBack({.task = lost, .lineage = old->lineage, .again_at = clock_.Now()})
                .error()
                .code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->queue().Release(lost, clock_.Now(), "late").error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
  EXPECT_TRUE(ports_->runs().Commit(BatchOf(held, *run, {RecordOf("a", kStart)})));
  EXPECT_TRUE(ports_->runs().Close({.task = held, .lineage = run->lineage}));
}

TEST_P(RunLedgerContract, EachKeyOfABatchAloneFindsItsOldOutcome) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, {.token = "t"});
  const auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  ASSERT_TRUE(ports_->runs().Commit(batch));
  const auto is_there = [&](const app::BatchCommit& again) {
    const auto committed = ports_->runs().Commit(again);
    return committed && committed->already_there;
  };
  auto elsewhere = batch;
  elsewhere.before = {.token = "u"};
  EXPECT_TRUE(is_there(elsewhere)) << "by its number";
  ports_->Execute("UPDATE ing_task_run_batch SET batch_no = 7, before_token_hash = NULL");
  EXPECT_TRUE(is_there(batch)) << "by the idempotency key";
  ports_->Execute(
      fmt::format("UPDATE ing_task_run_batch SET idempotent_key = 'other', "
                  "before_token_hash = '{}'",
                  Sha256Hex("t")));
  EXPECT_TRUE(is_there(batch)) << "by the token";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 1);
}

TEST_P(RunLedgerContract, ABatchThatIsNotRunningCannotSucceed) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  ports_->Execute("UPDATE ing_task_run_batch SET status_code = 'FAILED'");
  EXPECT_EQ(ports_->runs().Commit(BatchOf(task, *run, {RecordOf("a", kStart)})).error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
}

TEST_P(RunLedgerContract, ACrashBetweenBatchesResumesAfterTheLastCommittedOne) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.after = app::Position{.page = 2};
  ASSERT_TRUE(ports_->runs().Commit(batch));

  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto second_task = Claim(1, "worker-2").at(0);
  const auto second = ports_->runs().Open(second_task, kFirstPage);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_TRUE(second->is_resumed);
  EXPECT_EQ(second->start, (app::Position{.page = 2}));
  EXPECT_EQ(second->so_far.inserted, 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task_run WHERE status_code = 'FAILED'"), 1);
}

TEST_P(RunLedgerContract, WhatProvesNothingIsRememberedByTheRunThatResumes) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.after = app::Position{.page = 2};
  batch.announced = 9;
  batch.filtered = 3;
  batch.outside = 2;
  batch.bad_records.push_back({.path = "page 1",
                               .rule = std::string(domain::kIsolatedByRule),
                               .reason = "a rule",
                               .bytes = "{}",
                               .is_page = true});
  const auto committed = ports_->runs().Commit(batch);
  ASSERT_TRUE(committed) << committed.error().Describe();
  EXPECT_TRUE(committed->counts.Balances());
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task_run_batch WHERE error_level = 'L3' AND "
                          "status_code = 'SUCCEEDED'"),
            1);

  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto second = ports_->runs().Open(Claim(1, "worker-2").at(0), kFirstPage);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->so_far.outside, 2);
  EXPECT_EQ(second->so_far.isolated_pages, 1);
}

// The second slice writes over what the first one brought; another plan over the same time does not count.
TEST_P(RunLedgerContract, WhatAnotherSliceOfThePlanBroughtIsCountedAndRemembered) {
  Planned(0, 3);
  const auto tasks = Claim(3);
  const auto bring = [&](const app::LeasedTask& task, Instant updated) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {RecordOf("a", updated), RecordOf("b", updated)});
    batch.are_dated = true;
    batch.after = app::Position{.page = 2};
    batch.walked = app::WalkedPage{
        .memory = {.account = {.records = 2, .digest = 1, .is_ended = true}}, .ids = {1, 2}};
    const auto committed = ports_->runs().Commit(batch);
    EXPECT_TRUE(committed) << committed.error().Describe();
    return committed ? committed->counts.elsewhere : -1;
  };
  EXPECT_EQ(bring(tasks.at(0), kStart + 30min), 0) << "nothing was there";
  EXPECT_EQ(bring(tasks.at(2), kStart + 150min), 2);
  EXPECT_EQ(ports_->Count("SELECT sum(elsewhere) FROM ing_plan_slice"), 2);

  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 3);
  const auto again = Claim(3, "worker-2");
  const auto resumed = ports_->runs().Open(again.at(2), kFirstPage);
  ASSERT_TRUE(resumed) << resumed.error().Describe();
  EXPECT_EQ(resumed->so_far.elsewhere, 2);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = again.at(2),
                                       .lineage = resumed->lineage,
                                       .status = domain::RunStatus::kPartial,
                                       .reason = "the list moved",
                                       .again_at = clock_.Now(),
                                       .start_over = true}));
  const auto second_walk = ports_->runs().Open(Claim(1, "worker-2").at(0), kFirstPage);
  ASSERT_TRUE(second_walk) << second_walk.error().Describe();
  EXPECT_EQ(second_walk->so_far.elsewhere, 0);
  ASSERT_TRUE(second_walk->walk.earlier);
  EXPECT_EQ(second_walk->walk.earlier->elsewhere, 2);
}

// A backfill over an hour that a harvest has proven.
TEST_P(RunLedgerContract, WhatComesIntoAProvenStretchIsCountedAsLateAndSaidOnTheCursorsStep) {
  const auto bring = [&](const app::LeasedTask& task, const char* id, Instant updated) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {RecordOf(id, updated)});
    batch.proven = &run->proven;
    batch.dates_tell = true;
    const auto committed = ports_->runs().Commit(batch);
    EXPECT_TRUE(committed) << committed.error().Describe();
    EXPECT_TRUE(ports_->runs().Close({.task = task,
                                      .lineage = run->lineage,
                                      .status = domain::TaskStatus::kSucceeded,
                                      .counts = committed->counts,
                                      .last_batch_no = batch.batch_no}));
    return committed->counts.late;
  };
  Planned(0, 1);
  EXPECT_EQ(bring(Claim(1).at(0), "a", kStart + 30min), 0) << "nothing was proven";
  Planned(0, 1, "demo", domain::Operation::kBackfill);
  const auto again = Claim(1).at(0);
  EXPECT_EQ(bring(again, "b", kStart + 20min), 1);
  EXPECT_EQ(ports_->Count("SELECT sum(late) FROM ing_plan_slice"), 1);
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_task_run_batch WHERE stats LIKE '%\"late\":1%'"), 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event WHERE record_remarks = "
                          "'{\"batchNo\":1,\"lateArrival\":0,\"reason\":\"HARVEST\"}'"),
            1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event WHERE record_remarks = "
                          "'{\"batchNo\":1,\"lateArrival\":1,\"reason\":\"BACKFILL\"}'"),
            1);
}

TEST_P(RunLedgerContract, WhatABatchMetAtTheGateIsPartOfItsAccount) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.evidence.sent.met = {.retry_after = 2, .slowed = 1, .soft_quota = 1};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  for (const auto* part : {R"("retryAfterHits":2)", R"("demoteEvents":1)", R"("quotaSoftHits":1)",
                           R"("quotaHardHits":0)", R"("circuitOpened":0)", R"("qpsDownshift":true)",
                           R"("pageSizeShrink":false)"}) {
    EXPECT_EQ(ports_->Count(fmt::format(
                  "SELECT count(*) FROM ing_task_run_batch WHERE stats LIKE '%{}%'", part)),
              1)
        << part;
  }
}

TEST_P(RunLedgerContract, ATokenThatNamesNoPositionStartsTheSliceOver) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, {.token = "*", .token_is_position = false});
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.after = app::Position{.token = "scroll-1", .token_is_position = false};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto second =
      ports_->runs().Open(Claim(1).at(0), {.token = "*", .token_is_position = false});
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->is_resumed);
  EXPECT_EQ(second->start.token, "*");
  EXPECT_EQ(second->so_far.received, 0);
}

TEST_P(RunLedgerContract, AResumedWalkRemembersWhatTheOneBeforeItSaw) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  EXPECT_EQ(run->walk, domain::WalkMemory{});
  domain::WalkMemory memory{.account = {.pages = 1, .rows = 2, .records = 2, .digest = ~0ull},
                            .edge = domain::WalkMemory::Edge{.at = kFirstPage, .fingerprint = 7}};
  memory.account.Announce(9);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.walked = app::WalkedPage{.memory = memory, .ids = {1, ~0ull}};
  batch.after = app::Position{.page = 2};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto second = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->is_resumed);
  EXPECT_EQ(second->walk, memory);
  EXPECT_EQ(second->walked, (std::vector<domain::PageIds>{{1, ~0ull}}));
}

TEST_P(RunLedgerContract, AWalkThatBeginsAnewIsolatesTheSameRecordOnce) {
  Planned(0, 1);
  for (int walk = 0; walk < 2; ++walk) {
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {});
    batch.bad_records = {
        {.id = "bad", .path = "$.date", .rule = "date", .reason = "r", .bytes = "{}"},
        {.path = "$.id", .rule = "required", .reason = "r", .bytes = "[1]"},
        {.path = "$.id", .rule = "required", .reason = "r", .bytes = "[1]"}};
    const auto committed = ports_->runs().Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    EXPECT_EQ(committed->counts.quarantined, 3);
    ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                         .lineage = run->lineage,
                                         .reason = "the list moved",
                                         .again_at = clock_.Now(),
                                         .start_over = true}));
  }
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine"), 3);
}

const domain::BadRecord kBad{
    .id = "bad", .path = "$.date", .rule = "date", .reason = "r", .bytes = "{}"};
const domain::BadRecord kNameless{
    .path = "$.id", .rule = "required", .reason = "r", .bytes = "[1]"};
const domain::BadRecord kPage{
    .path = "", .rule = "quarantine", .reason = "418", .bytes = "teapot", .is_page = true};

TEST_P(RunLedgerContract, AnotherPlanOverTheSameWindowMeetsTheSameAndIsolatesItOnce) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kBad, kNameless, kPage}, domain::TaskStatus::kPartial));
  Planned(0, 2, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Walk({}, {kBad, kNameless, kPage}, domain::TaskStatus::kPartial));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine"), 3);
  auto other = kBad;
  other.bytes = "{\"newer\":1}";
  ASSERT_TRUE(Walk({}, {other, kNameless, kPage}, domain::TaskStatus::kPartial));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine WHERE provider_item_id = 'bad'"), 2)
      << "another content is another row";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine"), 6)
      << "the same bytes in another hour are another page";
}

TEST_P(RunLedgerContract, ARecordThatEveryHarvestMeetsAgainHasOnePlacePerStretch) {
  for (int i = 0; i < 3; ++i) {
    auto plan = Draft(0, 1);
    plan.key += std::to_string(i);
    ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
    ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    ASSERT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
    ASSERT_TRUE(Walk({}, {kBad}));
  }
  EXPECT_EQ(OpenRows(), 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine_place"), 1);
}

TEST_P(RunLedgerContract, WhatAPersonDecidedAboutARecordHoldsAsLongAsItIsTheSame) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kBad}));
  ports_->Execute("UPDATE ing_quarantine SET status_code = 'REJECTED'");
  Planned(0, 1, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Walk({}, {kBad}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'"), 0);
}

TEST_P(RunLedgerContract, APageIsSettledOnceAllOfItsStretchIsReadWithoutIt) {
  Planned(0, 2);
  ASSERT_TRUE(Walk({}, {kPage, kNameless, kBad}, domain::TaskStatus::kPartial));
  ASSERT_TRUE(Walk({}, {kPage, kNameless}, domain::TaskStatus::kPartial));
  EXPECT_EQ(OpenRows(), 5);
  Planned(0, 1, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Walk({}, {kNameless}));
  EXPECT_EQ(OpenRows(), 4) << "the page of the first hour alone: the record came again";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'RETRIED' AND "
                          "level_code = 'BATCH'"),
            1);
}

TEST_P(RunLedgerContract, ARepairInPiecesSettlesAPageWithItsLastPiece) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kPage}, domain::TaskStatus::kPartial));
  ports_->Execute(
      "UPDATE ing_quarantine_place SET window_to = window_to + (window_to - window_from)");
  Planned(0, 2, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Walk({}, {}));
  EXPECT_EQ(OpenRows(), 1) << "the second hour may have it";
  ASSERT_TRUE(Walk({}, {}));
  EXPECT_EQ(OpenRows(), 0);
}

TEST_P(RunLedgerContract, ASliceThatIsProvenAtItsSecondTrySettlesItsOwnPage) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kPage}, domain::TaskStatus::kPartial));
  const auto task = ports_->Count("SELECT id FROM ing_task");
  ASSERT_TRUE(ports_->queue().Requeue(task, {{"me"}, "again"}));
  ASSERT_TRUE(Walk({}, {}));
  EXPECT_EQ(OpenRows(), 0);
}

TEST_P(RunLedgerContract, ASliceThatIsProvenInSpiteOfAPageKeepsIt) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kPage}));
  EXPECT_EQ(OpenRows(), 1);
}

TEST_P(RunLedgerContract, ARecordThatComesWellIsSettledWhoeverBringsIt) {
  Planned(0, 1);
  ASSERT_TRUE(Walk({}, {kBad}));
  Planned(0, 1, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Walk({RecordOf("bad", testing::kStart)}, {}));
  EXPECT_EQ(OpenRows(), 0);
}

TEST_P(RunLedgerContract, ARecordThatAListHasWellAndBadStaysOnceInQuarantine) {
  for (const auto operation : {domain::Operation::kHarvest, domain::Operation::kBackfill}) {
    Planned(0, 1, "demo", operation);
    ASSERT_TRUE(Walk({RecordOf("bad", testing::kStart)}, {kBad}));
    EXPECT_EQ(OpenRows(), 1);
  }
}

TEST_P(RunLedgerContract, AWalkThatBeginsAnewKnowsWhatTheLastWholeOneSaw) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  const domain::WalkMemory memory{
      .account = {.pages = 1, .rows = 2, .records = 2, .digest = 5, .is_ended = true}};
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.walked = app::WalkedPage{.memory = memory, .ids = {1, 2}};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run->lineage,
                                       .reason = "the list moved",
                                       .again_at = clock_.Now(),
                                       .start_over = true}));
  const auto second = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->is_resumed);
  EXPECT_EQ(second->walk.walks, 2);
  EXPECT_EQ(second->walk.earlier, memory.account);
  EXPECT_EQ(second->walk.account, domain::WalkAccount{});
  EXPECT_TRUE(second->walked.empty());
  EXPECT_EQ(ports_->Count("SELECT failures FROM ing_task"), 0) << "nobody failed";
}

TEST_P(RunLedgerContract, ATokenThatComesAgainIsACircleAndStoresNothing) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, {.token = "a"});
  auto batch = BatchOf(task, *run, {RecordOf("x", kStart)});
  batch.after = app::Position{.token = "a"};
  EXPECT_EQ(ports_->runs().Commit(batch).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
}

TEST_P(RunLedgerContract, KeysThatNameDifferentBatchesAreAnAlarm) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, {.token = "a"});
  auto first = BatchOf(task, *run, {});
  first.after = app::Position{.token = "b"};
  const auto committed = ports_->runs().Commit(first);
  ASSERT_TRUE(committed);
  auto second = first;
  second.batch_no = 2;
  second.lineage.batch = committed->next_batch;
  second.before = {.token = "b"};
  second.after.reset();
  ASSERT_TRUE(ports_->runs().Commit(second));

  auto mixed = second;            // the number of the second,
  mixed.before = {.token = "a"};  // the token of the first
  EXPECT_EQ(ports_->runs().Commit(mixed).error().code, ErrorCode::kCorruption);
}

TEST_P(RunLedgerContract, AScrollHandleThatNeverChangesMakesOneBatchAPage) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const app::Position handle{.token = "same", .token_is_position = false};
  auto run = *ports_->runs().Open(task, handle);
  for (int page = 1; page <= 3; ++page) {
    auto batch = BatchOf(task, run, {RecordOf("a" + std::to_string(page), kStart)});
    batch.before = handle;
    if (page < 3) batch.after = handle;
    const auto committed = ports_->runs().Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    EXPECT_FALSE(committed->already_there);
    run.lineage.batch = committed->next_batch;
    ++run.batch_no;
  }
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 3);
}

TEST_P(RunLedgerContract, TheWatermarkFollowsSlicesThatFinishInOrder) {
  const auto plan = Planned(0, 3);
  for (int hour = 1; hour <= 3; ++hour) {
    ASSERT_TRUE(Finish(Claim(1).at(0)));
    EXPECT_EQ(Watermark(plan), kStart + hour * kHour);
  }
}

TEST_P(RunLedgerContract, TheWatermarkWaitsForTheEarliestUnfinishedSliceInEveryOrder) {
  std::vector<int> order{0, 1, 2, 3};
  int first_hour = 0;
  do {
    const auto plan = Planned(first_hour, first_hour + 4, "s" + std::to_string(first_hour));
    const auto tasks = Claim(4);
    ASSERT_EQ(tasks.size(), 4u);
    std::vector<bool> done(4);
    for (const int i : order) {
      ASSERT_TRUE(Finish(tasks[static_cast<std::size_t>(i)]));
      done[static_cast<std::size_t>(i)] = true;
      const auto prefix = std::ranges::find(done, false) - done.begin();
      const auto expected =
          prefix == 0 ? std::nullopt
                      : std::optional(kStart + (first_hour + static_cast<int>(prefix)) * kHour);
      ASSERT_EQ(Watermark(plan), expected);
    }
    first_hour += 4;
  } while (std::ranges::next_permutation(order).found);
}

TEST_P(RunLedgerContract, AFailedSliceHoldsTheWatermark) {
  const auto plan = Planned(0, 3);
  const auto tasks = Claim(3);
  ASSERT_TRUE(Finish(tasks[0]));
  ASSERT_TRUE(Finish(tasks[1], domain::TaskStatus::kFailed));
  ASSERT_TRUE(Finish(tasks[2]));
  EXPECT_EQ(Watermark(plan), kStart + kHour);
}

TEST_P(RunLedgerContract, ABackfillOfTheHoleLetsTheWatermarkPassWithTheNextHarvest) {
  const auto plan = Planned(0, 3);
  const auto tasks = Claim(3);
  ASSERT_TRUE(Finish(tasks[0]));
  ASSERT_TRUE(Finish(tasks[1], domain::TaskStatus::kFailed));
  Planned(1, 2, "demo", domain::Operation::kBackfill);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(Watermark(plan), kStart + kHour) << "a backfill never moves HARVEST's cursor itself";
  ASSERT_TRUE(Finish(tasks[2]));
  EXPECT_EQ(Watermark(plan), kStart + 3 * kHour);
}

TEST_P(RunLedgerContract, EveryMoveOfTheWatermarkHasItsEvent) {
  Planned(0, 3);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 3);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor AS c WHERE normalized_instant = "
                          "(SELECT max(new_instant) FROM ing_cursor_event)"),
            1);
}

TEST_P(RunLedgerContract, APlanIsCompletedWithItsLastSlice) {
  Planned(0, 2);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 0);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_P(RunLedgerContract, TheRollupAddsUpToTheBatches) {
  Store({RecordOf("a", kStart), RecordOf("b", kStart)});
  Store({RecordOf("a", kStart)});
  EXPECT_EQ(ports_->Count("SELECT sum(batches) FROM ing_batch_rollup"), 2);
  EXPECT_EQ(ports_->Count("SELECT sum(records) FROM ing_batch_rollup"), 3);
  EXPECT_EQ(ports_->Count("SELECT sum(unchanged) FROM ing_batch_rollup"), 1);
}

TEST_P(RunLedgerContract, WhatWasSentCountsAlsoForBatchesThatCameToNothing) {
  Planned(0, 2);
  const auto failed = Claim(1).at(0);
  ASSERT_TRUE(
      ports_->runs().Close({.task = failed,
                            .lineage = ports_->runs().Open(failed, kFirstPage)->lineage,
                            .status = domain::TaskStatus::kFailed,
                            .error = "status 503",
                            .level = domain::ErrorLevel::kL1,
                            .evidence = {.sent = {.requests = 4, .retries = 3, .throttled = 1}}}));
  const auto parked = Claim(1).at(0);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = parked,
                                       .lineage = ports_->runs().Open(parked, kFirstPage)->lineage,
                                       .status = domain::RunStatus::kCancelled,
                                       .reason = "COOL_DOWN",
                                       .again_at = clock_.Now() + 1h,
                                       .evidence = {.sent = {.requests = 2, .throttled = 2}}}));
  EXPECT_EQ(ports_->Count("SELECT sum(requests) FROM ing_batch_rollup"), 6);
  EXPECT_EQ(ports_->Count("SELECT sum(retries) FROM ing_batch_rollup"), 3);
  EXPECT_EQ(ports_->Count("SELECT batches FROM ing_batch_rollup WHERE status_code = 'FAILED'"), 1);
  EXPECT_EQ(ports_->Count("SELECT batches FROM ing_batch_rollup WHERE status_code = 'GIVEN_BACK'"),
            1);
  EXPECT_EQ(ports_->Count("SELECT json_extract(stats, '$.reqCount') FROM ing_task_run_batch "
                          "WHERE status_code = 'FAILED'"),
            4);
}

TEST_P(RunLedgerContract, WhatWasSentBesideBatchesThatSucceededCountsAndIsNoBatch) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, run, {RecordOf("a", kStart)})));
  ASSERT_TRUE(ports_->runs().Close(
      {.task = task, .lineage = run.lineage, .evidence = {.sent = {.requests = 3}}}));
  EXPECT_EQ(ports_->Count("SELECT sum(batches) FROM ing_batch_rollup"), 1);
  EXPECT_EQ(ports_->Count("SELECT sum(requests) FROM ing_batch_rollup"), 4);
}

TEST_P(RunLedgerContract, ACrashAfterTheLastBatchLeavesOnlyTheClosing) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.announced = 1;
  ASSERT_TRUE(ports_->runs().Commit(batch));
  clock_.Advance(16s);
  ASSERT_TRUE(ports_->queue().RescueExpired());

  const auto again = Claim(1).at(0);
  const auto resumed = ports_->runs().Open(again, kFirstPage);
  ASSERT_TRUE(resumed) << resumed.error().Describe();
  EXPECT_TRUE(resumed->is_at_end);
  EXPECT_EQ(resumed->so_far.received, 1);
  EXPECT_TRUE(ports_->runs().Close({.task = again, .lineage = resumed->lineage}));
}

TEST_P(RunLedgerContract, ARunThatIsGivenBackCountsAsAFailureOnlyWhenItWasOne) {
  Planned(0, 1);
  auto task = Claim(1).at(0);
  auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run->lineage,
                                       .status = domain::RunStatus::kCancelled,
                                       .reason = "waits for a permit",
                                       .again_at = clock_.Now()}));
  task = Claim(1).at(0);
  EXPECT_EQ(task.failures, 0);
  run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run->lineage,
                                       .reason = "HTTP 503",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now() + 1min}));
  EXPECT_TRUE(Claim(1).empty()) << "not before its time";
  EXPECT_EQ(ports_->queue().LookAt(task.lane, {})->next_due, clock_.Now() + 1min);
  clock_.Advance(1min);
  task = Claim(1).at(0);
  EXPECT_EQ(task.failures, 1);
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'FAILED' AND "
                    "error_level = 'L1'"),
      1);
}

TEST_P(RunLedgerContract, StartingOverForgetsThePositionAndTheCounts) {
  Planned(0, 1);
  auto task = Claim(1).at(0);
  auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.after = app::Position{.page = 2};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run->lineage,
                                       .reason = "the token is dead",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now(),
                                       .start_over = true}));
  // Also where the next run dies before it has committed anything.
  for (int i = 0; i < 2; ++i) {
    task = Claim(1).at(0);
    run = ports_->runs().Open(task, kFirstPage);
    ASSERT_TRUE(run);
    EXPECT_FALSE(run->is_resumed);
    EXPECT_EQ(run->start, kFirstPage);
    EXPECT_EQ(run->so_far.received, 0);
    clock_.Advance(16s);
    ASSERT_TRUE(ports_->queue().RescueExpired());
  }
}

TEST_P(RunLedgerContract, IdsAreAccountedForOnceWhateverBecomesOfThem) {
  Store({RecordOf("fresh", kStart)});
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  ListBad("bad");
  auto run = *ports_->runs().Open(task, kFirstPage);
  auto found = BatchOf(task, run, {});
  found.found_ids = {"fresh", "bad", "new", "gone", "new", "fresh", "bad"};
  found.repeated = 3;
  found.fresh_since = clock_.Now();
  found.after = app::Position{.is_detail = true};
  const auto first = ports_->runs().Commit(found);
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->counts.received - first->counts.repeated, 2);
  EXPECT_EQ(first->counts.unchanged, 4) << "fetched since, and three that came before";
  EXPECT_TRUE(first->counts.Balances());
  EXPECT_EQ(first->counts.filtered, 1) << "on the bad-id list";
  EXPECT_EQ(*ports_->found_ids().NextOpen(task.lineage.slice, 10),
            (std::vector<std::string>{"gone", "new"}));

  run.lineage.batch = first->next_batch;
  run.batch_no = 2;
  auto details = BatchOf(task, run, {RecordOf("new", kStart)});
  details.before = app::Position{.is_detail = true};
  details.answered_ids = {"new"};
  details.bad_ids = {{"gone", "no details"}};
  details.bad_records = {{.id = "gone", .rule = "no_details", .reason = "no details"}};
  const auto second = ports_->runs().Commit(details);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->counts.received, 2);
  EXPECT_TRUE(second->counts.Balances());
  EXPECT_TRUE(ports_->found_ids().NextOpen(task.lineage.slice, 10)->empty());
}

TEST_P(RunLedgerContract, RecordsThatAreNewsSignalOthersThatAreThereAndWhatTheyLack) {
  Store({RecordOf("known", kStart)});
  auto notice = RecordOf("notice", clock_.Now());
  notice.concerns = {{"known", "RETRACTION", "n"}, {"foreign", "RETRACTION", "n"}};
  auto poor = RecordOf("poor", kStart);
  poor.concerns = {{"poor", "MISSING_FIELD", "n"}};
  Store({notice, poor});
  const auto open = [&] { return *ports_->signals().CountOpen("demo", "items"); };
  EXPECT_EQ(open(), 2) << "what is not there is not ours to have";
  ASSERT_EQ(ports_->signals().TakeFor(1, "demo", "items", 10)->size(), 2u);
  Store({notice, poor});
  EXPECT_EQ(open(), 0) << "no news";
  notice.version.updated_at += 1h;
  notice.version.content_hash = Sha256("changed");
  Store({notice});
  EXPECT_EQ(open(), 1);
}

TEST_P(RunLedgerContract, OthersThatWereLookedAtSinceAreNotSignalled) {
  Store({RecordOf("known", kStart)});
  auto old_notice = RecordOf("notice", clock_.Now() - std::chrono::days(2));
  old_notice.concerns = {{"known", "RETRACTION", "n"}};
  Store({old_notice});
  EXPECT_EQ(*ports_->signals().CountOpen("demo", "items"), 0);
}

// UPDATE was sent for the field; if it is still empty, asking again helps nobody.
TEST_P(RunLedgerContract, AnUpdateSignalsOthersButNotWhatItLacksItself) {
  Store({RecordOf("known", kStart)});
  auto poor = RecordOf("poor", clock_.Now());
  poor.concerns = {{"poor", "MISSING_FIELD", "n"}, {"known", "MERGE", "n"}};
  Planned(20, 21, "demo", domain::Operation::kUpdate);
  const auto task = Claim(1).at(0);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *ports_->runs().Open(task, kFirstPage), {poor})));
  const auto signals = ports_->signals().List("OPEN", 10);
  ASSERT_EQ(signals->size(), 1u);
  EXPECT_EQ(signals->front().item_id, "known");
  EXPECT_EQ(signals->front().type, "MERGE");
}

TEST_P(RunLedgerContract, ChildrenTakeOverWithTheParentsEndAndTheWatermarkWaitsForThem) {
  Planned(0, 2);
  auto tasks = Claim(2);
  const auto& parent = tasks[0];
  const auto run = ports_->runs().Open(parent, kFirstPage);
  app::SliceClose close{.task = parent,
                        .lineage = run->lineage,
                        .status = domain::TaskStatus::kCancelled,
                        .gap = "two smaller slices take over"};
  const auto middle = parent.window().from() + 30min;
  close.children = {{.window = *domain::Window::Between(parent.window().from(), middle)},
                    {.window = *domain::Window::Between(middle, parent.window().to())}};
  ASSERT_TRUE(ports_->runs().Close(close));
  ASSERT_TRUE(Finish(tasks[1]));
  const auto children = Claim(5);
  ASSERT_EQ(children.size(), 2u);
  EXPECT_FALSE(*ports_->cursors().Watermark(parent.lane, parent.cursor));
  ASSERT_TRUE(Finish(children[1]));
  EXPECT_FALSE(*ports_->cursors().Watermark(parent.lane, parent.cursor));
  ASSERT_TRUE(Finish(children[0]));
  EXPECT_EQ(*ports_->cursors().Watermark(parent.lane, parent.cursor), kStart + 2h);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_P(RunLedgerContract, CuttingThatNeverEndsIsRefusedAndTheSliceIsStillThere) {
  Planned(0, 2);
  auto tasks = Claim(2);
  ports_->Execute("UPDATE ing_plan_slice SET slice_no = 1000099998 WHERE slice_no = 2");
  const auto run = ports_->runs().Open(tasks[0], kFirstPage);
  const auto half = kStart + 30min;
  app::SliceClose close{
      .task = tasks[0],
      .lineage = run->lineage,
      .status = domain::TaskStatus::kCancelled,
      .children = {{.window = *domain::Window::Between(kStart, half)},
                   {.window = *domain::Window::Between(half, half + 15min)},
                   {.window = *domain::Window::Between(half + 15min, kStart + 1h)}}};
  const auto refused = ports_->runs().Close(close);
  ASSERT_FALSE(refused) << "there is room for two";
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan_slice"), 2);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task WHERE status_code = 'EXECUTING'"), 1);

  close.children.erase(close.children.begin());
  EXPECT_TRUE(ports_->runs().Close(close)) << "100,000 exactly";
  EXPECT_EQ(ports_->Count("SELECT max(slice_no) FROM ing_plan_slice"), 1'000'100'000);
}

TEST_P(RunLedgerContract, APartThatIsProvenCountsAlthoughTheRestIsHandedOver) {
  Planned(0, 1);
  const auto parent = Claim(1).at(0);
  const auto run = ports_->runs().Open(parent, kFirstPage);
  const auto middle = kStart + 30min;
  app::SliceClose close{.task = parent,
                        .lineage = run->lineage,
                        .status = domain::TaskStatus::kPartial,
                        .gap = "paging ends here",
                        .proven = *domain::Window::Between(kStart, middle)};
  close.children = {{.window = *domain::Window::Between(middle, kStart + 1h)}};
  ASSERT_TRUE(ports_->runs().Close(close));
  EXPECT_EQ(*ports_->cursors().Watermark(parent.lane, parent.cursor), middle);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(*ports_->cursors().Watermark(parent.lane, parent.cursor), kStart + 1h);
}

TEST_P(RunLedgerContract, PartsOfAnotherDimensionProveTheirWindowOnlyTogether) {
  Planned(0, 1);
  const auto parent = Claim(1).at(0);
  const auto run = ports_->runs().Open(parent, kFirstPage);
  app::SliceClose close{.task = parent,
                        .lineage = run->lineage,
                        .status = domain::TaskStatus::kCancelled,
                        .gap = "cut by kind"};
  for (const auto* kind : {"article", "book", "thesis"}) {
    domain::SliceSpec child{.window = parent.window()};
    child.split = {{.name = "kind", .value = kind}};
    close.children.push_back(child);
  }
  ASSERT_TRUE(ports_->runs().Close(close));
  const auto parts = Claim(5);
  ASSERT_EQ(parts.size(), 3u);
  ASSERT_TRUE(Finish(parts[2]));
  ASSERT_TRUE(Finish(parts[0]));
  EXPECT_FALSE(*ports_->cursors().Watermark(parent.lane, parent.cursor));
  ASSERT_TRUE(Finish(parts[1]));
  EXPECT_EQ(*ports_->cursors().Watermark(parent.lane, parent.cursor), kStart + 1h);
}

TEST_P(RunLedgerContract, BackfillMovesItsOwnCursorIntoThePast) {
  const auto plan = Planned(0, 3, "demo", domain::Operation::kBackfill);
  const auto tasks = Claim(3);
  ASSERT_TRUE(Finish(tasks[2]));
  EXPECT_EQ(*ports_->cursors().Watermark(plan.lane, plan.cursor), kStart + 2h);
  ASSERT_TRUE(Finish(tasks[0]));
  EXPECT_EQ(*ports_->cursors().Watermark(plan.lane, plan.cursor), kStart + 2h);
  ASSERT_TRUE(Finish(tasks[1]));
  EXPECT_EQ(*ports_->cursors().Watermark(plan.lane, plan.cursor), kStart);
}

TEST_P(RunLedgerContract, WhatARunReadTooEarlyIsKnownToTheOneThatGoesOn) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  EXPECT_FALSE(run->provable_to);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart)});
  batch.after = app::Position{.page = 2};
  batch.provable_to = kStart + 30min;
  ASSERT_TRUE(ports_->runs().Commit(batch));
  clock_.Advance(1min);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto next = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(next) << next.error().Describe();
  EXPECT_TRUE(next->is_resumed);
  EXPECT_EQ(next->provable_to, kStart + 30min);
}

TEST_P(RunLedgerContract, OfASliceThatReachesAheadOfTimeOnlyTheFirstPartIsProven) {
  const auto plan = Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, {})));
  const domain::ClockReading reading{.ours = clock_.Now(), .theirs = kStart + 40min};
  ASSERT_TRUE(ports_->runs().Close({.task = task,
                                    .lineage = run->lineage,
                                    .status = domain::TaskStatus::kPartial,
                                    .gap = "our clock is ahead",
                                    .proven = *domain::Window::Between(kStart, kStart + 30min),
                                    .clock = reading}));
  EXPECT_EQ(Watermark(plan), kStart + 30min);
  Planned(1, 2);
  const auto later = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(later->clock);
  EXPECT_EQ(later->clock->theirs, reading.theirs);
  EXPECT_EQ(later->clock->ours, reading.ours);
}

TEST_P(RunLedgerContract, ARunKnowsWhatSlicesOfItsKindUsuallyBring) {
  Planned(0, 9);
  for (int i = 0; i < 8; ++i) {
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    EXPECT_FALSE(run->usual) << "after " << i;
    std::vector<domain::Record> records;
    for (int k = 0; k < (i % 2 == 0 ? 2 : 4); ++k)
      records.push_back(RecordOf(fmt::format("{}-{}", i, k), kStart));
    ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, records)));
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  }
  const auto run = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(run->usual);
  EXPECT_DOUBLE_EQ(run->usual->mean, 3);
  EXPECT_DOUBLE_EQ(run->usual->deviation, 1);
}

TEST_P(RunLedgerContract, ABatchOfAnEmptyPageIsSkippedAndTheNextRunGoesOnBehindIt) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, run, {});
  batch.after = app::Position{.page = 2};
  batch.walked = app::WalkedPage{};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  const auto again = ports_->runs().Commit(batch);
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_TRUE(again->already_there);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = {.slice = task.lineage.slice,
                                                   .task = task.lineage.task,
                                                   .run = run.lineage.run,
                                                   .batch = again->next_batch},
                                       .reason = "asked to stop",
                                       .again_at = clock_.Now()}));
  const auto rows = *ports_->read().ledger().Batches({.run = run.lineage.run});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].status, "SKIPPED");
  EXPECT_EQ(rows[0].status, "GIVEN_BACK");
  const auto next = ports_->runs().Open(Claim(1).at(0), kFirstPage);
  ASSERT_TRUE(next) << next.error().Describe();
  EXPECT_EQ(next->start.page, 2);
}

TEST_P(RunLedgerContract, ABatchSaysHowMuchItAskedForAndOfATimeWalkForWhichTime) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, {.time = kStart});
  auto batch = BatchOf(task, run, {RecordOf("a", kStart)});
  batch.page_size = 50;
  batch.after = app::Position{.time = kStart + 20min};
  const auto committed = ports_->runs().Commit(batch);
  ASSERT_TRUE(committed) << committed.error().Describe();
  batch.lineage.batch = committed->next_batch;
  batch.batch_no = 2;
  batch.before = *batch.after;
  batch.after.reset();
  ASSERT_TRUE(ports_->runs().Commit(batch));
  const auto rows = *ports_->read().ledger().Batches({.run = run.lineage.run});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].page_size, 50);
  EXPECT_EQ(rows[1].time_from, kStart);
  EXPECT_EQ(rows[1].time_to, kStart + 20min);
  EXPECT_EQ(rows[0].time_from, kStart + 20min);
  EXPECT_EQ(rows[0].time_to, kStart + 1h) << "the last one goes to the end of the slice";
}

TEST_P(RunLedgerContract, ATaskNamesTheCredentialOfItsLastRequestAndTheCodeOfItsLastFailure) {
  Planned(0, 2);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, run, {RecordOf("a", kStart)});
  batch.evidence.credential = "key-1";
  batch.after = app::Position{.page = 2};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  auto& ledger = ports_->read().ledger();
  EXPECT_EQ(ledger.Task(task.lineage.task)->credential, "key-1");
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run.lineage,
                                       .reason = "HTTP 503",
                                       .code = "RETRIES_EXHAUSTED",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now(),
                                       .evidence = {.credential = "key-2"}}));
  const auto row = *ledger.Task(task.lineage.task);
  EXPECT_EQ(row.credential, "key-2");
  EXPECT_EQ(row.last_error_code, "RETRIES_EXHAUSTED");
  EXPECT_EQ(row.last_error, "HTTP 503");
  EXPECT_EQ(ledger.Tasks({.error_code = "RETRIES_EXHAUSTED"})->size(), 1u);
  EXPECT_EQ(ledger.Tasks({.error_code = "RETRIES_EXHAUSTED", .credential = "key-1"})->size(), 0u);
  EXPECT_EQ(ledger.Tasks({.source = "demo", .credential = "key-2"})->size(), 1u);
  EXPECT_EQ(ledger.Tasks({.error_code = "GAP"})->size(), 0u);

  ASSERT_TRUE(Finish(Claim(1).at(0)));
  EXPECT_EQ(ledger.Task(task.lineage.task)->last_error_code, std::nullopt);
}

TEST_P(RunLedgerContract, WhatIsGivenUpOrCutSaysWhyInItsRemarksAlsoAfterItWasTakenUpAgain) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  ASSERT_TRUE(ports_->runs().GiveUp({task, "it cannot be read"}));
  auto& ledger = ports_->read().ledger();
  EXPECT_EQ(ledger.Task(task.lineage.task)->last_error_code, "GIVEN_UP");
  ASSERT_TRUE(ports_->queue().Requeue(task.lineage.task, {{"anna"}, "mended"}));
  const auto again = Claim(1).at(0);
  const auto run = *ports_->runs().Open(again, kFirstPage);
  std::vector<domain::SliceSpec> halves;
  for (const auto& half : again.window().TileBy(30min)) halves.push_back({.window = half});
  ASSERT_TRUE(ports_->runs().Close({.task = again,
                                    .lineage = run.lineage,
                                    .status = domain::TaskStatus::kCancelled,
                                    .gap = "too large: 2 smaller slices take over",
                                    .children = halves}));
  const auto of_task = ledger.Task(task.lineage.task)->remarks;
  EXPECT_NE(of_task.find(R"("what":"GIVEN_UP","why":"it cannot be read")"), std::string::npos)
      << of_task;
  EXPECT_NE(of_task.find(R"("by":"anna","what":"QUEUED_AGAIN","why":"mended")"), std::string::npos)
      << of_task;
  const auto of_slice = ledger.Slice(task.lineage.slice)->remarks;
  EXPECT_NE(of_slice.find("GIVEN_UP"), std::string::npos) << of_slice;
  EXPECT_NE(of_slice.find("too large"), std::string::npos) << of_slice;
  EXPECT_NE(of_slice.find("CUT"), std::string::npos) << of_slice;
}

TEST_P(RunLedgerContract, RemarksAreBounded) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  for (int i = 0; i < 30; ++i) {
    clock_.Advance(1min);
    ASSERT_EQ(*ports_->queue().RescueExpired(), 1);
    Claim(1);
  }
  const auto row = *ports_->read().ledger().Task(task.lineage.task);
  EXPECT_EQ(ParseJson(row.remarks)->AsArray()->size(), 20u);
  EXPECT_EQ(row.last_error_code, "LEASE_EXPIRED");
}

TEST_P(RunLedgerContract, OneIdFollowsATriggerThroughPlanTaskRunAndMessage) {
  auto plan = Draft(0, 1);
  plan.correlation = "xxl-77";
  plan.wishes = Value::Object{{"query", "cats"}};
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  ASSERT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
  const auto task = Claim(1).at(0);
  EXPECT_EQ(task.lineage.correlation, "xxl-77");
  const auto run = *ports_->runs().Open(task, kFirstPage);
  EXPECT_EQ(run.lineage.correlation, "xxl-77");
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, run, {RecordOf("a", kStart)})));
  auto& ledger = ports_->read().ledger();
  EXPECT_EQ(ledger.Plan(plan.id)->correlation, "xxl-77");
  EXPECT_EQ(ledger.Task(task.lineage.task)->correlation, "xxl-77");
  EXPECT_EQ(ledger.Run(run.lineage.run)->correlation, "xxl-77");
  const auto messages = *ports_->outbox().List({.channel = "ingest.items"});
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].message.headers, R"({"correlationId":"xxl-77"})");
  EXPECT_NE(ledger.Task(task.lineage.task)->params.find(R"("wishes":{"query":"cats"})"),
            std::string::npos);
}

TEST_P(RunLedgerContract, WhatWasPlannedBeforeThereWasSuchAnIdIsFollowedByItsTrigger) {
  const auto plan = Planned(0, 1);
  ports_->Execute("UPDATE ing_plan SET correlation_id = NULL");
  ports_->Execute("UPDATE ing_task SET correlation_id = NULL");
  const auto trigger = fmt::to_string(plan.trigger_id);
  EXPECT_EQ(ports_->plans().Find(plan.id)->value().plan.correlation, trigger);
  EXPECT_EQ(Claim(1).at(0).lineage.correlation, trigger);
}

}  // namespace patra::run_ledger_contract_test
