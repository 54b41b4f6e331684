// What every run ledger must do: batches that happen once, items that only move forward, a watermark
// that never passes unfinished work.
#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "tests/infra/sqlite_backend.h"

namespace patra {
namespace {

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

 private:
  int next_hour_ = 100;
};
RUN_ON_EVERY_LEDGER(RunLedgerContract);

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

TEST_P(RunLedgerContract, MessagesLeaveWithTheBatchAndEachOnlyOnce) {
  Planned(0, 2);
  const app::OutboxMessage message{.channel = "items",
                                   .op_type = "UPDATED",
                                   .partition_key = "demo",
                                   .dedup_key = "a@1",
                                   .payload = "{}"};
  for (const auto& task : Claim(2)) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {});
    batch.outbox = {message, message};
    ASSERT_TRUE(ports_->runs().Commit(batch));
  }
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_outbox_message WHERE status_code = 'PENDING'"),
            1);
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

TEST_P(RunLedgerContract, AWorkerThatLostItsLeaseCommitsNothing) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto committed = ports_->runs().Commit(BatchOf(task, *run, {RecordOf("a", kStart)}));
  EXPECT_EQ(committed.error().code, ErrorCode::kConflict);
  EXPECT_EQ(ports_->runs().Close({.task = task, .lineage = run->lineage}).error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 0);
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

}  // namespace
}  // namespace patra
