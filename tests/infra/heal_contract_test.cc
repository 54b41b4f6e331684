// Self-healing on a store: what it sees there, what it does, and what it writes down.
#include <gmock/gmock.h>

#include "app/heal/heal_once.h"
#include "tests/infra/sqlite_backend.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HealContract : public testing::LedgerTest {
 protected:
  std::vector<app::HealEntry> Heal() {
    auto done = app::HealOnce({.health = ports_->health(),
                               .journal = ports_->journal(),
                               .holds = ports_->holds(),
                               .plans = ports_->plans(),
                               .queue = ports_->queue(),
                               .adjustments = ports_->adjustments(),
                               .clock = clock_})
                    .Run();
    EXPECT_TRUE(done) << done.error().Describe();
    return done ? *std::move(done) : std::vector<app::HealEntry>{};
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
  clock_.Advance(11min);
  ASSERT_TRUE(ports_->queue().Renew("worker-1", 15s)) << "the worker lives";
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("TAKE_TASK_AWAY"));
  EXPECT_EQ(done[0].about.task, task.lineage.task);
  EXPECT_EQ(ports_->runs().Commit(BatchOf(task, *run, {})).error().code, ErrorCode::kConflict);
  EXPECT_THAT(Claim(1, "worker-2"), SizeIs(1));
  EXPECT_EQ(ports_->queue().TakeAway(12345, {"me", "r"}).error().code, ErrorCode::kConflict);
}

TEST_P(HealContract, APlanThatNobodyConsumesIsSaidOnceInAWhile) {
  const auto plan = Planned(0, 1);
  clock_.Advance(31min);
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("WAKE_EXECUTORS"));
  EXPECT_EQ(done[0].about.plan, plan.id);
  EXPECT_THAT(Heal(), IsEmpty()) << "it was said a moment ago";
  clock_.Advance(16min);
  EXPECT_THAT(Heal(), SizeIs(1));
  const auto log = ports_->journal().List("demo", testing::kStart, 10);
  ASSERT_TRUE(log);
  EXPECT_THAT(*log, SizeIs(2));
  EXPECT_THAT(*ports_->journal().List("other", testing::kStart, 10), IsEmpty());
}

// Seed 000 §12.7.4: after an L4 neither planner nor executor goes on until a person resets the fuse.
TEST_P(HealContract, E12_7_4_AFatalErrorBlowsTheFuseUntilItIsReset) {
  Planned(0, 2);
  FailOne(domain::ErrorLevel::kL4, "401: the key is not valid");
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("STOP_SOURCE"));
  EXPECT_THAT(Claim(1), IsEmpty());
  const auto holds = ports_->holds().Holds(domain::Role::kPlanner);
  ASSERT_THAT(*holds, SizeIs(1));
  EXPECT_THAT((*holds)[0].reason, HasSubstr("401"));
  ASSERT_TRUE(ports_->holds().Reset("demo", "items", {"anna", "new key"}));
  EXPECT_THAT(Claim(1), SizeIs(1));
}

TEST_P(HealContract, WrongRequestsInAFifthOfTheSlicesMakeThePlanPartial) {
  Planned(0, 3);
  FailOne(domain::ErrorLevel::kL2, "400: from-date");
  const auto done = Heal();
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_THAT(done[0].did, HasSubstr("MARK_PARTIAL"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan WHERE status_code = 'PARTIAL'"), 1);
}

TEST_P(HealContract, APauseOfThePlannerLeavesTasksAlone) {
  Planned(0, 1);
  ASSERT_TRUE(ports_->holds().Pause(
      {.provenance = "demo", .reason = "r", .only = domain::Role::kPlanner}, {"me", "r"}));
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

}  // namespace
}  // namespace patra
