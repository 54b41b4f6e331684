#include "app/plan/plan_harvest.h"

#include <thread>

#include <gtest/gtest.h>

#include "app/plan/plan_backfill.h"
#include "app/plan/plan_draft.h"
#include "app/port/adjustment_repository.h"
#include "base/canonical_json.h"
#include "tests/app/plan/planning_fixture.h"
#include "tests/app/plan/stingy_gate.h"
#include "tests/app/send/send_fixture.h"

namespace patra::app::plan_harvest_test {

using namespace std::chrono_literals;
using Kind = HarvestPlanned::Kind;

using testing::kStart;

class PlanHarvestTest : public PlanningTest {
 protected:
  static HarvestCommand Command() { return {.spec = Spec()}; }

  PlanHarvest Limited(std::int64_t open_tasks_max) {
    return PlanHarvest(PortsOf(*ports_, clock_, ids_), {.open_tasks_max = open_tasks_max});
  }

  PlanHarvest plan_{PortsOf(*ports_, clock_, ids_)};
};

TEST_F(PlanHarvestTest, TheFirstHarvestGoesFromTheStartToTheLastAlignedMomentBeforeTheSafetyLag) {
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->kind, Kind::kCreated);
  EXPECT_EQ(planned->window->from(), kStart);
  EXPECT_EQ(planned->window->to(), kStart + std::chrono::days(3));
  EXPECT_EQ(planned->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'READY'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance"), 1);
}

TEST_F(PlanHarvestTest, TheIdThatTheSchedulerGaveFollowsTheTriggerElseItsOwnDoes) {
  auto command = Command();
  command.options.origin = {.scheduler = "XXL", .log_id = "7788", .type = "SCHEDULE"};
  command.options.origin.params = Value::Object{{"target", "demo"}};
  ASSERT_TRUE(plan_.Run(command));
  for (const auto* table : {"ing_schedule_instance", "ing_plan", "ing_task"})
    EXPECT_GT(
        Count(std::string("SELECT count(*) FROM ") + table + " WHERE correlation_id = '7788'"), 0)
        << table;
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE "
                  "json_extract(params, '$.wishes.target') = 'demo'"),
            3);
  WorkEverythingOff();
  clock_.Advance(2h);
  ASSERT_TRUE(plan_.Run(Command()));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE "
                  "correlation_id = CAST(schedule_instance_id AS TEXT)"),
            1);
}

TEST_F(PlanHarvestTest, WhatATriggerCameToAndItsSlicesAreToldForTraces) {
  auto ports = PortsOf(*ports_, clock_, ids_);
  testing::RecordingLog log;
  ports.log = &log;
  const auto planned = PlanHarvest(ports, {}).Run(Command());
  ASSERT_TRUE(planned);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0].event, "trigger.planned");
  EXPECT_EQ(log.lines[0].details.at("slices"), Value(3));
  ASSERT_EQ(log.counted.size(), 3u);
  for (const auto& line : log.counted) {
    EXPECT_EQ(line.event, "slice.planned");
    EXPECT_EQ(line.lineage.plan, planned->plan);
    EXPECT_EQ(line.lineage.trigger, log.lines[0].lineage.trigger);
    EXPECT_NE(line.lineage.slice, 0);
  }
}

TEST_F(PlanHarvestTest, TheSameTriggerTwiceFindsTheSamePlan) {
  ASSERT_TRUE(plan_.Run(Command()));
  clock_.Advance(5min);  // still in the same hour
  const auto again = plan_.Run(Command());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 3);
}

TEST_F(PlanHarvestTest, TheNextHarvestStartsAtTheWatermark) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  clock_.Advance(2h);
  const auto next = plan_.Run(Command());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::kCreated);
  EXPECT_EQ(next->window->from(), kStart + std::chrono::days(3));
  EXPECT_EQ(next->window->width(), 2h);
}

TEST_F(PlanHarvestTest, NothingDueIsAQuietSuccess) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  const auto again = plan_.Run(Command());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kNothingDue);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
}

TEST_F(PlanHarvestTest, AGapOfMonthsIsPlannedAndNotRefused) {
  clock_.Advance(std::chrono::days(300));
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->slices, 303);
}

TEST_F(PlanHarvestTest,
       ManyYearsOfWhichNothingIsKnownBeginAsOneSliceWhereFirstPagesAnnounceTotals) {
  clock_.Advance(std::chrono::days(8'000));
  auto command = Command();
  command.spec.response.total_kind = domain::TotalKind::kExact;
  const auto planned = plan_.Run(command);
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 1);
  EXPECT_FALSE(planned->is_partial);
  EXPECT_NE(planned->price->basis.find("begins with 1 slice"), std::string::npos)
      << planned->price->basis;
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE json_extract(record_remarks, "
                  "'$.sliceWidth') LIKE 'as wide as can be%'"),
            1);
}

TEST_F(PlanHarvestTest, WhatThreeSlicesBroughtDecidesHowWideTheOthersAre) {
  auto command = Command();
  command.spec.response.total_kind = domain::TotalKind::kExact;
  ASSERT_EQ(plan_.Run(command)->slices, 3);
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 9000");
  clock_.Advance(std::chrono::days(100));
  EXPECT_EQ(plan_.Run(command)->slices, 100);
}

TEST_F(PlanHarvestTest, APlanThatADeadPlannerLeftHalfCutIsTakenOver) {
  ASSERT_TRUE(plan_.Run(Command()));
  ports_->Execute(
      "UPDATE ing_plan SET status_code = 'SLICING', sliced_to = window_from + 86400000000; DELETE "
      "FROM ing_task WHERE slice_id IN "
      "(SELECT id FROM ing_plan_slice WHERE slice_no > 1); DELETE FROM ing_plan_slice WHERE "
      "slice_no > 1");
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->kind, Kind::kCreated);
  EXPECT_EQ(planned->slices, 2);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'READY'"), 1);
}

TEST_F(PlanHarvestTest, AnEditedDefinitionChangesNothingForAPlanThatBroughtSomethingAndNamesIt) {
  const auto first = plan_.Run(Command());
  ASSERT_TRUE(first);
  Finish(Claim(1)[0]);
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  const auto second = plan_.Run(edited);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(second->older, std::vector<Id>{first->plan});
  EXPECT_TRUE(second->replaced.empty());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 0);
}

TEST_F(PlanHarvestTest, ACorrectedDefinitionTakesThePlaceOfOneThatBroughtNothing) {
  const auto first = plan_.Run(Command());
  ASSERT_TRUE(first);
  Finish(Claim(1)[0], domain::TaskStatus::kFailed);
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  auto asked = edited;
  asked.options.dry_run = true;
  EXPECT_EQ(plan_.Run(asked)->replaced, std::vector<Id>{first->plan});
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'CANCELLED'"), 0)
      << "a dry run writes nothing";

  const auto second = plan_.Run(edited);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->kind, Kind::kCreated);
  EXPECT_EQ(second->slices, 3);
  EXPECT_EQ(second->replaced, std::vector<Id>{first->plan});
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'CANCELLED'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_audit WHERE reason LIKE '%nothing came%'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 3);

  // And back again.
  const auto third = plan_.Run(Command());
  ASSERT_TRUE(third) << third.error().Describe();
  EXPECT_EQ(third->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 3);
  WorkEverythingOff();
  EXPECT_EQ(plan_.Run(edited)->kind, Kind::kNothingDue);
}

TEST_F(PlanHarvestTest, AFuseThatAnOlderDefinitionHasBlownKeepsACorrectedOneFromNothing) {
  ASSERT_TRUE(plan_.Run(Command()));
  Finish(Claim(1)[0], domain::TaskStatus::kFailed);
  auto& holds = PortsOf(*ports_, clock_, ids_).holds;
  const domain::Hold fuse{
      .provenance = "demo", .endpoint = "items", .reason = "no id", .is_fuse = true};
  ASSERT_TRUE(holds.Blow(fuse, "{}"));
  EXPECT_TRUE(plan_.Run(Command())->is_fused) << "the definition that blew it stays stopped";
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  const auto corrected = plan_.Run(edited);
  ASSERT_TRUE(corrected) << corrected.error().Describe();
  EXPECT_EQ(corrected->kind, Kind::kCreated);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_fuse WHERE status_code = 'BLOWN'"), 0);
  ASSERT_TRUE(holds.Blow(fuse, "{}"));
  EXPECT_TRUE(plan_.Run(edited)->is_fused) << "it has had its try";
}

TEST_F(PlanHarvestTest, APauseOverTheRequestsOfAnOlderDefinitionEndsWithItsCorrection) {
  ASSERT_TRUE(plan_.Run(Command()));
  Finish(Claim(1)[0], domain::TaskStatus::kFailed);
  auto& holds = PortsOf(*ports_, clock_, ids_).holds;
  const domain::Hold pause{
      .provenance = "demo", .endpoint = "items", .reason = "wrong", .only = domain::Role::kPlanner};
  const Decision healing{{std::string(kHealActor), domain::Way::kHealing}, "wrong"};
  ASSERT_TRUE(holds.Pause(pause, healing));
  EXPECT_EQ(plan_.Run(Command())->kind, Kind::kHeld) << "the same definition stays paused";
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  domain::Hold of_person = pause;
  of_person.only.reset();
  ASSERT_TRUE(holds.Pause(of_person, {{"anna"}, "maintenance"}));
  EXPECT_EQ(plan_.Run(edited)->kind, Kind::kHeld) << "what a person has paused stays";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_pause WHERE paused_by = 'anna'"), 1);
  ASSERT_TRUE(holds.Resume("demo", "items", {{"anna"}, "done"}));
  ASSERT_TRUE(holds.Pause(pause, healing));
  EXPECT_EQ(plan_.Run(edited)->kind, Kind::kCreated);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_pause"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE status_code = 'FIRING'"), 0);
}

TEST_F(PlanHarvestTest, WhatIsAskedForAgainUpToAMomentBeginsWhereTheDefinitionDoes) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  auto again = Command();
  again.to = again.spec.window.start + 1h;
  again.options.again = true;
  const auto planned = plan_.Run(again);
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->kind, Kind::kCreated);
  ASSERT_TRUE(planned->window);
  EXPECT_EQ(planned->window->from(), again.spec.window.start);
}

TEST_F(PlanHarvestTest, APlanOfAnotherQueryIsNotReplaced) {
  auto other = Command();
  other.spec.query = "cats";
  ASSERT_TRUE(plan_.Run(other));
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned);
  EXPECT_TRUE(planned->replaced.empty());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 6);
}

TEST_F(PlanHarvestTest, WhatAPersonTookBackIsPlannedAgainThoughAPlanHadIt) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  const auto cursor =
      domain::HarvestNamespace({"demo", "items"}, domain::QueryHash({}), "updated_at");
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        ports_->cursors().Set({"demo", "items"}, cursor, kStart + 24h, {{"me"}, "once more"}));
    const auto again = plan_.Run(Command());
    ASSERT_TRUE(again) << again.error().Describe();
    EXPECT_EQ(again->slices, 2) << i;
    WorkEverythingOff();
    EXPECT_EQ(*ports_->cursors().Watermark({"demo", "items"}, cursor), kStart + 72h) << i;
  }
}

TEST_F(PlanHarvestTest, EndsThatAreRoundedAreNamed) {
  auto command = Command();
  command.from = kStart + 30min;
  command.to = kStart + 24h + 5min;
  const auto planned = plan_.Run(command);
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->notes.size(), 2u);
  EXPECT_NE(planned->notes[0].find("rounded down"), std::string::npos) << planned->notes[0];
  EXPECT_NE(planned->notes[1].find("multiples of 1h"), std::string::npos) << planned->notes[1];
  EXPECT_TRUE(plan_.Run(Command())->notes.empty());
}

// The watermark that the first one sets says of everything below it that it is here.
TEST_F(PlanHarvestTest, WhatLiesBeforeTheFirstHarvestIsNamedUntilItIsProven) {
  auto later = Command();
  later.from = kStart + 24h;
  const auto first = plan_.Run(later);
  ASSERT_TRUE(first) << first.error().Describe();
  const auto skipped = testing::Hours(0, 24).Describe();
  ASSERT_EQ(first->notes.size(), 1u);
  EXPECT_NE(first->notes[0].find(skipped), std::string::npos) << first->notes[0];
  EXPECT_NE(first->notes[0].find("‹backfill.gaps demo/items›"), std::string::npos);
  WorkEverythingOff();
  clock_.Advance(2h);
  const auto second = plan_.Run(Command());
  ASSERT_EQ(second->notes.size(), 1u) << "a plain harvest goes on after it";
  EXPECT_NE(second->notes[0].find(skipped), std::string::npos) << second->notes[0];
  WorkEverythingOff();

  PlanBackfill backfill(PortsOf(*ports_, clock_, ids_));
  const auto gaps = backfill.Run({.spec = Spec(), .scope = BackfillGaps{}});
  ASSERT_TRUE(gaps) << gaps.error().Describe();
  EXPECT_EQ(gaps->slices, 1);
  clock_.Advance(1h);
  EXPECT_TRUE(plan_.Run(Command())->notes.empty()) << "it is under way";
  WorkEverythingOff();
  clock_.Advance(1h);
  EXPECT_TRUE(plan_.Run(Command())->notes.empty()) << "it is proven";

  auto earlier = Command();
  earlier.spec.window.start = kStart - 48h;
  clock_.Advance(1h);
  const auto edited = plan_.Run(earlier);
  ASSERT_EQ(edited->notes.size(), 1u) << "the definition begins earlier than it did";
  const auto known = ports_->read().completeness().KnownQueries("demo", "items");
  ASSERT_TRUE(known) << known.error().Describe();
  EXPECT_EQ(known->at(0).begins, kStart - 48h) << "whether or not anything was planned by it";
  EXPECT_NE(edited->notes[0].find(testing::Hours(-48, 0).Describe()), std::string::npos)
      << edited->notes[0];
}

// What is proven stays proven, and says of what only the edited definition asks for nothing.
TEST_F(PlanHarvestTest, WhatWasProvenForAnotherQuestionIsNamedUntilItIsReadAgain) {
  auto narrow = Command();
  narrow.spec.http.query = {{"type", "a"}};
  ASSERT_TRUE(plan_.Run(narrow));
  WorkEverythingOff();
  clock_.Advance(1h);
  EXPECT_TRUE(plan_.Run(narrow)->notes.empty());
  WorkEverythingOff();

  auto dry = Command();
  dry.options.dry_run = true;
  EXPECT_EQ(plan_.Run(dry)->notes.size(), 1u);
  EXPECT_TRUE(ports_->alerts().List({})->empty()) << "a dry run says it and writes nothing";
  clock_.Advance(1h);
  const auto corrected = plan_.Run(Command());
  ASSERT_EQ(corrected->notes.size(), 1u);
  EXPECT_NE(corrected->notes[0].find("(request.query.type)"), std::string::npos);
  EXPECT_NE(corrected->notes[0].find("‹harvest.window_again demo/items 2026-01-01T00:00:00Z"),
            std::string::npos)
      << corrected->notes[0];
  ASSERT_EQ(ports_->alerts().List({})->size(), 1u);
  EXPECT_EQ(ports_->alerts().List({})->at(0).key, "asked/demo/items");
  WorkEverythingOff();

  auto again = Command();
  again.from = kStart;
  again.options.again = true;
  ASSERT_TRUE(plan_.Run(again)->notes.empty()) << "it is what they do";
  WorkEverythingOff();
  clock_.Advance(1h);
  EXPECT_TRUE(plan_.Run(Command())->notes.empty());
  EXPECT_TRUE(ports_->alerts().List({})->empty());
}

TEST_F(PlanHarvestTest, AnEditedDefinitionDoesNotRestartTheWatermark) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  clock_.Advance(24h);
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  EXPECT_EQ(plan_.Run(edited)->window->from(), kStart + std::chrono::days(3));
}

// D10: with a lookback every plan overlaps the one before; both have tasks of their own.
TEST_F(PlanHarvestTest, D10_TwoPlansThatOverlapByTheLookbackBothWork) {
  auto command = Command();
  command.spec.window.lookback = 24h;
  ASSERT_TRUE(plan_.Run(command));
  WorkEverythingOff();
  clock_.Advance(24h);
  const auto next = plan_.Run(command);
  ASSERT_TRUE(next) << next.error().Describe();
  EXPECT_EQ(next->window->from(), kStart + 48h);
  EXPECT_EQ(next->slices, 2) << "the day before the watermark, and the new one";
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 2);
}

// D12
TEST_F(PlanHarvestTest, D12_AGapOfTenYearsIsPlannedStepByStep) {
  clock_.Advance(std::chrono::days(3650));
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned);
  EXPECT_TRUE(planned->is_partial);
  EXPECT_EQ(planned->slices, 1000);
}

TEST_F(PlanHarvestTest, WhatIsProvenAboveTheWatermarkIsNotFetchedAgain) {
  ASSERT_TRUE(plan_.Run(Command()));
  const auto tasks = Claim(3);
  ASSERT_EQ(tasks.size(), 3u);
  Finish(tasks[0], domain::TaskStatus::kFailed);
  Finish(tasks[1]);
  Finish(tasks[2]);
  clock_.Advance(24h);
  const auto next = plan_.Run(Command());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->slices, 1) << "the new day, not the two in between";
  EXPECT_EQ(next->tried_again, 1) << "the stubborn day";
  WorkEverythingOff();
  const auto cursor =
      domain::HarvestNamespace({"demo", "items"}, domain::QueryHash({}), "updated_at");
  EXPECT_EQ(*ports_->cursors().Watermark({"demo", "items"}, cursor), kStart + 96h);
}

TEST_F(PlanHarvestTest, WhatIsUnderWayIsNotPlannedAgain) {
  ASSERT_TRUE(plan_.Run(Command()));
  clock_.Advance(24h);
  const auto next = plan_.Run(Command());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::kCreated);
  EXPECT_EQ(next->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 4);
  EXPECT_EQ(next->window->from(), kStart) << "or a later slice could begin the watermark too late";
}

// Tasks within the bounds of the queue, none of them twice.
TEST_F(PlanHarvestTest, AFullQueueLeavesThePlanPartialAndTheNextTriggerGoesOn) {
  auto limited = Limited(2);
  const auto first = limited.Run(Command());
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_TRUE(first->is_partial);
  EXPECT_EQ(first->slices, 2);
  EXPECT_NE(first->reason.find("queue"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'PARTIAL'"), 1);

  const auto blocked = limited.Run(Command());
  ASSERT_TRUE(blocked);
  EXPECT_EQ(blocked->slices, 0);
  EXPECT_TRUE(blocked->is_partial);

  WorkEverythingOff();
  const auto second = limited.Run(Command());
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_TRUE(second->is_continued);
  EXPECT_FALSE(second->is_partial);
  EXPECT_EQ(second->plan, first->plan);
  EXPECT_EQ(second->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 3);
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_F(PlanHarvestTest, AContinuedPlanKeepsItsSnapshotAndItsWidth) {
  auto limited = Limited(1);
  ASSERT_TRUE(limited.Run(Command()));
  WorkEverythingOff();
  auto edited = Command();
  edited.spec.window.width = 1h;
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  const auto next = limited.Run(edited);
  ASSERT_TRUE(next);
  EXPECT_EQ(
      Count("SELECT count(*) FROM ing_plan_slice WHERE window_to - window_from = 86400000000"), 2);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 0);
}

TEST_F(PlanHarvestTest, ATriggerWithOtherWishesIsToldThatAContinuedPlanKeepsItsOwn) {
  PlanHarvest narrow(PortsOf(*ports_, clock_, ids_), {.open_tasks_max = 1});
  ASSERT_TRUE(narrow.Run(Command())->is_partial);
  Finish(Claim(1)[0]);
  EXPECT_FALSE(plan_.Run({.spec = Spec(), .options = {.dry_run = true}})->keeps_wishes);
  auto other = Command();
  other.spec.paging.size = 7;
  other.options.dry_run = true;
  const auto preview = plan_.Run(other);
  ASSERT_TRUE(preview);
  EXPECT_TRUE(preview->is_continued);
  EXPECT_TRUE(preview->keeps_wishes);
  EXPECT_EQ(preview->slices, 2) << "what is left of it";
}

TEST_F(PlanHarvestTest, AWindowOfItsOwnIsNotThatOfAnUnfinishedPlan) {
  PlanHarvest narrow(PortsOf(*ports_, clock_, ids_), {.open_tasks_max = 1});
  const auto first = narrow.Run(Command());
  ASSERT_TRUE(first->is_partial);
  auto command = Command();
  command.from = kStart + 24h;
  command.to = kStart + 48h;
  const auto own = plan_.Run(command);
  ASSERT_TRUE(own) << own.error().Describe();
  EXPECT_FALSE(own->is_continued);
  EXPECT_NE(own->plan, first->plan);
  EXPECT_EQ(own->slices, 1);
  EXPECT_EQ(plan_.Run(Command())->plan, first->plan) << "the next usual trigger goes on";
}

TEST_F(PlanHarvestTest, TwoPlannersAtOnceMakeOneSetOfTasks) {
  auto command = Command();
  command.spec.window.width = 1h;
  const auto other_ports = backend_.Connect(clock_);
  PlanHarvest other(PortsOf(*other_ports, clock_, other_ports->ids()));
  Result<Planned> first = Fail(ErrorCode::kInternal, "");
  Result<Planned> second = Fail(ErrorCode::kInternal, "");
  std::thread a([&] { first = plan_.Run(command); });
  std::thread b([&] { second = other.Run(command); });
  a.join();
  b.join();
  ASSERT_TRUE(first) << first.error().Describe();
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 72);
  EXPECT_EQ(Count("SELECT count(DISTINCT window_from) FROM ing_plan_slice"), 72);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'READY'"), 1);
}

TEST_F(PlanHarvestTest, AWithdrawnPlanIsNotMadeAgainUnlessSomebodySaysSo) {
  const auto first = plan_.Run(Command());
  ASSERT_TRUE(first);
  ASSERT_TRUE(ports_->plans().CancelPlan(first->plan, {{"me"}, "a mistake"}));
  const auto second = plan_.Run(Command());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kind, Kind::kAlreadyPlanned);
  EXPECT_NE(second->reason.find("withdrawn"), std::string::npos) << second->reason;
  auto again = Command();
  again.options.again = true;
  EXPECT_EQ(plan_.Run(again)->slices, 3);
}

TEST_F(PlanHarvestTest, AgainMakesANewPlan) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  auto command = Command();
  command.from = kStart;
  const auto explicit_range = plan_.Run(command);
  EXPECT_EQ(explicit_range->kind, Kind::kAlreadyPlanned);
  command.options.again = true;
  const auto again = plan_.Run(command);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kCreated);
  EXPECT_EQ(again->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 2);
}

TEST_F(PlanHarvestTest, AHeldSourcePlansNothingAndSaysWhy) {
  ASSERT_TRUE(
      ports_->holds().Pause({.provenance = "demo", .reason = "moving house"}, {{"me"}, "r"}));
  const auto held = plan_.Run(Command());
  ASSERT_TRUE(held);
  EXPECT_EQ(held->kind, Kind::kHeld);
  EXPECT_NE(held->reason.find("moving house"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance WHERE record_remarks LIKE "
                  "'%moving house%'"),
            1);
}

TEST_F(PlanHarvestTest, ADryRunWritesNothingAtAll) {
  auto command = Command();
  command.options.dry_run = true;
  const auto priced = plan_.Run(command);
  ASSERT_TRUE(priced) << priced.error().Describe();
  EXPECT_EQ(priced->kind, Kind::kPriced);
  EXPECT_EQ(priced->price->slices, 3);
  EXPECT_EQ(priced->stretches.size(), 3u);
  for (const auto* table :
       {"ing_schedule_instance", "ing_plan", "ing_plan_slice", "ing_task", "ing_cursor"})
    EXPECT_EQ(Count(std::string("SELECT count(*) FROM ") + table), 0) << table;
}

TEST_F(PlanHarvestTest, AFullListIsOneSlice) {
  auto command = Command();
  command.spec.window.filter = domain::WindowFilter::kNone;
  const auto planned = plan_.Run(command);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE slice_strategy_code = 'SINGLE'"), 1);
}

// Ranges of pages where a list knows no time, can be counted and keeps still.
TEST_F(PlanHarvestTest, AListThatCanBeCountedIsCutByPages) {
  auto command = Command();
  auto& spec = command.spec;
  spec.window.filter = domain::WindowFilter::kNone;
  spec.response.total_kind = domain::TotalKind::kExact;
  spec.order.stable = true;
  spec.paging.size = 10;
  ASSERT_EQ(plan_.Run(command)->slices, 1) << "nobody knows how long it is";
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 5000, repeated = 100");

  clock_.Advance(24h);
  const auto second = plan_.Run(command);
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->slices, 3) << "490 pages, 200 a slice";
  EXPECT_EQ(second->price->records, 4'900);
  const auto pages = Claim(10);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].slice.pages->from, 1);
  EXPECT_EQ(pages[1].slice.pages->from, pages[0].slice.pages->to);
  EXPECT_EQ(pages[2].slice.pages->to, domain::kNoLastPage);
  EXPECT_EQ(*pages[2].slice.pagination.page, 401);
  EXPECT_EQ(pages[2].slice.expected_records, 900);

  // The window is proven by all of them and by none alone.
  const auto before = Count("SELECT max(normalized_instant) FROM ing_cursor");
  Finish(pages[2]);
  Finish(pages[0]);
  EXPECT_EQ(Count("SELECT max(normalized_instant) FROM ing_cursor"), before);
  Finish(pages[1]);
  EXPECT_GT(Count("SELECT max(normalized_instant) FROM ing_cursor"), before);
}

TEST_F(PlanHarvestTest, AListWhoseRecordsMoveIsOneSlice) {
  auto command = Command();
  command.spec.window.filter = domain::WindowFilter::kNone;
  command.spec.response.total_kind = domain::TotalKind::kExact;
  ASSERT_EQ(plan_.Run(command)->slices, 1);
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 500000");
  clock_.Advance(24h);
  EXPECT_EQ(plan_.Run(command)->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE slice_strategy_code = 'PAGE' AND "
                  "json_extract(record_remarks, '$.sliceWidth') LIKE '%records may move%'"),
            2);
}

// A planner that stopped half way goes on at the page where it stopped.
TEST_F(PlanHarvestTest, PagesAreContinuedWhereTheQueueWasFull) {
  PlanHarvest narrow(PortsOf(*ports_, clock_, ids_), {.open_tasks_max = 2});
  auto command = Command();
  command.spec.window.filter = domain::WindowFilter::kNone;
  command.spec.response.total_kind = domain::TotalKind::kExact;
  command.spec.order.stable = true;
  command.spec.paging.size = 10;
  ASSERT_EQ(plan_.Run(command)->slices, 1);
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 7000");
  clock_.Advance(24h);
  const auto first = narrow.Run(command);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_partial);
  EXPECT_EQ(first->slices, 2);
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1)
      << "what is done is not all";
  const auto rest = narrow.Run(command);
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->is_continued);
  EXPECT_EQ(rest->slices, 2);
  EXPECT_FALSE(rest->is_partial);
  EXPECT_EQ(Count("SELECT count(DISTINCT json_extract(slice_spec, '$.bounds.page.fromPage')) FROM "
                  "ing_plan_slice"),
            4);
}

TEST_F(PlanHarvestTest, QueriesHaveWatermarksOfTheirOwn) {
  auto cancer = Command();
  cancer.spec.query = "cancer";
  ASSERT_TRUE(plan_.Run(Command()));
  const auto other = plan_.Run(cancer);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->kind, Kind::kCreated);
  EXPECT_EQ(Count("SELECT count(DISTINCT namespace_key) FROM ing_plan"), 2);
}

TEST_F(PlanHarvestTest, DaysAreThoseOfTheProvidersZone) {
  auto command = Command();
  command.spec.window.granularity = domain::Granularity::kDay;
  command.spec.window.align = 24h;
  command.spec.window.timezone = "America/New_York";
  command.spec.window.start = *ParseRfc3339("2026-01-01T05:00:00Z");
  const auto planned = plan_.Run(command);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->window->to(), *ParseRfc3339("2026-01-03T05:00:00Z"));
  EXPECT_EQ(planned->slices, 2);
}

TEST_F(PlanHarvestTest, WidthsFollowWhatEarlierSlicesBrought) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 240000");
  clock_.Advance(24h);
  const auto next = plan_.Run(Command());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->slices, 24) << "10,000 records an hour, 100 pages of 100 a slice";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE json_extract(record_remarks, "
                  "'$.totalEstimated') = 240000"),
            1);
}

TEST_F(PlanHarvestTest, MaxRequestsBoundsOneTrigger) {
  auto command = Command();
  command.options.requests_max = 2;
  const auto planned = plan_.Run(command);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->slices, 2);
  EXPECT_TRUE(planned->is_partial);
}

TEST_F(PlanHarvestTest, NoMoreIsPlannedThanTheProviderAllows) {
  StingyGate gate(2);
  PlanHarvest plan(PortsOf(*ports_, clock_, ids_, &gate));
  const auto planned = plan.Run(Command());
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 2);
  EXPECT_TRUE(planned->is_partial);
  EXPECT_NE(planned->reason.find("provider allows"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE json_extract(slice_spec, "
                  "'$.budgetHint.permits') = 2"),
            2);
}

TEST_F(PlanHarvestTest, StartsCanBeSpreadAndPrioritiesChosen) {
  auto command = Command();
  command.options.spread = 1000s;
  command.options.priority = 1;
  ASSERT_TRUE(plan_.Run(command));
  EXPECT_EQ(Count("SELECT count(DISTINCT scheduled_at) FROM ing_task"), 3);
  EXPECT_EQ(Count("SELECT (max(scheduled_at) - min(scheduled_at)) / 1000000 FROM ing_task"), 666)
      << "three starts within the thousand seconds, evenly";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE priority = 1"), 3);
  EXPECT_EQ(Claim(10).size(), 1u);
}

TEST_F(PlanHarvestTest, RemarksHaveTheirFieldsAndWhyEverythingIsAsItIs) {
  ASSERT_TRUE(plan_.Run(Command()));
  for (const auto* path : {"$.sliceCount", "$.window.from", "$.window.to", "$.window.safetyLag",
                           "$.degradation", "$.budget.qps", "$.warnings", "$.enumerator",
                           "$.namespace.key", "$.price.basis", "$.sliceWidth"}) {
    EXPECT_EQ(
        Count(std::string("SELECT count(*) FROM ing_plan WHERE json_extract(record_remarks, '") +
              path + "') IS NOT NULL"),
        1)
        << path;
  }
  for (const auto* path :
       {"$.dimension", "$.bounds.time.from", "$.pagination.type", "$.budget.priority",
        "$.window.safetyLag", "$.window.watermarkKey", "$.telemetry.expectedRequests"}) {
    EXPECT_EQ(
        Count(std::string("SELECT count(*) FROM ing_plan_slice WHERE json_extract(slice_spec, '") +
              path + "') IS NOT NULL"),
        3)
        << path;
  }
}

// From every task back to what fired.
TEST_F(PlanHarvestTest, EveryTaskLeadsBackToItsTrigger) {
  ASSERT_TRUE(plan_.Run(Command()));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task t JOIN ing_plan_slice s ON s.id = t.slice_id "
                  "JOIN ing_plan p ON p.id = s.plan_id AND p.id = t.plan_id "
                  "JOIN ing_schedule_instance i ON i.id = p.schedule_instance_id "
                  "AND i.id = t.schedule_instance_id"),
            3);
}

// Windows join without gap and overlap.
TEST_F(PlanHarvestTest, SlicesTileTheWindow) {
  auto command = Command();
  command.spec.window.width = 7h;
  ASSERT_TRUE(plan_.Run(command));
  EXPECT_EQ(Count("SELECT sum(window_to - window_from) FROM ing_plan_slice"),
            Duration(72h).count());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice a WHERE window_to < (SELECT window_to FROM "
                  "ing_plan) AND NOT EXISTS (SELECT 1 FROM ing_plan_slice b WHERE b.window_from = "
                  "a.window_to)"),
            0);
}

TEST_F(PlanHarvestTest, AWatermarkAfterNowIsAnAlertAndNotContentUntilAPersonPutsItBack) {
  const auto lane = LaneOf(Spec(), domain::Operation::kHarvest);
  const auto cursor = HarvestCursor(Spec());
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  const auto truth = clock_.Now();
  clock_.Advance(5h);  // nobody was there: the clock went ahead
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();

  VirtualClock right(truth + 30min);
  const auto ports = backend_.Connect(right);
  PlanHarvest plan(PortsOf(*ports, right, ports->ids()));
  const auto held = plan.Run(Command());
  ASSERT_TRUE(held) << held.error().Describe();
  EXPECT_EQ(held->kind, Kind::kHeld);
  EXPECT_NE(held->hint.find("‹cursor.set demo/items›"), std::string::npos) << held->hint;
  const auto alerts = ports->alerts().List({});
  ASSERT_EQ(alerts->size(), 1u);
  EXPECT_EQ(alerts->at(0).key, "watermark/demo/items");
  EXPECT_NE(alerts->at(0).message.find("‹cursor.set demo/items›"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 2);

  right.Advance(6h);  // also where he comes only after that moment has passed
  const auto put_right = kStart + std::chrono::days(3);
  ASSERT_TRUE(ports->cursors().Set(lane, cursor, put_right, {{"me"}, "the clock was ahead"}));
  const auto again = plan.Run(Command());
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_EQ(again->kind, Kind::kCreated);
  EXPECT_EQ(again->window->from(), put_right);
  EXPECT_EQ(Count("SELECT sum(window_to - window_from) FROM ing_plan_slice WHERE status_code = "
                  "'READY'"),
            Duration(again->window->width()).count())
      << "all of it is read again";
  EXPECT_TRUE(ports->alerts().List({})->empty());
}

TEST_F(PlanHarvestTest, ADryRunRaisesNoAlert) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  VirtualClock early(kStart + 1h);
  auto dry = Command();
  dry.options.dry_run = true;
  EXPECT_EQ(PlanHarvest(PortsOf(*ports_, early, ids_)).Run(dry)->kind, Kind::kHeld);
  EXPECT_TRUE(ports_->alerts().List({})->empty());
}

}  // namespace patra::app::plan_harvest_test
