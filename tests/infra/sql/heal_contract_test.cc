// Self-healing on a store: what it sees there, what it does, and what it writes down.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/heal/heal_once.h"
#include "base/canonical_json.h"
#include "domain/spec/source_rules.h"
#include "infra/gate/rate_gate.h"
#include "infra/sql/gate_ledger.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::heal_contract_test {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HealContract : public testing::LedgerTest {
 protected:
  std::vector<app::HealEntry> Heal(app::RateGate* gate = nullptr,
                                   app::GateLedger* quotas = nullptr) {
    auto done = app::HealOnce({.health = ports_->health(),
                               .journal = ports_->journal(),
                               .holds = ports_->holds(),
                               .plans = ports_->plans(),
                               .queue = ports_->queue(),
                               .adjustments = ports_->adjustments(),
                               .clock = clock_,
                               .gate = gate,
                               .quotas = quotas,
                               .alerts = &ports_->alerts()})
                    .Run();
    EXPECT_TRUE(done) << done.error().Describe();
    return done ? *std::move(done) : std::vector<app::HealEntry>{};
  }

  // The same plan as Planned(), of a source whose definition can be read.
  domain::Plan PlannedOf(const domain::SpecSnapshot& spec, int from, int to) {
    auto plan = Draft(from, to);
    plan.snapshot = CanonicalJson(spec.ToValue());
    EXPECT_TRUE(ports_->plans().AddIfAbsent(plan));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    EXPECT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
    return plan;
  }

  domain::Observations Seen() {
    const auto all = ports_->health().Observe(domain::HealPolicy{});
    EXPECT_TRUE(all) << all.error().Describe();
    EXPECT_THAT(*all, SizeIs(1));
    return all && !all->empty() ? all->front().seen : domain::Observations{};
  }

  void Adjust(app::AdjustmentKind kind, std::int64_t value, std::optional<Instant> until = {}) {
    ASSERT_TRUE(ports_->adjustments().Put({.provenance = "demo",
                                           .endpoint = "items",
                                           .kind = kind,
                                           .value = value,
                                           .reason = "r",
                                           .until = until,
                                           .made_by = std::string(app::kHealActor)}));
  }

  app::RunOpened Begin(const app::LeasedTask& task) {
    auto run = ports_->runs().Open(task, kFirstPage);
    EXPECT_TRUE(run) << run.error().Describe();
    return *std::move(run);
  }

  void Bring(int good, int bad) {
    const auto task = Claim(1).front();
    const auto run = Begin(task);
    std::vector<domain::Record> records;
    for (int i = 0; i < good; ++i)
      records.push_back(RecordOf(fmt::format("{}-{}", run.lineage.run, i), testing::kStart));
    auto batch = BatchOf(task, run, std::move(records));
    for (int i = 0; i < bad; ++i)
      batch.bad_records.push_back(
          {.path = "$.t", .rule = "required", .reason = "r", .bytes = "{}"});
    EXPECT_TRUE(ports_->runs().Commit(batch));
    EXPECT_TRUE(ports_->runs().Close({.task = task, .lineage = run.lineage}));
  }

  void FailOne(domain::ErrorLevel level, const std::string& error) {
    const auto task = Claim(1).front();
    const auto run = ports_->runs().Open(task, kFirstPage);
    ASSERT_TRUE(ports_->runs().Close({.task = task,
                                      .lineage = run->lineage,
                                      .status = domain::TaskStatus::kFailed,
                                      .error = error,
                                      .level = level}));
  }
};
RUN_ON_EVERY_LEDGER(HealContract);

TEST_P(HealContract, AHealthyStoreIsLeftAlone) {
  Planned(0, 2);
  for (const auto& task : Claim(2)) ASSERT_TRUE(Finish(task));
  EXPECT_THAT(Heal(), IsEmpty());
}

TEST_P(HealContract, ATaskWithoutProgressIsTakenAwayAndItsWorkerCommitsNothing) {
  Planned(0, 1);
  const auto task = Claim(1).front();
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(run);
  ASSERT_TRUE(ports_->queue().Renew("worker-1", 5min));
  for (int minute = 0; minute < 11; ++minute) {
    clock_.Advance(1min - 10s);
    ASSERT_TRUE(ports_->queue().Renew("worker-1", 5min));
    clock_.Advance(10s);
  }
  ASSERT_THAT(*ports_->queue().Renew("worker-1", 5min), SizeIs(1)) << "the worker lives";
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("TAKE_TASK_AWAY"));
  EXPECT_EQ(done[0].about.task, task.lineage.task);
  EXPECT_EQ(ports_->runs().Commit(BatchOf(task, *run, {})).error().code, ErrorCode::kLeaseLost);
  EXPECT_THAT(Claim(1, "worker-2"), SizeIs(1));
  EXPECT_EQ(ports_->queue().TakeAway(12345, {{"me"}, "r"}).error().code, ErrorCode::kConflict);
}

TEST_P(HealContract, APlanThatNobodyConsumesIsSaidOnceInAWhile) {
  const auto plan = Planned(0, 1);
  clock_.Advance(31min);
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("WAKE_EXECUTORS"));
  EXPECT_EQ(done[0].about.plan, plan.id);
  ASSERT_THAT(*ports_->alerts().List({}), SizeIs(1));
  EXPECT_THAT(ports_->alerts().List({})->front().key, HasSubstr("heal/WAKE_EXECUTORS/demo/items"));
  EXPECT_THAT(Heal(), IsEmpty()) << "it was said a moment ago";
  clock_.Advance(16min);
  EXPECT_THAT(Heal(), SizeIs(1));
  const auto log = ports_->journal().List("demo", testing::kStart, 10);
  ASSERT_TRUE(log);
  EXPECT_THAT(*log, SizeIs(2));
  EXPECT_THAT(*ports_->journal().List("other", testing::kStart, 10), IsEmpty());
  ASSERT_TRUE(Finish(Claim(1).front()));
  EXPECT_THAT(Heal(), IsEmpty());
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty()) << "somebody came";
}

// After an L4 neither planner nor executor goes on until a person resets the fuse.
TEST_P(HealContract, AFatalErrorBlowsTheFuseUntilItIsReset) {
  Planned(0, 2);
  FailOne(domain::ErrorLevel::kL4, "401: the key is not valid");
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("STOP_SOURCE"));
  EXPECT_THAT(Claim(1), IsEmpty());
  const auto holds = ports_->holds().Holds(domain::Role::kPlanner);
  ASSERT_THAT(*holds, SizeIs(1));
  EXPECT_THAT((*holds)[0].reason, HasSubstr("401"));
  ASSERT_TRUE(ports_->holds().Reset("demo", "items", {{"anna"}, "new key"}));
  EXPECT_THAT(Claim(1), SizeIs(1));
}

TEST_P(HealContract, WhatBlewAFuseThatWasResetDoesNotBlowItAgain) {
  Planned(0, 3);
  FailOne(domain::ErrorLevel::kL4, "401: the key is not valid");
  ASSERT_TRUE(
      ports_->holds().Blow({.provenance = "demo", .endpoint = "items", .reason = "401"}, "{}"));
  clock_.Advance(10s);
  ASSERT_TRUE(ports_->holds().Reset("demo", "items", {{"anna"}, "new key"}));
  EXPECT_THAT(Heal(), IsEmpty());
  clock_.Advance(10s);
  FailOne(domain::ErrorLevel::kL4, "401: nor is the new one");
  ASSERT_THAT(Heal(), SizeIs(1));
  EXPECT_THAT(Claim(1), IsEmpty());
}

TEST_P(HealContract, WrongRequestsInAFifthOfTheSlicesMakeThePlanPartial) {
  Planned(0, 3);
  FailOne(domain::ErrorLevel::kL2, "400: from-date");
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("MARK_PARTIAL"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE status_code = 'PARTIAL'"), 1);
}

TEST_P(HealContract, WrongRequestsOfASliceAreCountedOverAllOfItsRuns) {
  Planned(0, 1);
  for (int i = 0; i < 6; ++i) {
    FailOne(domain::ErrorLevel::kL2, "400: from-date");
    EXPECT_EQ(Seen().slices.at(0).l2, i + 1);
    clock_.Advance(10min);  // further apart than healing looks back
    const auto task = ports_->Count("SELECT id FROM ing_task");
    ASSERT_TRUE(ports_->queue().Requeue(task, {{"me"}, "try it again"}));
  }
}

TEST_P(HealContract, APauseOfThePlannerLeavesTasksAlone) {
  Planned(0, 1);
  ASSERT_TRUE(ports_->holds().Pause(
      {.provenance = "demo", .reason = "r", .only = domain::Role::kPlanner}, {{"me"}, "r"}));
  EXPECT_THAT(*ports_->holds().Holds(domain::Role::kPlanner), SizeIs(1));
  EXPECT_THAT(*ports_->holds().Holds(domain::Role::kExecutor), IsEmpty());
  EXPECT_THAT(Claim(1), SizeIs(1));
}

TEST_P(HealContract, ABadPageIsIsolatedWithTheEndOfItsSlice) {
  Planned(0, 1);
  const auto task = Claim(1).front();
  const auto run = ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Close({.task = task,
                                    .lineage = run->lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "changed",
                                    .level = domain::ErrorLevel::kL4,
                                    .bad_page = app::BadPage{1, "changed", "<html>"}}));
  const auto entries = ports_->quarantine().List({}, 0, 10);
  ASSERT_THAT(*entries, SizeIs(1));
  EXPECT_EQ((*entries)[0].level, "BATCH");
  EXPECT_EQ((*ports_->quarantine().Find((*entries)[0].id))->bytes, "<html>");
}

TEST_P(HealContract, FailuresInARowEndWithASuccess) {
  Planned(0, 6);
  FailOne(domain::ErrorLevel::kL1, "503");
  clock_.Advance(1s);
  ASSERT_TRUE(Finish(Claim(1).front()));
  clock_.Advance(1s);
  FailOne(domain::ErrorLevel::kL1, "503");
  FailOne(domain::ErrorLevel::kL1, "503");
  FailOne(domain::ErrorLevel::kL1, "timeout");
  const auto seen = Seen();
  EXPECT_EQ(seen.l1, 4);
  EXPECT_EQ(seen.failures_in_a_row, 3);
  EXPECT_EQ(seen.same_l1_in_a_row, 1) << "the last one was another";
  EXPECT_EQ(seen.batches, 5);
}

TEST_P(HealContract, WastedRequestsCountAsRequestsAndNotAsBatches) {
  Planned(0, 2);
  const auto task = Claim(1).front();
  const auto run = Begin(task);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run.lineage,
                                       .status = domain::RunStatus::kCancelled,
                                       .reason = "COOL_DOWN",
                                       .again_at = clock_.Now(),
                                       .evidence = {.sent = {.requests = 3, .throttled = 2}}}));
  ASSERT_TRUE(Finish(Claim(1).front()));
  const auto seen = Seen();
  EXPECT_EQ(seen.batches, 1);
  EXPECT_EQ(seen.requests, 4);
  EXPECT_EQ(seen.throttled, 2);
}

// A slice that succeeds after all shows that its requests are not wrong any more.
TEST_P(HealContract, WrongRequestsThatWereOvercomeDoNotCount) {
  Planned(0, 1);
  const auto task = Claim(1).front();
  const auto run = Begin(task);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run.lineage,
                                       .status = domain::RunStatus::kFailed,
                                       .reason = "404",
                                       .level = domain::ErrorLevel::kL2,
                                       .again_at = clock_.Now()}));
  EXPECT_EQ(Seen().l2, 1);
  clock_.Advance(1s);
  ASSERT_TRUE(Finish(Claim(1).front()));
  EXPECT_EQ(Seen().l2, 0);
}

// An L2 names the field that is to blame, and planning stops until a person has corrected it.
TEST_P(HealContract, AWrongParameterPausesPlanningAndIsNamed) {
  Planned(0, 20);
  const auto task = Claim(1).front();
  const auto run = Begin(task);
  ASSERT_TRUE(ports_->runs().Close({.task = task,
                                    .lineage = run.lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "400: from-date",
                                    .level = domain::ErrorLevel::kL2,
                                    .wrong_parameter = "from-date"}));
  EXPECT_EQ(Seen().wrong_parameter, "from-date");
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("PAUSE_PLANNER"));
  const auto holds = ports_->holds().Holds(domain::Role::kPlanner);
  ASSERT_THAT(*holds, SizeIs(1));
  EXPECT_THAT((*holds)[0].reason, HasSubstr("'from-date'"));
  EXPECT_FALSE((*holds)[0].until);
  EXPECT_THAT(Claim(1), SizeIs(1)) << "what is planned goes on";
  const auto alerts = ports_->alerts().List({});
  ASSERT_THAT(*alerts, SizeIs(1));
  EXPECT_EQ((*alerts)[0].key, "pause/demo/items");
  EXPECT_THAT((*alerts)[0].message, HasSubstr("'from-date'"));
  Heal();
  EXPECT_EQ(ports_->alerts().List({})->front().times_seen, 1) << "it is said once";
  ASSERT_TRUE(ports_->holds().Resume("demo", "items", {{"anna"}, "corrected"}));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty());
}

// What has to wait for a person is neither put off nor ended by a pause for a while.
TEST_P(HealContract, APauseForAWhileDoesNotStandInForOneWithoutAnEnd) {
  Planned(0, 60);
  const auto task = Claim(1).front();
  const auto run = Begin(task);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run.lineage,
                                       .status = domain::RunStatus::kCancelled,
                                       .again_at = clock_.Now() + 1h,
                                       .evidence = {.sent = {.requests = 100, .throttled = 90}}}));
  for (const auto& other : Claim(20)) ASSERT_TRUE(Finish(other));
  const auto pauses = [&] {
    std::vector<std::string> reasons;
    const auto holds = ports_->holds().Holds(domain::Role::kPlanner);
    for (const auto& hold : *holds)
      reasons.push_back(hold.reason + (hold.until ? " (for a while)" : ""));
    return reasons;
  };
  Heal();
  EXPECT_THAT(pauses(), ElementsAre(HasSubstr("(for a while)")));
  const auto wrong = Claim(1).front();
  ASSERT_TRUE(ports_->runs().Close({.task = wrong,
                                    .lineage = Begin(wrong).lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "400: from-date",
                                    .level = domain::ErrorLevel::kL2,
                                    .wrong_parameter = "from-date"}));
  Heal();
  EXPECT_THAT(pauses(), ElementsAre("the provider refuses 'from-date': 400: from-date"));
  // Throttled again, after what was done has had its time and while the parameter is out of sight.
  clock_.Advance(16min);
  for (const auto& other : Claim(20)) ASSERT_TRUE(Finish(other));
  const auto slow = Claim(1).front();
  ASSERT_TRUE(ports_->runs().GiveBack({.task = slow,
                                       .lineage = Begin(slow).lineage,
                                       .status = domain::RunStatus::kCancelled,
                                       .again_at = clock_.Now() + 1h,
                                       .evidence = {.sent = {.requests = 100, .throttled = 90}}}));
  EXPECT_THAT(Heal(), Contains(::testing::Field(&app::HealEntry::result,
                                                HasSubstr("nothing is planned as it is"))));
  EXPECT_THAT(pauses(), ElementsAre("the provider refuses 'from-date': 400: from-date"));
}

TEST_P(HealContract, TheDefinitionAndItsAdjustmentsAreSeen) {
  domain::SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.http.query = {{"rows", "${page.size}"}};
  spec.paging.size = 100;
  spec.window.safety_lag = 10min;
  spec.window.safety_lag_max = 1h;
  PlannedOf(spec, 0, 2);
  const auto task = Claim(1).front();
  Begin(task);
  auto seen = Seen();
  EXPECT_TRUE(seen.can_shrink_page);
  EXPECT_EQ(seen.page_size, 100);
  EXPECT_EQ(seen.safety_lag, 10min);
  EXPECT_EQ(seen.safety_lag_max, 1h);
  EXPECT_EQ(seen.executing, 1);
  EXPECT_FALSE(seen.is_cursor_held);
  Adjust(app::AdjustmentKind::kPageSize, 50, clock_.Now() + 1min);
  Adjust(app::AdjustmentKind::kSafetyLag, Duration(15min).count(), clock_.Now() + 1min);
  Adjust(app::AdjustmentKind::kCursorHold, 1);
  seen = Seen();
  EXPECT_EQ(seen.page_size, 50);
  EXPECT_EQ(seen.safety_lag, 15min);
  EXPECT_TRUE(seen.is_cursor_held);
  EXPECT_THAT(*ports_->adjustments().List(), SizeIs(3));
  clock_.Advance(2min);
  seen = Seen();
  EXPECT_EQ(seen.page_size, 100) << "its time is up";
  EXPECT_EQ(seen.safety_lag, 10min);
  EXPECT_THAT(*ports_->adjustments().List(), SizeIs(1)) << "a hold has no end";
}

TEST_P(HealContract, ARunIsToldOfAdjustmentsAndRequests) {
  const auto plan = Planned(0, 2);
  const auto task = Claim(1).front();
  Adjust(app::AdjustmentKind::kPageSize, 50);
  Adjust(app::AdjustmentKind::kConcurrency, 2);
  auto run = Begin(task);
  EXPECT_EQ(run.page_size_max, 50);
  EXPECT_EQ(run.concurrency_max, 2);
  EXPECT_FALSE(run.request);
  auto& adjustments = ports_->adjustments();
  EXPECT_TRUE(*adjustments.AskOfSlice(task.lineage.slice, domain::SliceRequest::kReslice, "deep"));
  auto batch = BatchOf(task, run, {});
  batch.after = app::Position{.page = 2, .size = 50};
  const auto committed = ports_->runs().Commit(batch);
  ASSERT_TRUE(committed && committed->request);
  EXPECT_EQ(committed->request->what, domain::SliceRequest::kReslice);
  EXPECT_EQ(committed->request->reason, "deep");
  ASSERT_TRUE(ports_->runs().GiveBack(
      {.task = task,
       .lineage = {task.lineage.trigger, task.lineage.plan, task.lineage.slice, task.lineage.task,
                   run.lineage.run, committed->next_batch},
       .again_at = clock_.Now()}));
  // The next run hears of it, too, and goes on in pages of the same size.
  const auto again = Claim(1).front();
  run = Begin(again);
  EXPECT_TRUE(run.request);
  EXPECT_EQ(run.start.size, 50);
  ASSERT_TRUE(ports_->runs().Close({.task = again, .lineage = run.lineage}));
  EXPECT_FALSE(*adjustments.AskOfSlice(task.lineage.slice, domain::SliceRequest::kFail, "late"));
}

TEST_P(HealContract, ARunIsToldThatTheLastOneMetTheBreaker) {
  Planned(0, 1);
  const auto run_that_ends = [&](domain::WaitReason reason) {
    const auto task = Claim(1).front();
    const auto run = Begin(task);
    EXPECT_TRUE(ports_->runs().GiveBack({.task = task,
                                         .lineage = run.lineage,
                                         .status = domain::RunStatus::kCancelled,
                                         .reason = "as people read it",
                                         .waits_for = reason,
                                         .again_at = clock_.Now()}));
    return run.met_breaker;
  };
  EXPECT_FALSE(run_that_ends(domain::WaitReason::kBreaker)) << "there was none before";
  EXPECT_TRUE(run_that_ends(domain::WaitReason::kCoolDown));
  EXPECT_FALSE(run_that_ends(domain::WaitReason::kBreaker));
  EXPECT_TRUE(Begin(Claim(1).front()).met_breaker);
}

// While records are bad, events go on and the value stays; coverage keeps what is proven.
TEST_P(HealContract, AHeldCursorWritesEventsAndFollowsThemWhenItIsReleased) {
  const auto plan = Planned(0, 3);
  const auto tasks = Claim(3);
  ASSERT_TRUE(Finish(tasks[0]));
  EXPECT_EQ(Watermark(plan), testing::kStart + 1h);
  Adjust(app::AdjustmentKind::kCursorHold, 1);
  const auto closed = Finish(tasks[1]);
  ASSERT_TRUE(closed);
  EXPECT_FALSE(closed->watermark);
  ASSERT_TRUE(Finish(tasks[2]));
  ASSERT_TRUE(ports_->cursors().Settle(plan.lane, plan.cursor)) << "nor does a planner move it";
  EXPECT_EQ(Watermark(plan), testing::kStart + 1h);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 3);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_coverage"), 1);
  const auto alerts = ports_->alerts().List({});
  ASSERT_THAT(*alerts, SizeIs(1));
  EXPECT_EQ((*alerts)[0].key, "cursor/demo/items");
  EXPECT_THAT((*alerts)[0].message, HasSubstr("‹heal.release demo/items CURSOR_HOLD›"));
  ASSERT_TRUE(*ports_->adjustments().TakeBack("demo", "items", app::AdjustmentKind::kCursorHold,
                                              {{"anna"}, "looked at it"}));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty());
  EXPECT_EQ(Watermark(plan), testing::kStart + 3h);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE actor = 'anna'"), 1);
  EXPECT_FALSE(*ports_->adjustments().TakeBack("demo", "items", app::AdjustmentKind::kCursorHold,
                                               {{"anna"}, "again"}));
}

TEST_P(HealContract, PollutionHoldsTheCursorAndGoodRecordsReleaseIt) {
  domain::SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  const auto plan = PlannedOf(spec, 0, 3);
  Bring(90, 10);
  const auto held = Heal();
  ASSERT_THAT(held, SizeIs(1));
  EXPECT_THAT(held[0].did, HasSubstr("HOLD_CURSOR"));
  ASSERT_THAT(*ports_->alerts().List({}), SizeIs(1));
  EXPECT_THAT(ports_->alerts().List({})->front().message, HasSubstr("of the records are bad"));
  Bring(10, 0);
  EXPECT_EQ(Watermark(plan), testing::kStart + 1h);
  clock_.Advance(6min);
  Bring(200, 1);
  const auto released = Heal();
  ASSERT_THAT(released, SizeIs(1));
  EXPECT_THAT(released[0].did, HasSubstr("RELEASE_CURSOR"));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty()) << "nobody has to do anything about it";
  EXPECT_EQ(Watermark(plan), testing::kStart + 3h);
}

TEST_P(HealContract, AHeldCursorOfASourceThatBringsLittleIsReleasedAsWell) {
  PlannedOf({.provenance = "demo", .endpoint = "items"}, 0, 20);
  Bring(90, 10);
  ASSERT_THAT(Heal(), SizeIs(1));
  for (int hour = 1; hour <= 4; ++hour) {
    clock_.Advance(1h);
    Bring(20, 1);
    EXPECT_THAT(Heal(), IsEmpty()) << hour;
  }
  clock_.Advance(1h);
  Bring(20, 0);
  const auto released = Heal();
  ASSERT_THAT(released, SizeIs(1));
  EXPECT_THAT(released[0].did, HasSubstr("RELEASE_CURSOR"));
}

TEST_P(HealContract, ASliceMuchDeeperThanEstimatedIsAskedToBeCut) {
  auto plan = Draft(0, 1);
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  auto slice = domain::SliceSpec{.window = plan.window};
  slice.expected_records = 100;
  slice.expected_requests = 2;
  auto work = domain::MakeSlice(plan, slice, 1, clock_.Now());
  work.slice.id = ids_.Next();
  work.task.id = ids_.Next();
  ASSERT_TRUE(ports_->plans().AddSlices(plan, {{work}}, plan.window.to()));
  const auto task = Claim(1).front();
  auto run = Begin(task);
  for (int page = 1; page <= 21; ++page) {
    auto batch = BatchOf(task, run, {});
    batch.before = app::Position{.page = page};
    batch.after = app::Position{.page = page + 1};
    batch.batch_no = page;
    const auto committed = ports_->runs().Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    run.lineage.batch = committed->next_batch;
  }
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("RESLICE"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task WHERE heal_request = 'RESLICE'"), 1);
}

TEST_P(HealContract, WhatIsUsualInAQueueIsRemembered) {
  Planned(0, 5);
  const auto task = Claim(1).front();
  Begin(task);
  EXPECT_FALSE(Seen().queued_mean);
  Heal();
  clock_.Advance(24h);
  const auto seen = Seen();
  EXPECT_EQ(seen.queued, 4);
  EXPECT_EQ(seen.queued_mean, 4);
  EXPECT_EQ(seen.queued_deviation, 0);
  clock_.Advance(10 * 24h);
  EXPECT_FALSE(Seen().queued_mean) << "that was too long ago";
}

// A clock on which everything that is measured takes a while.
class TardyClock final : public Clock {
 public:
  explicit TardyClock(const Clock& clock) : clock_(clock) {}
  Instant Now() const override { return clock_.Now(); }
  Duration Elapsed() const override { return 300ms * ++asked_; }
  void SleepFor(Duration) override {}

 private:
  const Clock& clock_;
  mutable std::atomic<int> asked_ = 0;
};

// A store that keeps commits waiting gets less to do.
TEST_P(HealContract, AStoreThatKeepsCommitsWaitingGetsFewerOfThem) {
  Planned(0, 4);
  const auto task = Claim(1).front();
  ASSERT_TRUE(Finish(task));
  EXPECT_EQ(Seen().store_wait, 0ms);
  TardyClock tardy(clock_);
  const auto slow = backend_->Connect(tardy);
  const auto next = Claim(1).front();
  const auto run = Begin(next);
  ASSERT_TRUE(slow->runs().Commit(BatchOf(next, run, {})));
  EXPECT_EQ(Seen().store_wait, 150ms) << "the mean of both";
  ASSERT_TRUE(ports_->runs().Close({.task = next, .lineage = run.lineage}));
  clock_.Advance(6min);
  const auto last = Claim(1).front();
  const auto waiting = Begin(last);
  ASSERT_TRUE(slow->runs().Commit(BatchOf(last, waiting, {})));
  EXPECT_EQ(Seen().store_wait, 300ms);
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(2));
  EXPECT_THAT(done[0].did, HasSubstr("LOWER_CONCURRENCY"));
  EXPECT_THAT(done[0].did, HasSubstr("the store takes 300ms"));
  EXPECT_THAT(done[1].did, HasSubstr("PAUSE_PLANNER"));
  ASSERT_THAT(*ports_->adjustments().List(), SizeIs(1));
  EXPECT_EQ(ports_->adjustments().List()->front().kind, app::AdjustmentKind::kConcurrency);
}

// The gate that the store's processes share, as healing sees it and changes it.
class HealGateContract : public HealContract {
 protected:
  HealGateContract() {
    spec_.limits = {{.rate = domain::RateSpec{.requests = 10, .per = 1s},
                     .quotas = {{.requests = 1'000, .per = 24h}},
                     .per = domain::RateScope::kEndpoint}};
    rules_ = domain::GateRulesOf(spec_);
    target_ = domain::GateTargetOf(spec_);
    PlannedOf(spec_, 0, 60);
  }

  std::vector<app::HealEntry> HealWithGate() { return Heal(gate_.get(), &quotas_); }

  app::GateStatus Status() {
    const auto all = gate_->List();
    EXPECT_THAT(*all, SizeIs(1));
    return all && !all->empty() ? all->front() : app::GateStatus{};
  }

  bool MaySend() {
    const auto answer = gate_->Acquire(target_, rules_, {.deadline = 10s});
    EXPECT_TRUE(answer) << answer.error().Describe();
    return answer && !std::holds_alternative<app::Reject>(*answer);
  }

  // So that parts of batches mean something.
  void Throttle(int throttled) {
    for (const auto& task : Claim(20)) ASSERT_TRUE(Finish(task));
    const auto task = Claim(1).front();
    ASSERT_TRUE(
        ports_->runs().GiveBack({.task = task,
                                 .lineage = Begin(task).lineage,
                                 .status = domain::RunStatus::kCancelled,
                                 .again_at = clock_.Now() + 1h,
                                 .evidence = {.sent = {.requests = 80, .throttled = throttled}}}));
  }

  testing::TemporaryFolder folder_;
  app::GateLedger& quotas_ = ports_->store().gate_ledger();
  std::unique_ptr<app::RateGate> gate_ =
      *infra::gate::RateGate::Open(folder_.Path("gate"), quotas_, clock_);
  domain::SpecSnapshot spec_{.provenance = "demo", .endpoint = "items"};
  domain::GateRules rules_;
  domain::GateTarget target_;
};
RUN_ON_EVERY_LEDGER(HealGateContract);

TEST_P(HealGateContract, SlowDownHalvesTheShareThatTheGateHasNow) {
  ASSERT_TRUE(MaySend());
  EXPECT_EQ(Status().share_ppm, 1'000'000);
  Throttle(10);
  const auto first = HealWithGate();
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_THAT(first[0].did, HasSubstr("SLOW_DOWN"));
  EXPECT_THAT(first[0].saw, HasSubstr("\"rateShare\":1"));
  EXPECT_EQ(Status().share_ppm, 500'000);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE record_remarks LIKE "
                          "'%\"slowDowns\":[{\"action\":\"SLOW_DOWN\"%'"),
            1)
      << "whoever looks at the plan sees it";
  EXPECT_THAT(HealWithGate(), IsEmpty()) << "it needs time to show";
  clock_.Advance(14min);
  EXPECT_EQ(Status().share_ppm, 500'000);
  clock_.Advance(2min);
  // By then the cap is over; what another process slowed down meanwhile is what counts.
  ASSERT_TRUE(
      gate_->Feedback(target_, rules_,
                      {.kind = domain::GateSignal::Kind::kSlowDown, .share = 400'000, .span = 1h}));
  Throttle(10);
  const auto second = HealWithGate();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_THAT(second[0].saw, HasSubstr("\"rateShare\":0.4"));
  EXPECT_EQ(Status().share_ppm, 300'000) << "and not less than the floor";
}

TEST_P(HealGateContract, FailuresInARowOpenTheCircuitForAWhile) {
  ASSERT_TRUE(MaySend());
  for (const auto* error : {"503", "timeout", "502"}) FailOne(domain::ErrorLevel::kL1, error);
  const auto done = HealWithGate();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("OPEN_CIRCUIT"));
  EXPECT_FALSE(MaySend());
  EXPECT_EQ(Status().reason, domain::WaitReason::kBreaker);
  EXPECT_EQ(Status().blocked_until, clock_.Now() + 90s);
  EXPECT_EQ(Status().counts.openings, 1);
  clock_.Advance(91s);
  EXPECT_TRUE(MaySend()) << "a probe may go";
}

TEST_P(HealGateContract, AQuotaThatIsNearlyUsedSlowsDownAndPausesPlanning) {
  ASSERT_TRUE(Finish(Claim(1).front()));
  const auto key = domain::GateKey(domain::LimitScope::kEndpoint, target_);
  const auto today = std::chrono::floor<std::chrono::days>(clock_.Now());
  const auto use = [&](std::int64_t requests) {
    ASSERT_EQ(*quotas_.ReserveQuota(key, today, today + 24h, 1'000, 0, requests), requests);
  };
  ASSERT_TRUE(MaySend());
  use(850 - ports_->Count("SELECT coalesce(sum(reserved), 0) FROM ing_quota"));
  EXPECT_THAT(HealWithGate(), IsEmpty());
  // Tomorrow's, and another source's, say nothing.
  ASSERT_TRUE(quotas_.ReserveQuota(key, today + 24h, today + 48h, 1'000, 0, 999));
  ASSERT_TRUE(quotas_.ReserveQuota("other", today, today + 24h, 1'000, 0, 999));
  EXPECT_THAT(HealWithGate(), IsEmpty());
  use(60);
  const auto done = HealWithGate();
  ASSERT_THAT(done, SizeIs(2));
  EXPECT_THAT(done[0].saw, HasSubstr("\"budgetLeft\":0.09"));
  EXPECT_THAT(done[0].did, HasSubstr("SLOW_DOWN"));
  EXPECT_EQ(Status().share_ppm, 300'000);
  EXPECT_THAT(done[1].did, HasSubstr("PAUSE_PLANNER"));
  EXPECT_THAT(*ports_->holds().Holds(domain::Role::kPlanner), SizeIs(1));
}

// The second phase may have limits of its own, and be the one that is short.
TEST_P(HealGateContract, AQuotaOfTheDetailsAloneIsSeen) {
  clock_.Advance(1h);
  spec_.details = {.endpoint = "details",
                   .limits = {{.rate = domain::RateSpec{.requests = 5, .per = 1s},
                               .quotas = {{.requests = 500, .per = 24h}},
                               .per = domain::RateScope::kEndpoint}}};
  PlannedOf(spec_, 100, 160);
  ASSERT_TRUE(Finish(Claim(1).front()));
  ASSERT_TRUE(MaySend());
  const auto details = domain::GateTargetOf(spec_, domain::Phase::kDetail);
  ASSERT_TRUE(gate_->Acquire(details, domain::GateRulesOf(spec_, domain::Phase::kDetail),
                             {.deadline = 10s}));
  const auto key = domain::GateKey(domain::LimitScope::kEndpoint, details);
  const auto today = std::chrono::floor<std::chrono::days>(clock_.Now());
  EXPECT_THAT(HealWithGate(), IsEmpty());
  ASSERT_TRUE(quotas_.ReserveQuota(key, today, today + 24h, 500, 0, 460));
  const auto done = HealWithGate();
  ASSERT_THAT(done, SizeIs(2));
  EXPECT_THAT(done[0].did, HasSubstr("SLOW_DOWN"));
  EXPECT_THAT(done[1].did, HasSubstr("PAUSE_PLANNER"));
  const auto all = gate_->List();
  ASSERT_THAT(*all, SizeIs(2));
  for (const auto& status : *all) EXPECT_EQ(status.share_ppm, 300'000) << status.key;
}

// A provider that counts by credential has a pace for each; both are slowed down, and the worst is what is seen.
TEST_P(HealGateContract, EveryCredentialOfTheEndpointIsSlowedDown) {
  clock_.Advance(1h);
  spec_.limits[0].per = domain::RateScope::kCredentialEndpoint;
  PlannedOf(spec_, 100, 160);
  rules_ = domain::GateRulesOf(spec_);
  for (const auto* name : {"a", "b"}) {
    ASSERT_TRUE(gate_->Acquire(domain::GateTargetOf(spec_, domain::Phase::kSearch, name), rules_,
                               {.deadline = 10s}));
  }
  Throttle(10);
  ASSERT_THAT(HealWithGate(), SizeIs(1));
  const auto all = gate_->List();
  ASSERT_THAT(*all, SizeIs(2));
  for (const auto& status : *all) EXPECT_EQ(status.share_ppm, 500'000) << status.key;
}

TEST_P(HealContract, ADutyIsOnePersonsUntilItsTimeIsUp) {
  auto& duties = ports_->duties();
  EXPECT_TRUE(*duties.Take("heal", "a", clock_.Now() + 1min));
  EXPECT_FALSE(*duties.Take("heal", "b", clock_.Now() + 1min));
  EXPECT_TRUE(*duties.Take("other", "b", clock_.Now() + 1min));
  EXPECT_TRUE(*duties.Take("heal", "a", clock_.Now() + 2min)) << "whose it is may take it again";
  clock_.Advance(2min);
  EXPECT_TRUE(*duties.Take("heal", "b", clock_.Now() + 1min));
}

}  // namespace patra::heal_contract_test
