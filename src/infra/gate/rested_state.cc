#include "infra/gate/rested_state.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <type_traits>

#include "base/random.h"

namespace patra::infra::gate {
namespace {

struct RestHead {
  std::uint64_t layout = kGateLayout;
  std::uint64_t boot = 0;
  GateClock clock;
  Duration now{};
  Duration lost_at{};
};
static_assert(std::is_trivially_copyable_v<RestHead>);

template <typename T>
std::string_view BytesOf(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof(T)};
}

std::vector<domain::GateCell> CellsIn(std::string_view bytes) {
  std::vector<domain::GateCell> cells(bytes.size() / sizeof(domain::GateCell));
  // Cells of no bytes have no address that could be copied to.
  if (!cells.empty())
    std::memcpy(cells.data(), bytes.data(), cells.size() * sizeof(domain::GateCell));
  std::erase_if(
      cells, [](const auto& cell) { return cell.key.front() == '\0' || cell.key.back() != '\0'; });
  if (cells.size() > kGateCells) cells.resize(kGateCells);
  return cells;
}

// `last` is the latest that the clock is known to have shown: it never goes back.
GateClock GoOn(GateClock clock, Duration last, const Awakening& at) {
  const auto now = std::max(last, at.wall - clock.zero);
  clock.ahead = now - at.elapsed;
  clock.zero = at.wall - now;
  return clock;
}

// Of what somebody else laid out, only this can be told: who must wait, and that all else is unknown.
RestedState OnlyStops(const app::RestingGate& gate, const Awakening& at) {
  RestedState state{.clock = {.ahead = {}, .zero = at.wall - at.elapsed}, .lost_at = at.elapsed};
  for (const auto& stop : gate.stops) {
    if (stop.until <= at.wall || stop.key.size() > domain::kGateKeyBytesMax ||
        state.cells.size() == kGateCells)
      continue;
    auto& cell = state.cells.emplace_back();
    std::ranges::copy(stop.key, cell.key.begin());
    cell.frozen_until = at.elapsed + (stop.until - at.wall);
    cell.frozen_at = at.elapsed;
  }
  return state;
}

std::uint64_t BootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  return HashText(text);
}

}  // namespace

app::RestingGate PutToRest(const GateMemory& memory, Duration now) {
  const RestHead head{
      .boot = memory.mark.boot, .clock = memory.clock, .now = now, .lost_at = memory.lost_at};
  app::RestingGate gate{.memory = std::string(BytesOf(head))};
  for (std::size_t i = 0; i < memory.made; ++i) {
    if (memory.hashes[i] == 0) continue;
    const auto& cell = memory.cells[i];
    gate.memory += BytesOf(cell);
    if (cell.frozen_until > now)
      gate.stops.push_back({std::string(cell.name()), memory.clock.zero + cell.frozen_until});
  }
  return gate;
}

Awakening AwakeningNow(const Clock& clock) {
  return {.boot = BootId(), .elapsed = clock.Elapsed(), .wall = clock.Now()};
}

RestedState WakeUp(const app::RestingGate& gate, const Awakening& at) {
  RestHead head;
  if (gate.memory.size() < sizeof(head)) return OnlyStops(gate, at);
  std::memcpy(&head, gate.memory.data(), sizeof(head));
  if (head.layout != kGateLayout) return OnlyStops(gate, at);
  return {.clock = head.boot == at.boot ? head.clock : GoOn(head.clock, head.now, at),
          .lost_at = head.lost_at,
          .cells = CellsIn(std::string_view(gate.memory).substr(sizeof(head)))};
}

std::optional<RestedState> Salvage(const std::string& bytes, const Awakening& at) {
  if (bytes.size() < kGateHeadBytes) return std::nullopt;
  // Only what stands before the cells is read through this.
  const auto memory = std::make_unique<GateMemory>();
  std::memcpy(static_cast<void*>(memory.get()), bytes.data(), kGateHeadBytes);
  // Who was changing cells when the machine stopped left them in no state that means anything.
  if (std::ranges::any_of(memory->busy, [](auto index) { return index >= 0; })) return std::nullopt;
  auto cells = CellsIn(std::string_view(bytes).substr(kGateHeadBytes));
  auto last = Duration::zero();
  for (const auto& cell : cells) last = std::max(last, cell.used_at);
  return RestedState{.clock = GoOn(memory->clock, last, at),
                     .lost_at = memory->lost_at,
                     .cells = std::move(cells)};
}

}  // namespace patra::infra::gate
