// Response headers from anybody, and the gate that believes them: whatever they say, waits stay in bounds.
// The first line is the status, the others are headers; the whole is also read as an error text.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "domain/gate/provider_signal.h"

namespace patra::domain {
namespace {

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

GateRules Rules() {
  return {.limits =
              {{.kind = LimitKind::kFixedWindow, .count = 100, .window = std::chrono::seconds(60)},
               {.kind = LimitKind::kConcurrency, .count = 4, .window = std::chrono::seconds(60)}},
          .told_may_raise = true};
}

void CheckGate(const GateRules& rules, const GateSignal& signal) {
  // Anew each time: slots that earlier inputs booked say nothing about this one.
  const auto cell = std::make_unique<GateCell>();
  Claim(*cell, "fuzz", rules, Duration::zero());
  GateCells cells;
  cells.of.fill(cell.get());
  const GateTime time{std::chrono::hours(1), kNow};
  Feed(rules, cells, signal, time, 0.999);
  PATRA_ASSERT(cell->frozen_until <= time.now + std::chrono::days(2 * 10 * 366));
  const auto verdict = Decide(rules, cells, {}, time, 1);
  PATRA_ASSERT(verdict.until <= time.now + std::chrono::days(3));
}

}  // namespace
}  // namespace patra::domain

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace patra;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  static const auto rules = domain::Rules();
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  for (std::size_t from = 0; from < text.size() && headers.size() < 64;) {
    const auto end = std::min(text.find('\n', from), text.size());
    const auto line = text.substr(from, end - from);
    const auto colon = line.find(':');
    if (from == 0) {
      for (const char c : line.substr(0, 3)) status = status * 10 + (c - '0');
    } else if (colon != std::string_view::npos) {
      headers.emplace_back(line.substr(0, colon), line.substr(colon + 1));
    }
    from = end + 1;
  }
  const auto signal = domain::ReadSignal(status, headers, domain::kNow, rules);
  PATRA_ASSERT(!signal.cool_down || *signal.cool_down >= Duration::zero());
  domain::CheckGate(rules, signal);
  const auto told = domain::WaitToldInText(text, domain::kNow);
  PATRA_ASSERT(!told || (*told > Duration::zero() && *told <= std::chrono::days(1)));
  return 0;
}
