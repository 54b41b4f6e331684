// A store, a clock and a source for tests of the planner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "domain/spec/spec_snapshot.h"
#include "tests/app/plan/plan_ports_of.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::app {

class PlanningTest : public ::testing::Test {
 protected:
  static domain::SpecSnapshot Spec() {
    using namespace std::chrono_literals;
    domain::SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
    spec.window.start = testing::kStart;
    spec.window.safety_lag = 10min;
    spec.window.align = 1h;
    spec.window.width = 24h;
    spec.window.width_max = 24h;
    spec.limits = {{.rate = domain::RateSpec{.requests = 10, .per = 1s}}};
    return spec;
  }

  std::int64_t Count(const std::string& sql) { return ports_->Count(sql); }

  std::vector<LeasedTask> Claim(int tasks_max) {
    return *ports_->queue().Claim({.owner = "w",
                                   .tasks_max = tasks_max,
                                   .lease = std::chrono::seconds(15),
                                   .running_per_lane_max = 1000});
  }

  void Finish(const LeasedTask& task, domain::TaskStatus status = domain::TaskStatus::kSucceeded) {
    const auto run = ports_->runs().Open(task, {.page = 1});
    ASSERT_TRUE(run) << run.error().Describe();
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage, .status = status}));
  }

  // Finishes every task that is due, as executors would.
  void WorkEverythingOff() {
    while (true) {
      const auto claimed = Claim(1);
      if (claimed.empty()) return;
      Finish(claimed[0]);
    }
  }

  VirtualClock clock_{testing::kStart + std::chrono::days(3) + std::chrono::minutes(35)};
  testing::SqliteBackend backend_;
  std::unique_ptr<testing::LedgerPorts> ports_ = backend_.Connect(clock_);
  IdGenerator& ids_ = ports_->ids();
};

}  // namespace patra::app
