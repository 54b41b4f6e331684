// A simulated provider, its time and an engine with a store of its own.
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::testing {

class SimWorld {
 public:
  // Again for another world, with a store of its own. Limits are off and late records come as in the demo.
  void Start(sim::SimulatorOptions options) {
    options.late_by = boot::kDemoLatestArrival;
    options.enforce_limits = false;
    engine_.reset();
    stores_.GiveBack();
    auto simulator = sim::Simulator::Start(std::move(options));
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    clock_ = std::make_unique<WorldClock>(*simulator_);
    database_ = stores_.At(folder_.Path(fmt::format("patra{}.db", ++worlds_)));
    // How long a busy machine takes to commit is none of these tests' business.
    auto engine = boot::Engine::Open({.database = database_,
                                      .allow_loopback = true,
                                      .heal = {.store_wait_over = std::chrono::hours(1)}},
                                     *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  std::int64_t Count(const std::string& sql) {
    const auto count =
        testing::DatabaseOf(engine_->store()).Read([&](infra::sql::Session& connection) {
          return connection.Integer(sql);
        });
    EXPECT_TRUE(count) << count.error().Describe();
    return count.value_or(-1);
  }

 protected:
  TemporaryFolder folder_;
  TestStores stores_;
  std::string database_;  // of the current world
  int worlds_ = 0;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<WorldClock> clock_;
  std::unique_ptr<boot::Engine> engine_;
};

}  // namespace patra::testing
