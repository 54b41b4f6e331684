// What every store must do about rows that are deleted once they are old.
#include <gmock/gmock.h>

#include "app/retention/archive_old.h"
#include "app/retention/collect_old.h"
#include "domain/retention/kept_for.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::old_rows_contract_test {

using app::OldKind;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kHour;
using testing::kStart;
using ::testing::SizeIs;

class OldRowsContract : public testing::LedgerTest {
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
  app::CollectReport Collect(const domain::RetentionPolicy& policy = {}) {
    const auto report = app::CollectOld(Ports(), "me").Run(policy);
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(app::CollectReport{});
  }
  app::CollectReport Counted(const domain::RetentionPolicy& policy = {}) {
    const auto report = app::CollectOld(Ports(), "me").Count(policy);
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(app::CollectReport{});
  }
  static std::int64_t Of(OldKind kind, const app::CollectReport& report) {
    for (const auto& one : report.kinds) {
      if (one.kind == kind) return one.rows;
    }
    return -1;
  }
  // Both say the same: what would go, and what went.
  std::int64_t Gone(OldKind kind, const domain::RetentionPolicy& policy = {}) {
    const auto would_go = Of(kind, Counted(policy));
    EXPECT_EQ(Of(kind, Collect(policy)), would_go);
    return would_go;
  }
  std::int64_t Rows(const std::string& table) {
    return ports_->Count("SELECT count(*) FROM " + table);
  }

  // A slice of an hour that brings one record, and so one change.
  app::LeasedTask Harvest(int hour) {
    Planned(hour, hour + 1);
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {RecordOf(fmt::format("r{}", hour), kStart)});
    EXPECT_TRUE(ports_->runs().Commit(batch));
    EXPECT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
    return task;
  }
  Result<contract::ChangePage> ChangesAfter(std::int64_t position) {
    return ports_->read().changes().After({.position = position}, {}, 100);
  }

  // What the relay sends next: one after the other, of the same lane.
  std::vector<app::LeasedMessage> Lease() {
    const auto leased = ports_->outbox().Lease(
        {.channel = std::string(app::kItemChannel), .owner = "o", .lease = hours(1)});
    EXPECT_TRUE(leased) << leased.error().Describe();
    return leased.value_or(std::vector<app::LeasedMessage>{});
  }

  const app::Decision kAnna{{"anna"}, "because"};
  app::NoLog log_;
  app::StopRequest stop_;
};
RUN_ON_EVERY_LEDGER(OldRowsContract);

TEST_P(OldRowsContract, EachKindHasAnAgeOfItsOwn) {
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "x", .reason = "r"}, kAnna));  // audited
  ASSERT_TRUE(ports_->journal().Add(
      {.lane = {"demo", "items"}, .saw = "{}", .did = "{}", .at = clock_.Now()}));
  ASSERT_TRUE(ports_->alerts().Raise({.key = "over", .message = "m"}));
  ASSERT_TRUE(ports_->alerts().Resolve("over"));
  ASSERT_TRUE(ports_->alerts().Raise({.key = "still", .message = "m"}));
  ASSERT_TRUE(ports_->store().answers().Begin(
      {.key_hash = "key", .request_hash = "request", .owner = "o", .until = clock_.Now()},
      clock_.Now() - days(1)));
  const domain::RetentionPolicy policy{.keep_audit = days(40),
                                       .keep_heal_log = days(30),
                                       .keep_alerts = days(20),
                                       .keep_answers = days(10)};
  clock_.Advance(days(5));
  for (const auto kind : {OldKind::kAudit, OldKind::kHealLog, OldKind::kAlerts, OldKind::kAnswers})
    EXPECT_EQ(Gone(kind, policy), 0);
  clock_.Advance(days(6));
  EXPECT_EQ(Gone(OldKind::kAnswers, policy), 1);
  clock_.Advance(days(10));
  EXPECT_EQ(Gone(OldKind::kAlerts, policy), 1);
  EXPECT_THAT(*ports_->alerts().List({}), SizeIs(1)) << "what lasts stays";
  clock_.Advance(days(10));
  EXPECT_EQ(Gone(OldKind::kHealLog, policy), 1);
  clock_.Advance(days(10));
  EXPECT_EQ(Gone(OldKind::kAudit, policy), 1);
  EXPECT_EQ(Rows("ing_audit"), 0);
}

TEST_P(OldRowsContract, WhatIsKeptForEverNeverGoes) {
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "x", .reason = "r"}, kAnna));
  clock_.Advance(days(10'000));
  EXPECT_EQ(Gone(OldKind::kAudit, {.keep_audit = Duration{}}), 0);
  EXPECT_EQ(Rows("ing_audit"), 1);
}

TEST_P(OldRowsContract, MoreThanGoAtOnceGoAll) {
  for (int i = 0; i < 1203; ++i)
    ASSERT_TRUE(ports_->journal().Add(
        {.lane = {"demo", "items"}, .saw = "{}", .did = "{}", .at = clock_.Now()}));
  clock_.Advance(days(365));
  EXPECT_EQ(Gone(OldKind::kHealLog), 1203);
  EXPECT_EQ(Rows("ing_heal_journal"), 0);
  const auto tallies = ports_->store().old_rows().Tallies();
  ASSERT_THAT(*tallies, SizeIs(1));
  EXPECT_EQ(tallies->at(0).what, "deleted.heal_log");
  EXPECT_EQ(tallies->at(0).rows, 1203);
  EXPECT_EQ(tallies->at(0).last_at, clock_.Now());
}

TEST_P(OldRowsContract, WhoComesForChangesThatAreGoneIsTold) {
  for (int hour = 0; hour < 3; ++hour) Harvest(hour);
  clock_.Advance(days(20));
  Harvest(3);
  clock_.Advance(days(15));
  EXPECT_EQ(Of(OldKind::kChanges, Collect()), 3) << "nobody had asked for any of them";
  const auto from_start = ChangesAfter(1);
  ASSERT_TRUE(from_start) << "from the beginning means of what is kept";
  EXPECT_THAT(from_start->changes, SizeIs(1));
  const auto gap = ChangesAfter(2);
  ASSERT_FALSE(gap);
  EXPECT_EQ(gap.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(gap.error().message, HasSubstr("from 2 to 3 are not kept"));
  EXPECT_TRUE(ChangesAfter(4));
}

TEST_P(OldRowsContract, WhatARelayHasStillToSendStaysAndSoDoesAllBehindIt) {
  for (int hour = 0; hour < 3; ++hour) Harvest(hour);
  auto& outbox = ports_->outbox();
  ASSERT_TRUE(outbox.Published(Lease().at(0), "o"));
  clock_.Advance(days(100));
  EXPECT_EQ(Gone(OldKind::kChanges), 1) << "the relay has sent one of three";
  EXPECT_EQ(Rows("ing_outbox_message"), 2);
  // Its log is old as well, but that there is a relay is not forgotten.
  EXPECT_EQ(Rows("ing_outbox_relay_log"), 1);
  clock_.Advance(days(100));
  EXPECT_EQ(Gone(OldKind::kChanges), 0);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(outbox.Published(Lease().at(0), "o"));
  EXPECT_EQ(Gone(OldKind::kChanges), 2);
  clock_.Advance(days(100));
  Collect();
  EXPECT_EQ(Rows("ing_outbox_relay_log"), 1) << "the last attempt";
}

TEST_P(OldRowsContract, AChangeThatWasGivenUpHoldsNobodyUp) {
  for (int hour = 0; hour < 2; ++hour) Harvest(hour);
  ASSERT_TRUE(ports_->outbox().Failed(Lease().at(0), "o", "refused", std::nullopt));
  ASSERT_TRUE(ports_->outbox().Published(Lease().at(0), "o"));
  clock_.Advance(days(100));
  EXPECT_EQ(Gone(OldKind::kChanges), 2);
}

TEST_P(OldRowsContract, WhatAWalkRemembersGoesOnceNobodyGoesOnWithIt) {
  Planned(0, 2);
  const auto tasks = Claim(2);
  for (const auto& task : tasks) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {});
    batch.walked = app::WalkedPage{.memory = {}, .ids = {1, 2, 3}};
    batch.after = app::Position{.page = 2};
    ASSERT_TRUE(ports_->runs().Commit(batch));
    ASSERT_TRUE(ports_->runs().Close({.task = task,
                                      .lineage = run->lineage,
                                      .status = domain::TaskStatus::kFailed,
                                      .error = "it failed"}));
  }
  EXPECT_EQ(Rows("ing_walk_page"), 2);
  ports_->Execute(fmt::format("UPDATE ing_plan_slice SET status_code = 'CANCELLED' WHERE id = {}",
                              tasks[0].lineage.slice));
  clock_.Advance(days(5));
  EXPECT_EQ(Gone(OldKind::kWalks), 0);
  clock_.Advance(days(5));
  EXPECT_EQ(Gone(OldKind::kWalks), 1);
  EXPECT_EQ(Rows("ing_walk_page"), 1) << "whoever takes up what failed goes on with it";
}

TEST_P(OldRowsContract, IdsOfTwoPhasesGoWithTheirBatchesAndAreReplayedAllTheSame) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  auto run = ports_->runs().Open(task, kFirstPage);
  auto pages = BatchOf(task, *run, {});
  pages.found_ids = {"b", "a", "c"};
  pages.after = app::Position{.is_detail = true};
  const auto committed = ports_->runs().Commit(pages);
  auto details = BatchOf(task, *run, {RecordOf("a", kStart), RecordOf("b", kStart)});
  details.batch_no = 2;
  details.before = {.is_detail = true};
  details.lineage.batch = committed->next_batch;
  details.answered_ids = {"a", "b"};
  details.bad_ids = {{"c", "gone"}};
  ASSERT_TRUE(ports_->runs().Commit(details));
  ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  const auto ids_of = [&](Id batch) {
    const auto read = ports_->replays().Read(run->lineage.run, batch);
    EXPECT_TRUE(read) << read.error().Describe();
    return read->ids;
  };
  EXPECT_THAT(ids_of(pages.lineage.batch), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ids_of(details.lineage.batch), ElementsAre("a", "b", "c"));

  clock_.Advance(days(100));
  EXPECT_EQ(Gone(OldKind::kWalks), 0) << "their batches are in the store";
  ASSERT_TRUE(
      app::ArchiveOld(Ports(), "me")
          .Run({.before = clock_.Now() - days(90)}, [](app::ArchivedKind, std::int64_t) {}));
  ASSERT_EQ(Rows("ing_task_run_batch"), 0);
  EXPECT_EQ(Gone(OldKind::kWalks), 3);
  EXPECT_EQ(Rows("ing_enumerated_id"), 0);
  EXPECT_THAT(ids_of(pages.lineage.batch), ElementsAre("a", "b", "c"));
  EXPECT_THAT(ids_of(details.lineage.batch), ElementsAre("a", "b", "c"));
}

TEST_P(OldRowsContract, SumsByTheMinuteBecomeHoursAndDaysAndSayTheSame) {
  // Three slices within an hour, and one two hours later.
  for (int hour = 0; hour < 3; ++hour) {
    Harvest(hour);
    clock_.Advance(minutes(7));
  }
  clock_.Advance(hours(2));
  Harvest(3);
  const auto window = contract::Stretch{clock_.Now() - days(1), clock_.Now() + days(1)};
  const auto sums = [&] {
    const auto queue = ports_->read().dashboard().Queue({}, window);
    EXPECT_TRUE(queue) << queue.error().Describe();
    return fmt::format("{} {} {}", queue->rows.at(0).batches_succeeded, queue->rows.at(0).records,
                       queue->rows.at(0).requests);
  };
  const auto before = sums();
  EXPECT_EQ(Rows("ing_batch_rollup"), 4);
  clock_.Advance(days(20));
  EXPECT_EQ(Collect().added_up, 0);
  EXPECT_EQ(Rows("ing_batch_rollup"), 4);
  clock_.Advance(days(20));
  EXPECT_EQ(Collect().added_up, 2);
  EXPECT_EQ(Rows("ing_batch_rollup"), 2) << "an hour each";
  EXPECT_EQ(sums(), before);
  EXPECT_EQ(Collect().added_up, 0) << "they are added up once";
  clock_.Advance(days(60));
  EXPECT_EQ(Collect().added_up, 1);
  EXPECT_EQ(Rows("ing_batch_rollup"), 1) << "a day";
  EXPECT_EQ(sums(), before);
  clock_.Advance(days(90));
  EXPECT_EQ(Gone(OldKind::kRollup), 1);
  EXPECT_EQ(Rows("ing_batch_rollup"), 0);
}

// A window that begins within an hour of which only the sum is known has the whole of it.
TEST_P(OldRowsContract, AnHourThatAWindowTouchesCountsAsAWhole) {
  const auto begin = std::chrono::floor<hours>(clock_.Now());
  for (int hour = 0; hour < 2; ++hour) {
    Harvest(hour);
    clock_.Advance(minutes(20));
  }
  clock_.Advance(days(40));
  Collect();
  ASSERT_EQ(Rows("ing_batch_rollup"), 1);
  const auto batches_in = [&](Instant from, Instant to) {
    const auto queue = ports_->read().dashboard().Queue({}, {from, to});
    return queue->rows.empty() ? 0 : queue->rows.at(0).batches_succeeded;
  };
  EXPECT_EQ(batches_in(begin + minutes(30), begin + hours(3)), 2);
  EXPECT_EQ(batches_in(begin - hours(1), begin + minutes(1)), 2);
  EXPECT_EQ(batches_in(begin + hours(1), begin + hours(3)), 0);
  EXPECT_EQ(batches_in(begin - hours(3), begin), 0);
}

TEST_P(OldRowsContract, ARunThatWasToldToStopLeavesTheRest) {
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "x", .reason = "r"}, kAnna));
  clock_.Advance(days(10'000));
  stop_.Ask();
  const auto report = Collect();
  EXPECT_TRUE(report.is_stopped);
  EXPECT_EQ(Rows("ing_audit"), 1);
}

TEST_P(OldRowsContract, OnlyOneProcessDeletes) {
  ASSERT_TRUE(*ports_->duties().Take("retention", "somebody", clock_.Now() + minutes(1)));
  EXPECT_EQ(app::CollectOld(Ports(), "me").Run({}).error().code, ErrorCode::kConflict);
  EXPECT_TRUE(app::CollectOld(Ports(), "me").Count({})) << "whoever counts disturbs nobody";
}

}  // namespace patra::old_rows_contract_test
