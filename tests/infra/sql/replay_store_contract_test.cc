// What every store must do for replays.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::replay_store_contract_test {

using app::Position;
using ::testing::ElementsAre;
using testing::kHour;
using testing::kStart;

class ReplayStoreContract : public testing::LedgerTest {
 protected:
  app::LeasedTask Leased(int hour = 0) {
    Planned(hour, hour + 1);
    auto tasks = Claim(1);
    EXPECT_EQ(tasks.size(), 1u);
    return tasks.front();
  }

  // Commits these positions one after the other; the batches' ids.
  std::vector<Id> Walk(const app::LeasedTask& task, app::RunOpened& run,
                       const std::vector<Position>& positions) {
    std::vector<Id> batches;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      auto batch = BatchOf(task, run, {RecordOf("r" + std::to_string(i), kStart)});
      batch.batch_no = run.batch_no++;
      batch.before = positions[i];
      if (i + 1 < positions.size()) batch.after = positions[i + 1];
      batches.push_back(run.lineage.batch);
      const auto committed = ports_->runs().Commit(batch);
      EXPECT_TRUE(committed) << committed.error().Describe();
      run.lineage.batch = committed->next_batch;
    }
    return batches;
  }

  app::RecordedBatch Read(Id run, Id batch) {
    auto recorded = ports_->replays().Read(run, batch);
    EXPECT_TRUE(recorded) << recorded.error().Describe();
    return *std::move(recorded);
  }

  std::int64_t Runs() { return ports_->Count("SELECT count(*) FROM ing_task_run"); }

  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(ReplayStoreContract);

TEST_P(ReplayStoreContract, FindsAgainWhereABatchBegan) {
  const std::vector<std::vector<Position>> walks = {
      {{.page = 1}, {.page = 2}, {.page = 3}},
      {{.page = 0}, {.page = 20, .size = 20}, {.page = 40, .size = 20}},
      {{}, {.token = "t1"}, {.token = "t2"}},
      {{}, {.token = "s1", .token_is_position = false}},
      {{.time = kStart + 4 * kHour}, {.time = kStart + 4 * kHour + std::chrono::minutes(3)}},
      {{.page = 1}, {.is_detail = true}, {.token = "id7", .is_detail = true}},
      {{.is_detail = true}, {.token = "id9", .is_detail = true}}};
  for (std::size_t w = 0; w < walks.size(); ++w) {
    const auto task = Leased(static_cast<int>(w));
    auto run = ports_->runs().Open(task, walks[w].front());
    ASSERT_TRUE(run) << run.error().Describe();
    const auto batches = Walk(task, *run, walks[w]);
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const auto recorded = Read(run->lineage.run, batches[i]);
      auto expected = walks[w][i];
      // The second page tells how large the first one was.
      if (w == 1) expected.size = 20;
      EXPECT_EQ(recorded.before, expected) << "walk " << w << ", batch " << i;
      EXPECT_EQ(recorded.batch_no, static_cast<int>(i) + 1);
      EXPECT_EQ(recorded.records_before, static_cast<std::int64_t>(i));
      EXPECT_EQ(recorded.after.has_value(), i + 1 < batches.size());
    }
  }
}

TEST_P(ReplayStoreContract, FindsAgainWhereAResumedRunBegan) {
  const auto task = Leased();
  auto run = ports_->runs().Open(task, {});
  Walk(task, *run, {{}, {.token = "t1"}});
  // The last one leads on, and the run ends there.
  ports_->Execute(
      "UPDATE ing_task_run_batch SET after_token = '{\"token\":\"t2\"}' WHERE batch_no = 2");
  ASSERT_TRUE(ports_->runs().GiveBack(
      {.task = task, .lineage = run->lineage, .reason = "r", .again_at = clock_.Now()}));
  const auto again = Claim(1).front();
  const auto resumed = ports_->runs().Open(again, {});
  ASSERT_TRUE(resumed && resumed->is_resumed);
  const auto recorded = Read(resumed->lineage.run, resumed->lineage.batch);
  EXPECT_EQ(recorded.before, Position{.token = "t2"});
  EXPECT_EQ(recorded.status, domain::BatchStatus::kRunning);
}

TEST_P(ReplayStoreContract, KnowsWhatTheBatchBroughtAndItsPage) {
  const auto task = Leased();
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {RecordOf("a", kStart), RecordOf("b", kStart)});
  batch.bad_records = {{.path = "$", .rule = "json", .reason = "r", .bytes = "b"}};
  batch.raw_page = app::RawPage{"application/json", "{}", kStart};
  batch.status = 404;
  batch.evidence.request = R"({"method":"GET"})";
  ASSERT_TRUE(ports_->runs().Commit(batch));
  const auto recorded = Read(run->lineage.run, run->lineage.batch);
  EXPECT_EQ(recorded.counts.received, 3);
  EXPECT_EQ(recorded.counts.quarantined, 1);
  EXPECT_EQ(recorded.http_status, 404);
  EXPECT_EQ(recorded.request_digest, R"({"method":"GET"})");
  EXPECT_EQ(recorded.fingerprint, Sha256Hex(recorded.task.plan_snapshot));
  EXPECT_EQ(recorded.expr_hash, Sha256Hex(recorded.expression));
  EXPECT_EQ(recorded.signature,
            domain::SliceSignature(recorded.task.lane, recorded.expr_hash, recorded.task.slice));
  ASSERT_TRUE(recorded.raw_page);
  EXPECT_EQ(recorded.raw_page->body, "{}");
  EXPECT_EQ(recorded.raw_page->fetched_at, kStart);
  EXPECT_EQ(recorded.lineage.slice, task.lineage.slice);

  EXPECT_EQ(ports_->replays().Read(run->lineage.run, 1).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ports_->replays().Read(1, run->lineage.batch).error().code, ErrorCode::kNotFound);
}

TEST_P(ReplayStoreContract, KnowsTheIdsOfBothPhases) {
  const auto task = Leased();
  auto run = ports_->runs().Open(task, kFirstPage);
  auto list = BatchOf(task, *run, {});
  list.found_ids = {"3", "1", "2"};
  list.after = Position{.is_detail = true};
  const auto listed = ports_->runs().Commit(list);
  ASSERT_TRUE(listed);
  EXPECT_THAT(Read(run->lineage.run, run->lineage.batch).ids, ElementsAre("1", "2", "3"));

  run->lineage.batch = listed->next_batch;
  auto details = BatchOf(task, *run, {RecordOf("1", kStart)});
  details.batch_no = 2;
  details.before = *list.after;
  details.answered_ids = {"1"};
  details.bad_ids = {{"3", "gone"}};
  details.after = Position{.token = "2", .is_detail = true};
  const auto committed = ports_->runs().Commit(details);
  ASSERT_TRUE(committed) << committed.error().Describe();
  const auto recorded = Read(run->lineage.run, listed->next_batch);
  EXPECT_TRUE(recorded.before->is_detail);
  EXPECT_THAT(recorded.ids, ElementsAre("1", "3"));
}

TEST_P(ReplayStoreContract, ShowsStoredRecordsInTheOrderAskedFor) {
  const auto task = Leased();
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(
      BatchOf(task, *run, {RecordOf("a", kStart, "A"), RecordOf("b", kStart, "B")})));
  const std::vector<std::string> ids{"b", "none", "a"};
  const auto stored = ports_->replays().Stored(task.lane, ids);
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->size(), 3u);
  EXPECT_EQ((*stored)[0]->fields, R"({"title":"B"})");
  EXPECT_FALSE((*stored)[1]);
  EXPECT_EQ((*stored)[2]->version.updated_at, kStart);
}

TEST_P(ReplayStoreContract, IsolatedRecordsStandBesideTheBatchsOwnAndOnce) {
  const auto task = Leased();
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {});
  batch.bad_records = {{.path = "$", .rule = "json", .reason = "r", .bytes = "b"}};
  batch.raw_page = app::RawPage{"application/json", "{}", kStart};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  const auto recorded = Read(run->lineage.run, run->lineage.batch);
  const auto isolate = [&](const std::string& bytes) {
    return ports_->replays().Isolate(
        {.batch = recorded,
         .records = {{.id = "a", .path = "", .rule = "replay", .reason = "r", .bytes = bytes}},
         .fetched_at = kStart + kHour,
         .decision = kAnna,
         .details = R"({"counts":{"new":1}})"});
  };
  EXPECT_EQ(isolate("one"), 1);
  EXPECT_EQ(isolate("one"), 0);
  EXPECT_EQ(isolate("two"), 1);
  const auto entries = ports_->quarantine().List({.rule = "replay"}, 0, 10);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ(entries->front().level, "RECORD");
  EXPECT_EQ(entries->front().lineage.batch, run->lineage.batch);
  const auto found = ports_->quarantine().Find(entries->back().id);
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->bytes, "one");
  EXPECT_EQ((*found)->fetched_at, kStart + kHour) << "the replay's, not the batch's";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'REPLAY_ISOLATE' AND "
                          "actor = 'anna' AND json_extract(details, '$.counts.new') = 1"),
            2);
}

TEST_P(ReplayStoreContract, ACommitGoesByTheOverwriteRuleAndTheSameTwiceIsOnce) {
  const auto task = Leased();
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run,
                                            {RecordOf("old", kStart, "O"), RecordOf("same", kStart),
                                             RecordOf("newer", kStart + 2 * kHour, "N")})));
  const auto recorded = Read(run->lineage.run, run->lineage.batch);
  clock_.Advance(kHour);
  auto gone = RecordOf("new", kStart);
  gone.version.deleted = true;
  const auto commit = [&] {
    return ports_->replays().Commit(
        {.batch = recorded,
         .records = {RecordOf("old", kStart + kHour, "O2"), RecordOf("same", kStart),
                     RecordOf("newer", kStart, "older"), gone},
         .decision = kAnna,
         .details = "{}"});
  };
  const auto runs = Runs();
  const auto messages = ports_->Count("SELECT count(*) FROM ing_outbox_message");
  const auto first = commit();
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->counts, (domain::RecordCounts{.received = 4,
                                                 .inserted = 1,
                                                 .updated = 1,
                                                 .unchanged = 1,
                                                 .stale = 1,
                                                 .inserted_gone = 1}));
  EXPECT_EQ(Runs(), runs + 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_outbox_message"), messages + 1)
      << "what was stored, and that one of it is gone";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE batch_id = " +
                          std::to_string(run->lineage.batch)),
            4);
  clock_.Advance(kHour);
  const auto second = commit();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->run, 0);
  EXPECT_EQ(second->counts.inserted + second->counts.updated, 0);
  EXPECT_EQ(Runs(), runs + 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit"), 1);
}

// The worker claimed before the replay and opens its run after it; and a replay is no attempt that counts.
TEST_P(ReplayStoreContract, AReplayTakesNoWorkersNumber) {
  const auto task = Leased();
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run->lineage,
                                       .reason = "r",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now()}));
  const auto recorded = Read(run->lineage.run, run->lineage.batch);
  EXPECT_EQ(recorded.status, domain::BatchStatus::kFailed);
  const auto commit = [&](const std::string& id) {
    const auto done = ports_->replays().Commit(
        {.batch = recorded, .records = {RecordOf(id, kStart)}, .decision = kAnna, .details = "{}"});
    ASSERT_TRUE(done) << done.error().Describe();
  };
  commit("a");
  const auto claimed = Claim(1).front();
  EXPECT_EQ(claimed.runs_so_far, 1);
  commit("b");
  const auto opened = ports_->runs().Open(claimed, kFirstPage);
  ASSERT_TRUE(opened) << opened.error().Describe();
  EXPECT_FALSE(opened->is_resumed);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(claimed, *opened, {RecordOf("c", kStart)})));
  commit("d");
  EXPECT_TRUE(ports_->runs().Close({.task = claimed, .lineage = opened->lineage}));
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_task_run WHERE is_replay = 1 AND attempt_no < 0 "
                    "AND status_code = 'SUCCEEDED'"),
      3);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 4);
}

}  // namespace patra::replay_store_contract_test
