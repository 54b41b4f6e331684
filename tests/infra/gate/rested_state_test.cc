#include "infra/gate/rested_state.h"

#include <gtest/gtest.h>

#include <cstring>

#include "infra/gate/resting_view.h"

namespace patra::infra::gate::rested_state_test {

using namespace std::chrono_literals;

const Instant kMidnight{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// A machine that has been up for a day, and was told to wait for an hour.
std::unique_ptr<GateMemory> MemoryWithAStop() {
  auto memory = std::make_unique<GateMemory>();
  memory->mark.boot = 1;
  memory->clock = {.ahead = {}, .zero = kMidnight - 24h};
  memory->lost_at = domain::kLongAgo;
  memory->busy.fill(-1);
  memory->made = 2;
  auto& cell = memory->cells[1];
  std::ranges::copy(std::string_view("crossref"), cell.key.begin());
  cell.used_at = 24h;
  cell.frozen_until = 25h;
  memory->hashes[1] = 7;
  return memory;
}

// How long the gate is still shut, whatever its clock shows.
Duration WaitIn(const RestedState& state, const Awakening& at) {
  return state.cells.at(0).frozen_until - (at.elapsed + state.clock.ahead);
}

TEST(RestedState, IsTakenUpAsItWasOnAMachineThatWentOn) {
  const auto gate = PutToRest(*MemoryWithAStop(), 24h);
  const Awakening at{.boot = 1, .elapsed = 24h + 10min, .wall = kMidnight + 10min};
  const auto state = WakeUp(gate, at);
  ASSERT_EQ(state.cells.size(), 1U) << "only what is in use";
  EXPECT_EQ(state.cells[0].name(), "crossref");
  EXPECT_EQ(WaitIn(state, at), 50min);
  EXPECT_EQ(state.lost_at, domain::kLongAgo);
}

TEST(RestedState, GoesByTheMachinesTimeWhereTheCalendarWasSet) {
  const auto gate = PutToRest(*MemoryWithAStop(), 24h);
  const Awakening at{.boot = 1, .elapsed = 24h + 10min, .wall = kMidnight + 9h};
  EXPECT_EQ(WaitIn(WakeUp(gate, at), at), 50min);
}

TEST(RestedState, GoesByTheCalendarAfterTheMachinesStart) {
  const auto gate = PutToRest(*MemoryWithAStop(), 24h);
  const Awakening at{.boot = 2, .elapsed = 30s, .wall = kMidnight + 20min};
  const auto state = WakeUp(gate, at);
  EXPECT_EQ(WaitIn(state, at), 40min);
  EXPECT_EQ(state.clock.zero, kMidnight - 24h);
}

TEST(RestedState, NeverGoesBackWhereTheCalendarDid) {
  const auto gate = PutToRest(*MemoryWithAStop(), 24h);
  const Awakening at{.boot = 2, .elapsed = 30s, .wall = kMidnight - 240h};
  EXPECT_EQ(WaitIn(WakeUp(gate, at), at), 1h) << "not eleven days";
}

TEST(RestedState, OfAnotherLayoutStillHasItsStopsAndAllElseIsUnknown) {
  auto gate = PutToRest(*MemoryWithAStop(), 24h);
  const Awakening at{.boot = 1, .elapsed = 24h + 10min, .wall = kMidnight + 10min};
  for (const auto& foreign : {std::string("\x07"), std::string(1'000, 'x')}) {
    gate.memory = foreign;
    const auto state = WakeUp(gate, at);
    ASSERT_EQ(state.cells.size(), 1U);
    EXPECT_EQ(state.cells[0].name(), "crossref");
    EXPECT_EQ(WaitIn(state, at), 50min);
    EXPECT_EQ(state.lost_at, at.elapsed);
  }
}

TEST(RestedState, OfAFileThatOutlivedTheMachineGoesOnByTheCalendar) {
  const auto memory = MemoryWithAStop();
  const std::string bytes(reinterpret_cast<const char*>(memory.get()),
                          kGateHeadBytes + 2 * sizeof(domain::GateCell));
  const Awakening at{.boot = 2, .elapsed = 30s, .wall = kMidnight + 20min};
  const auto state = Salvage(bytes, at);
  ASSERT_TRUE(state);
  ASSERT_EQ(state->cells.size(), 1U);
  EXPECT_EQ(WaitIn(*state, at), 40min);
  EXPECT_EQ(Salvage(bytes.substr(0, 100), at), std::nullopt);
}

TEST(RestedState, OfAFileThatWasBeingChangedIsNotBelieved) {
  const auto memory = MemoryWithAStop();
  memory->busy[0] = 1;
  const std::string bytes(reinterpret_cast<const char*>(memory.get()),
                          kGateHeadBytes + 2 * sizeof(domain::GateCell));
  EXPECT_EQ(Salvage(bytes, {.boot = 2, .elapsed = 30s, .wall = kMidnight}), std::nullopt);
}

// A store in a folder that one may not write.
class KeptLedger final : public app::GateLedger {
 public:
  explicit KeptLedger(std::optional<app::RestingGate> gate) : gate_(std::move(gate)) {}

  Result<std::optional<std::int64_t>> Epoch() override { return std::nullopt; }
  Result<void> SetEpoch(std::int64_t) override { return Written(); }
  Result<void> Rest(const app::RestingGate&) override { return Written(); }
  Result<std::optional<app::RestingGate>> Resting() override { return gate_; }
  Result<std::int64_t> ReserveQuota(const std::string&, Instant, Instant, std::int64_t,
                                    std::int64_t, std::int64_t) override {
    ADD_FAILURE() << "nothing is written";
    return 0;
  }
  Result<std::vector<app::QuotaWindow>> Quotas(Instant) override { return {}; }

 private:
  static Result<void> Written() {
    ADD_FAILURE() << "nothing is written";
    return {};
  }

  const std::optional<app::RestingGate> gate_;
};

TEST(RestingView, ShowsWhatRestsAndSendsNothing) {
  VirtualClock clock(kMidnight + 10min);
  auto memory = MemoryWithAStop();
  memory->clock.zero = kMidnight - 24h;
  KeptLedger ledger(PutToRest(*memory, 24h));
  RestingView view(ledger, clock);
  const auto list = view.List();
  ASSERT_TRUE(list) << list.error().Describe();
  ASSERT_EQ(list->size(), 1U);
  EXPECT_EQ(list->front().key, "crossref");
  EXPECT_FALSE(view.Reset("crossref"));
  EXPECT_FALSE(view.Acquire({}, {}, {}));
}

TEST(RestingView, OfAStoreThatNeverSentAnythingIsEmpty) {
  VirtualClock clock(kMidnight);
  KeptLedger ledger(std::nullopt);
  EXPECT_TRUE(RestingView(ledger, clock).List()->empty());
}

}  // namespace patra::infra::gate::rested_state_test
