#include "app/heal/heal_rounds.h"

#include "app/heal/acted_details.h"

namespace patra::app {
namespace {

constexpr const char* kDuty = "heal";
// Whoever holds this one runs the rounds of this minute; the round at the end of some work is another's.
constexpr const char* kPace = "heal-pace";
// Nobody else begins a round while one is under way, unless whoever runs it has died.
constexpr Duration kRoundMax = std::chrono::minutes(5);

void Warn(Log& log, const char* what, const Error& error) {
  log.Write(LogLevel::kWarn, what, {}, {{"reason", error.Describe()}});
}

// Whether it is ours.
bool Taken(const Result<bool>& taken, Log& log) {
  if (!taken) Warn(log, "heal.unavailable", taken.error());
  return taken.value_or(false);
}

}  // namespace

void HealRounds::RunIfDue() {
  const auto elapsed = clock_.Elapsed();
  if (asked_at_ && elapsed - *asked_at_ < interval()) return;
  asked_at_ = elapsed;
  if (Taken(duties_.Take(kPace, owner_, clock_.Now() + interval()), log_)) Run();
}

void HealRounds::RunAtEnd() { Run(); }

void HealRounds::Run() {
  if (!Taken(duties_.Take(kDuty, owner_, clock_.Now() + kRoundMax), log_)) return;
  const auto done = heal_.Run();
  if (!done) Warn(log_, "heal.failed", done.error());
  for (const auto& entry : done.value_or(std::vector<HealEntry>{})) {
    log_.Write(LogLevel::kInfo, "heal.acted", entry.about, ActedDetails(entry));
  }
  Taken(duties_.Take(kDuty, owner_, clock_.Now()), log_);  // others may
}

}  // namespace patra::app
