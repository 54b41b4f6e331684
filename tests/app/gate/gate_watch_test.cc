#include "app/gate/gate_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/plan/stingy_gate.h"

namespace patra::app::gate_watch_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object&) override {
    events.emplace_back(event);
  }
  std::vector<std::string> events;
};

class FarGate final : public StingyGate {
 public:
  FarGate() : StingyGate(0) {}
  GateReach Reach() override { return reach; }
  GateReach reach{.counts = "everybody", .is_remote = true};
};

TEST(GateWatchTest, TellsOnceThatASharedGateIsAwayAndOnceThatItIsBack) {
  FarGate gate;
  EventLog log;
  GateWatch watch(gate, log);
  watch.Look();
  EXPECT_THAT(log.events, ElementsAre("gate.shared")) << "an alert of before is over";
  gate.reach.is_away = true;
  watch.Look();
  watch.Look();
  gate.reach.is_away = false;
  watch.Look();
  watch.Look();
  EXPECT_THAT(log.events, ElementsAre("gate.shared", "gate.away", "gate.shared"));
}

TEST(GateWatchTest, AGateOnThisMachineIsNeverAway) {
  StingyGate gate(0);
  EventLog log;
  GateWatch(gate, log).Look();
  EXPECT_THAT(log.events, IsEmpty());
}

}  // namespace patra::app::gate_watch_test
