#include "app/heal/heal_rounds.h"

namespace patra::app {
namespace {

constexpr const char* kDuty = "heal";
// Nobody else begins a round while one is under way, unless whoever runs it has died.
constexpr Duration kRoundMax = std::chrono::minutes(5);

}  // namespace

void HealRounds::RunIfDue() {
  const auto elapsed = clock_.Elapsed();
  if (asked_at_ && elapsed - *asked_at_ < interval()) return;
  Run();
}

void HealRounds::RunAtEnd() { Run(); }

void HealRounds::Run() {
  asked_at_ = clock_.Elapsed();
  const auto began_at = clock_.Now();
  const auto log = [&](const char* what, const Error& error) {
    log_.Write(LogLevel::kWarn, what, {}, {{"reason", error.Describe()}});
  };
  const auto taken = duties_.Take(kDuty, owner_, began_at + std::max(kRoundMax, interval()));
  if (!taken) return log("heal.unavailable", taken.error());
  if (!*taken) return;
  const auto done = heal_.Run();
  if (!done) log("heal.failed", done.error());
  for (const auto& entry : done.value_or(std::vector<HealEntry>{})) {
    log_.Write(LogLevel::kInfo, "heal.acted", entry.about,
               {{"source", entry.partition.provenance},
                {"endpoint", entry.partition.endpoint},
                {"did", entry.did},
                {"result", entry.result}});
  }
  const auto left = duties_.Take(kDuty, owner_, began_at + interval());
  if (!left) log("heal.unavailable", left.error());
}

}  // namespace patra::app
