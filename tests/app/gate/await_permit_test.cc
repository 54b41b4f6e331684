// Waiting for permits, on the mapped gate and a clock that moves when somebody sleeps.
#include "app/gate/await_permit.h"

#include <gtest/gtest.h>

#include "infra/gate/rate_gate.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing::await_permit_test {

using namespace std::chrono_literals;

class AwaitPermit : public ::testing::Test {
 protected:
  Result<app::PermitAwaited> Await(Duration deadline) {
    return app::AwaitPermit(*gate_, clock_, {.provenance = "demo"}, rules_, {.deadline = deadline},
                            [&](const domain::GateWait& wait) { waits_.push_back(wait); });
  }

  TemporaryFolder folder_;
  PlainGateLedger ledger_;
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  std::unique_ptr<infra::gate::RateGate> gate_ =
      *infra::gate::RateGate::Open(folder_.Path("gate"), ledger_, clock_);
  domain::GateRules rules_{.limits = {{.count = 1, .window = 2s, .jitter = 0s}}};
  std::vector<domain::GateWait> waits_;
};

TEST_F(AwaitPermit, WaitsForItsSlotAndTellsWhyAndUntilWhen) {
  ASSERT_TRUE(Await(10s)->permit);
  EXPECT_TRUE(waits_.empty());
  const auto before = clock_.Now();
  const auto awaited = Await(10s);
  ASSERT_TRUE(awaited->permit);
  EXPECT_GE(awaited->waited, 2s);
  EXPECT_EQ(awaited->reason, domain::WaitReason::kPace);
  ASSERT_EQ(waits_.size(), 1U);
  EXPECT_EQ(waits_[0].reason, domain::WaitReason::kPace);
  EXPECT_EQ(waits_[0].until, before + awaited->waited);
}

TEST_F(AwaitPermit, EndsSoonAfterSomebodyAsksToStop) {
  ASSERT_TRUE(Await(10s)->permit);
  app::StopRequest stop;
  const auto before = clock_.Elapsed();
  const auto awaited = app::AwaitPermit(
      *gate_, clock_, {.provenance = "demo"}, rules_, {.deadline = 10s},
      [&](const domain::GateWait&) { stop.Ask(); }, &stop);
  ASSERT_TRUE(awaited);
  EXPECT_TRUE(awaited->is_stopped);
  EXPECT_FALSE(awaited->permit);
  EXPECT_LT(clock_.Elapsed() - before, 1s);
}

TEST_F(AwaitPermit, GivesUpAtOnceWhereTheDeadlineCannotBeMet) {
  ASSERT_TRUE(Await(1s)->permit);
  const auto before = clock_.Elapsed();
  const auto awaited = Await(1s);
  ASSERT_TRUE(awaited);
  EXPECT_FALSE(awaited->permit);
  EXPECT_EQ(clock_.Elapsed(), before);
  EXPECT_GE(awaited->rejected->until, clock_.Now() + 2s);
}

}  // namespace patra::testing::await_permit_test
