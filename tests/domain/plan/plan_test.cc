#include "domain/plan/plan.h"

#include <set>

#include <gtest/gtest.h>

namespace patra::domain::plan_test {

using namespace std::chrono_literals;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Plan PlanOver(Duration from, Duration to) {
  const Lane lane{"demo", "items", Operation::kHarvest};
  const auto window = *Window::Between(kStart + from, kStart + to);
  return {.id = 1,
          .key = PlanKey(lane, "abc", window),
          .lane = lane,
          .snapshot_hash = "s",
          .window = window};
}

TEST(PlanKey, DependsOnSourceQueryAndWindow) {
  const auto window = *Window::Between(kStart, kStart + 1h);
  const auto longer = *Window::Between(kStart, kStart + 2h);
  const std::set<std::string> keys{PlanKey({"a", "x", Operation::kHarvest}, "q1", window),
                                   PlanKey({"b", "x", Operation::kHarvest}, "q1", window),
                                   PlanKey({"a", "y", Operation::kHarvest}, "q1", window),
                                   PlanKey({"a", "x", Operation::kBackfill}, "q1", window),
                                   PlanKey({"a", "x", Operation::kHarvest}, "q2", window),
                                   PlanKey({"a", "x", Operation::kHarvest}, "q1", longer)};
  EXPECT_EQ(keys.size(), 6u);
}

TEST(CutByTime, GivesEverySliceItsOwnSignatureAndTaskKey) {
  const auto work = CutByTime(PlanOver(0h, 5h), 1h, kStart);
  std::set<std::string> signatures, keys;
  for (const auto& [slice, task] : work) {
    signatures.insert(slice.signature_hash);
    keys.insert(task.idempotent_key);
  }
  EXPECT_EQ(work.size(), 5u);
  EXPECT_EQ(signatures.size(), 5u);
  EXPECT_EQ(keys.size(), 5u);
}

TEST(CutByTime, TheSameStretchInAnotherPlanIsTheSameSliceButAnotherTask) {
  const auto first = CutByTime(PlanOver(0h, 2h), 1h, kStart);
  const auto second = CutByTime(PlanOver(1h, 3h), 1h, kStart);
  EXPECT_EQ(first[1].slice.signature_hash, second[0].slice.signature_hash);
  EXPECT_NE(first[1].task.idempotent_key, second[0].task.idempotent_key);
}

TEST(Priority, HarvestComesBeforeUpdateBeforeBackfill) {
  EXPECT_LT(DefaultPriority(Operation::kHarvest), DefaultPriority(Operation::kUpdate));
  EXPECT_LT(DefaultPriority(Operation::kUpdate), DefaultPriority(Operation::kBackfill));
}

}  // namespace patra::domain::plan_test
