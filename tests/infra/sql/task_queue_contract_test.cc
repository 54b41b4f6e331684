// What every task queue must do.
#include <array>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "infra/sql/task_table.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::task_queue_contract_test {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TaskQueueContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(TaskQueueContract);

TEST_P(TaskQueueContract, ClaimsTheMostUrgentFirstThenTheEarliest) {
  Planned(0, 2, "slow", domain::Operation::kBackfill);
  Planned(0, 2, "fast", domain::Operation::kHarvest);
  const auto claimed = Claim(4);
  ASSERT_THAT(claimed, SizeIs(4));
  EXPECT_EQ(claimed[0].lane.provenance, "fast");
  EXPECT_EQ(claimed[1].lane.provenance, "fast");
  EXPECT_LT(claimed[0].window().from(), claimed[1].window().from());
  EXPECT_EQ(claimed[2].lane.provenance, "slow");
}

// Whoever chose a task before somebody else took it finds it taken.
TEST_P(TaskQueueContract, WhatSomebodyElseWasFasterToTakeIsLostAndNotTakenTwice) {
  Planned(0, 2);
  const auto first = Claim(1, "first").at(0);
  const auto leased = ports_->database().Write([&](infra::sql::Session& session) {
    const std::array tasks{first.lineage.task};
    return infra::sql::task_table::Lease(session, tasks, "second", clock_.Now() + 15s,
                                         clock_.Now());
  });
  ASSERT_TRUE(leased) << leased.error().Describe();
  EXPECT_THAT(leased->tasks, IsEmpty());
  EXPECT_EQ(leased->lost, 1);
  EXPECT_EQ(ports_->queue().TakeLostClaims(), 0) << "that was no claim of the queue";
}

TEST_P(TaskQueueContract, EquallyUrgentLanesTakeTurns) {
  Planned(0, 10, "big");
  Planned(0, 10, "small");
  const auto claimed = Claim(4);
  ASSERT_THAT(claimed, SizeIs(4));
  EXPECT_EQ(std::ranges::count_if(claimed,
                                  [](const auto& task) { return task.lane.provenance == "small"; }),
            2);
}

TEST_P(TaskQueueContract, WhatOthersRunOrRanWhenTheyDiedKeepsNobodyFromASource) {
  Planned(0, 10, "a");
  Planned(0, 10, "b");
  const auto claim = [&](const char* owner) {
    return ports_->queue()
        .Claim({.owner = owner, .tasks_max = 10, .lease = 15s, .running_per_lane_max = 3})
        ->size();
  };
  EXPECT_EQ(claim("w"), 6u) << "three of each";
  EXPECT_EQ(claim("w"), 0u);
  EXPECT_EQ(claim("other"), 6u) << "whether or not the first one lives";
}

TEST_P(TaskQueueContract, ABoundOfALaneOrOfAllCountsWhatEverybodyRuns) {
  const auto lane = Planned(0, 10, "a").lane.Key();
  Planned(0, 10, "b");
  const auto claim = [&](const char* owner, const domain::AtOnce& at_once) {
    return ports_->queue()
        .Claim({.owner = owner,
                .tasks_max = 10,
                .lease = 15s,
                .running_per_lane_max = 1000,
                .at_once = at_once})
        ->size();
  };
  EXPECT_EQ(claim("w", {.lanes = {{lane, 2}}, .other_lane = 1}), 3u);
  EXPECT_EQ(claim("other", {.lanes = {{lane, 3}}, .other_lane = 1}), 1u);
  EXPECT_EQ(claim("third", {.in_all = 6}), 2u);
  EXPECT_EQ(claim("third", {.in_all = 6}), 0u);
}

TEST_P(TaskQueueContract, ALaneThatAppearsIsFoundWhereverItStandsAmongTheOthers) {
  for (const auto* source : {"m", "c", "x", "a", "zz", "n"}) {
    Planned(0, 1, source);
    const auto claimed = Claim(10);
    ASSERT_THAT(claimed, SizeIs(1)) << source;
    EXPECT_EQ(claimed[0].lane.provenance, source);
  }
  // What ran dry may come back.
  Planned(5, 6, "c");
  EXPECT_THAT(Claim(10), SizeIs(1));
}

TEST_P(TaskQueueContract, KnowsHowLongAnswersTookLately) {
  const auto plan = Planned(0, 2);
  const auto commit = [&](std::int64_t latency_ms) {
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {});
    batch.latency_ms = latency_ms;
    ASSERT_TRUE(ports_->runs().Commit(batch));
  };
  commit(100);
  commit(300);
  const auto lately = ports_->queue().Latencies();
  ASSERT_TRUE(lately);
  EXPECT_EQ(*lately, (app::LaneLatencies{{plan.lane.Key(), 200ms}}));
  clock_.Advance(1h);
  EXPECT_EQ(ports_->queue().Latencies(), app::LaneLatencies{});
}

TEST_P(TaskQueueContract, AClaimedTaskIsNotClaimedAgain) {
  Planned(0, 1);
  EXPECT_THAT(Claim(1), SizeIs(1));
  EXPECT_THAT(Claim(1), IsEmpty());
}

TEST_P(TaskQueueContract, ATaskGivenBackForLaterIsClaimedOnlyWhenItIsDue) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  ASSERT_TRUE(ports_->queue().Release(task, clock_.Now() + 60s, "waiting for the quota"));
  EXPECT_THAT(Claim(1), IsEmpty());
  clock_.Advance(59s);
  EXPECT_THAT(Claim(1), IsEmpty());
  clock_.Advance(1s);
  EXPECT_THAT(Claim(1), SizeIs(1));
}

TEST_P(TaskQueueContract, ParkedTasksDoNotKeepReadyOnesWaiting) {
  Planned(0, 3);
  for (const auto& task : Claim(2)) {
    ASSERT_TRUE(ports_->queue().Release(task, clock_.Now() + 1h, "parked"));
  }
  EXPECT_THAT(Claim(10), SizeIs(1));
}

TEST_P(TaskQueueContract, AnExpiredLeaseIsTakenOverBeforeAndAfterTheRunStarted) {
  Planned(0, 2);
  const auto tasks = Claim(2);
  ASSERT_TRUE(ports_->runs().Open(tasks[0], kFirstPage));  // EXECUTING; the other stays DISPATCHED
  clock_.Advance(16s);
  EXPECT_EQ(ports_->queue().RescueExpired(), 2);
  EXPECT_THAT(Claim(10, "worker-2"), SizeIs(2));
}

// Whoever looks at the lists sees no run that nobody runs.
TEST_P(TaskQueueContract, ARunWhoseLeaseIsLostEndsWithTheBatchThatWasUnderWay) {
  Planned(0, 4);
  const auto state_of = [&](const app::RunOpened& run) {
    auto& ledger = ports_->store().read().ledger();
    const auto row = ledger.Run(run.lineage.run);
    const auto batches = ledger.Batches({.run = run.lineage.run});
    auto text = row->status + "/" + row->error.value_or("");
    for (const auto& batch : *batches) text += " " + batch.status + "/" + batch.error.value_or("");
    return text;
  };
  const std::string abandoned = "abandoned: its executor stopped or lost the lease";
  const auto expected = "FAILED/" + abandoned + " GIVEN_BACK/" + abandoned;

  const auto killed = Claim(1).at(0);
  auto run = *ports_->runs().Open(killed, kFirstPage);
  auto batch = BatchOf(killed, run, {});
  batch.after = domain::Position{.page = 2};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  EXPECT_THAT(state_of(run), ::testing::StartsWith("RUNNING/ RUNNING/ S"));
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  EXPECT_THAT(state_of(run), ::testing::StartsWith(expected + " S")) << "what was committed stays";

  const auto taken = Claim(1).at(0);
  run = *ports_->runs().Open(taken, kFirstPage);
  ASSERT_TRUE(ports_->queue().TakeAway(taken.lineage.task, {{"test"}, "it hangs"}));
  EXPECT_EQ(state_of(run), expected);

  const auto left = Claim(1).at(0);
  run = *ports_->runs().Open(left, kFirstPage);
  ASSERT_TRUE(ports_->queue().Release(left, clock_.Now(), "NONE"));
  EXPECT_EQ(state_of(run), expected);

  const auto cancelled = Claim(1).at(0);
  run = *ports_->runs().Open(cancelled, kFirstPage);
  ASSERT_TRUE(ports_->plans().CancelTask(cancelled.lineage.task, {{"test"}, "not needed"}));
  EXPECT_EQ(state_of(run), "CANCELLED/not needed GIVEN_BACK/not needed");
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'RUNNING'"),
            0);
}

TEST_P(TaskQueueContract, ClaimsThatCameToNothingAreCountedUntilOneBringsSomething) {
  Planned(0, 1);
  for (int died = 0; died < 3; ++died) {
    const auto task = Claim(1).at(0);
    EXPECT_EQ(task.fruitless_claims, died + 1);
    if (died == 1) {
      ASSERT_TRUE(ports_->runs().Open(task, kFirstPage));
    }
    clock_.Advance(16s);
    EXPECT_EQ(ports_->queue().RescueExpired(), 1);
  }
  auto task = Claim(1).at(0);
  EXPECT_EQ(task.fruitless_claims, 4);
  ASSERT_TRUE(ports_->queue().Release(task, clock_.Now(), "COOL_DOWN"));
  task = Claim(1).at(0);
  EXPECT_EQ(task.fruitless_claims, 1) << "who waits gives back in good order";
  ASSERT_TRUE(
      ports_->queue().Release(task, clock_.Now(), std::string(Name(domain::WaitReason::kNone))));
  EXPECT_EQ(Claim(1).at(0).fruitless_claims, 2) << "who lost its lease got nowhere";
}

TEST_P(TaskQueueContract, ATaskIsGivenUpWhetherItsRunHasBegunOrNot) {
  Planned(0, 2);
  const auto tasks = Claim(2);
  ASSERT_TRUE(ports_->runs().Open(tasks[0], kFirstPage));
  for (const auto& task : tasks) {
    const auto given_up = ports_->runs().GiveUp(task, "nobody knows what to do");
    ASSERT_TRUE(given_up) << given_up.error().Describe();
    EXPECT_EQ(ports_->runs().GiveUp(task, "again").error().code, ErrorCode::kLeaseLost);
  }
  EXPECT_THAT(Claim(10), IsEmpty());
  ASSERT_TRUE(ports_->queue().Requeue(tasks[0].lineage.task, {{"test"}, "it was mended"}));
  EXPECT_EQ(Claim(10).at(0).fruitless_claims, 1);
}

TEST_P(TaskQueueContract, ALeaseThatHoldsIsNotRescued) {
  Planned(0, 1);
  Claim(1);
  clock_.Advance(14s);
  EXPECT_EQ(ports_->queue().RescueExpired(), 0);
}

TEST_P(TaskQueueContract, RenewalExtendsAllLeasesOfItsOwnerAndNoOthers) {
  Planned(0, 3);
  const auto mine = Claim(2, "worker-1");
  Claim(1, "worker-2");
  clock_.Advance(10s);
  EXPECT_THAT(*ports_->queue().Renew("worker-1", 15s),
              ::testing::UnorderedElementsAre(mine[0].lineage.task, mine[1].lineage.task));
  clock_.Advance(10s);
  EXPECT_EQ(ports_->queue().RescueExpired(), 1);
}

TEST_P(TaskQueueContract, AnExpiredLeaseCannotBeRenewed) {
  Planned(0, 1);
  Claim(1);
  clock_.Advance(16s);
  EXPECT_THAT(*ports_->queue().Renew("worker-1", 15s), IsEmpty());
}

TEST_P(TaskQueueContract, EveryClaimRaisesTheFence) {
  Planned(0, 1);
  const auto first = Claim(1).at(0);
  clock_.Advance(16s);
  ASSERT_TRUE(ports_->queue().RescueExpired());
  EXPECT_GT(Claim(1, "worker-2").at(0).fence, first.fence);
}

TEST_P(TaskQueueContract, ARescueRaisesTheFenceToo) {
  Planned(0, 1);
  const auto lost = Claim(1).at(0);
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  EXPECT_EQ(Claim(1, "worker-2").at(0).fence, lost.fence + 2);
}

TEST_P(TaskQueueContract, AWorkerThatLostItsLeaseCanNeitherGiveBackNorStart) {
  Planned(0, 1);
  const auto lost = Claim(1).at(0);
  clock_.Advance(16s);
  ASSERT_TRUE(ports_->queue().RescueExpired());
  EXPECT_EQ(ports_->queue().Release(lost, clock_.Now(), "late").error().code,
            ErrorCode::kLeaseLost);
  EXPECT_EQ(ports_->runs().Open(lost, kFirstPage).error().code, ErrorCode::kLeaseLost);
}

TEST_P(TaskQueueContract, AWorkerThatWasTooSlowToStartDoesNotStartForAnother) {
  Planned(0, 1);
  const auto lost = Claim(1).at(0);
  clock_.Advance(16s);
  ASSERT_EQ(ports_->queue().RescueExpired(), 1);
  const auto held = Claim(1, "worker-2").at(0);
  EXPECT_FALSE(ports_->runs().Open(lost, kFirstPage)) << "it is dispatched, but to another";
  EXPECT_TRUE(ports_->runs().Open(held, kFirstPage));
}

TEST_P(TaskQueueContract, AFailedTaskIsQueuedAgainByADecisionThatIsAudited) {
  Planned(0, 2);
  const auto tasks = Claim(2);
  ASSERT_TRUE(Finish(tasks[0], domain::TaskStatus::kFailed));
  ASSERT_TRUE(Finish(tasks[1]));
  EXPECT_TRUE(ports_->queue().Requeue(tasks[0].lineage.task, {{"anna"}, "the provider is back"}));
  EXPECT_EQ(ports_->queue().Requeue(tasks[1].lineage.task, {{"anna"}, "why not"}).error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_audit WHERE actor = 'anna' AND action = 'REQUEUE'"),
      1);
  const auto again = Claim(2);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_TRUE(Finish(again[0]));
}

TEST_P(TaskQueueContract, APersonFreesWhatIsParkedForYears) {
  Planned(0, 2);
  const auto tasks = Claim(2);
  const auto in_ten_years = clock_.Now() + std::chrono::days(3'650);
  for (const auto& task : tasks)
    ASSERT_TRUE(ports_->queue().Release(task, in_ten_years, "COOL_DOWN"));
  ASSERT_THAT(Claim(2), SizeIs(0));
  ASSERT_TRUE(ports_->queue().Requeue(tasks[0].lineage.task, {{"anna"}, "they let us in again"}));
  ASSERT_THAT(Claim(2), SizeIs(1));
  EXPECT_EQ(ports_->queue().FreeParked("other", "other#key", {{"anna"}, "a new contract"}), 0);
  EXPECT_EQ(ports_->queue().FreeParked("demo", "demo/items", {{"anna"}, "a new contract"}), 1);
  ASSERT_THAT(Claim(2), SizeIs(1));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE actor = 'anna'"), 3);
  EXPECT_EQ(
      ports_->Count(
          "SELECT count(*) FROM ing_audit WHERE action = 'RESET_GATE' AND object_type = 'GATE_KEY' "
          "AND object_id = 'other#key' AND reason = 'a new contract'"),
      1)
      << "also where nothing waited";
}

TEST_P(TaskQueueContract, ACommandTriesWhatFailedAgainAndIsCounted) {
  const auto plan = Planned(0, 2);
  const auto tasks = Claim(2);
  ASSERT_TRUE(Finish(tasks[0], domain::TaskStatus::kFailed));
  ASSERT_TRUE(Finish(tasks[1], domain::TaskStatus::kPartial));
  const auto unfinished =
      ports_->plans().Unfinished(plan.lane, plan.query_hash, testing::Hours(0, 1));
  ASSERT_TRUE(unfinished) << unfinished.error().Describe();
  ASSERT_THAT(*unfinished, SizeIs(1));
  EXPECT_EQ(unfinished->at(0).task, tasks[0].lineage.task);
  EXPECT_EQ(unfinished->at(0).fingerprint, plan.snapshot_hash);
  EXPECT_THAT(*ports_->plans().UnfinishedOf(plan.id), SizeIs(2));
  EXPECT_EQ(ports_->queue().TryAgain(unfinished->at(0), {{"MANUAL"}, "asked again"}), true);
  EXPECT_EQ(ports_->queue().TryAgain(unfinished->at(0), {{"MANUAL"}, "asked again"}), false)
      << "another command was faster";
  const auto again = Claim(2);
  ASSERT_THAT(again, SizeIs(1));
  ASSERT_TRUE(Finish(again[0], domain::TaskStatus::kFailed));
  EXPECT_EQ(ports_->plans().UnfinishedOf(plan.id)->at(1).tries, 1);
}

// However many tasks wait for a provider that lets nobody in, nobody has to claim them to find out.
TEST_P(TaskQueueContract, AShutLaneGivesOutNothingUntilItOpens) {
  const auto shut_plan = Planned(0, 3, "shut");
  Planned(0, 1, "open");
  const app::ShutLanes shut{{shut_plan.lane.Key(), clock_.Now() + 10min}};
  app::ClaimRequest request{.owner = "worker-1", .tasks_max = 10, .lease = 15s, .shut = shut};
  const auto claimed = *ports_->queue().Claim(request);
  ASSERT_THAT(claimed, SizeIs(1));
  EXPECT_EQ(claimed[0].lane.provenance, "open");
  const auto open = *ports_->queue().LookAt(shut_plan.lane, shut);
  EXPECT_EQ(open.queued, 3);
  EXPECT_EQ(open.next_due, clock_.Now() + 10min);
  clock_.Advance(10min);
  EXPECT_THAT(*ports_->queue().Claim(request), SizeIs(3));
}

TEST_P(TaskQueueContract, ManyClaimersInTwoProcessesNeverShareATask) {
  Planned(0, 200);
  const auto other = backend_->Connect(clock_);
  std::mutex mutex;
  std::vector<Id> all;
  const auto drain = [&](testing::LedgerPorts& ports, std::string owner) {
    while (true) {
      const auto claimed = ports.queue().Claim(
          {.owner = owner, .tasks_max = 7, .lease = 15s, .running_per_lane_max = 1000});
      ASSERT_TRUE(claimed) << claimed.error().Describe();
      if (claimed->empty()) return;
      const std::lock_guard lock(mutex);
      for (const auto& task : *claimed) all.push_back(task.lineage.task);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] { drain(*ports_, "a" + std::to_string(i)); });
      threads.emplace_back([&, i] { drain(*other, "b" + std::to_string(i)); });
    }
  }
  EXPECT_EQ(all.size(), 200u);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 200u);
}

}  // namespace patra::task_queue_contract_test
