#include "adapter/cli/gate_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/canonical_json.h"

namespace patra::adapter::cli {
namespace {

std::string State(const app::GateKeyReport& key) {
  if (key.reason == "NONE") return "open";
  return key.blocked_until ? fmt::format("{} until {}", key.reason, When(key.blocked_until))
                           : key.reason;
}

double Milliseconds(Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

std::string Percent(std::int64_t ppm) { return fmt::format("{} %", ppm / 10'000); }

void PrintOne(const app::GateKeyReport& key, const Console& console) {
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::print(console.out, "{:<12} {}\n", name, value);
  };
  line("key", key.key);
  line("state", State(key));
  line("last used", When(key.last_used_at));
  line("rate", Percent(key.share_ppm) + " of what is configured");
  line("jitter", key.jitter ? fmt::format("{:.1f} ms, measured", Milliseconds(*key.jitter))
                            : "not measured yet");
  line("under way", std::to_string(key.in_flight));
  line("permits", Thousands(key.permits));
  line("waits", Thousands(key.waits));
  line("rejects", Thousands(key.rejects));
  line("lost slots", Thousands(key.lost_slots));
  line("throttled", fmt::format("{} (cool-downs {}, slowed down {})", Thousands(key.throttled),
                                Thousands(key.cool_downs), Thousands(key.cuts)));
  line("failures",
       fmt::format("{} (breaker opened {})", Thousands(key.failures), Thousands(key.openings)));
  for (const auto& quota : key.quotas) {
    line("quota", fmt::format("{} of {} until {}", Thousands(quota.reserved),
                              Thousands(quota.allowed), When(quota.to)));
  }
}

}  // namespace

int RunGateList(bool as_json, app::GateKeys& gate, const Console& console) {
  const auto keys = gate.List();
  if (!keys) return PrintError(console, keys.error());
  if (as_json) {
    for (const auto& key : *keys) PrintJsonLine(console, ToObject(FactsOf(key)));
    return kComplete;
  }
  if (keys->empty()) {
    fmt::print(console.out, "the gate knows no key yet\n");
    return kComplete;
  }
  Table table({"key", "state", "rate", "under way", "permits", "waits", "rejects", "throttled",
               "failures"});
  for (const auto& key : *keys) {
    table.Add({key.key, State(key), Percent(key.share_ppm), std::to_string(key.in_flight),
               Thousands(key.permits), Thousands(key.waits), Thousands(key.rejects),
               Thousands(key.throttled), Thousands(key.failures)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet) fmt::print(console.err, "it counts {}\n", gate.counts());
  return kComplete;
}

int RunGateShow(const std::string& key, bool as_json, app::GateKeys& gate, const Console& console) {
  const auto keys = gate.List();
  if (!keys) return PrintError(console, keys.error());
  const auto found = std::ranges::find(*keys, key, &app::GateKeyReport::key);
  if (found == keys->end()) {
    return PrintError(console, Error{ErrorCode::kNotFound,
                                     fmt::format("the gate knows no key '{}'", key),
                                     {},
                                     "see `patra gate list`"});
  }
  if (as_json) {
    fmt::print(console.out, "{}\n", CanonicalJson(ToObject(FactsOf(*found))));
  } else {
    PrintOne(*found, console);
  }
  return kComplete;
}

int RunGateReset(const GateReset& reset, app::GateKeys& gate, const domain::Actor& actor,
                 const Console& console) {
  const auto done = gate.Reset(reset.key, reset.reason, actor);
  if (!done) return PrintError(console, done.error());
  if (!console.quiet)
    fmt::print(console.out,
               "{}: stops and slow-downs ended, and what waited for them is queued; what was used "
               "stays used\n",
               reset.key);
  return kComplete;
}

}  // namespace patra::adapter::cli
