// Everything that people are alerted of, and in which words. A new alert is a row of the table in alert_kind.cc and a place
// that raises it.
#pragma once

#include <string>
#include <string_view>

#include "domain/word/alert.h"

namespace patra::domain {

enum class AlertKind {
  kCredentialRefused,
  kLongWait,
  kSliceUnproven,
  kLedgerContradiction,
  kTaskGivenUp,
  kSliceFailed,
  kSecretEchoed,
  kClockAhead,
  kClockBehind,
  kNoClock,
  kWatermarkAhead,
  kFuseBlown,
  kPausedByHealing,
  kCursorHeld,
  kHealingReview,
  kExecutorsMissing,
};

// What the trouble is about. The same trouble of the same source and name is one alert.
struct AlertAbout {
  std::string source;
  std::string endpoint;
  std::string name{};  // within the source, such as a credential's; the endpoint where it is empty
};

std::string AlertKey(AlertKind kind, const AlertAbout& about);

// `reason` is what is known beyond the kind. `details` are JSON.
Alert AlertOf(AlertKind kind, const AlertAbout& about, std::string_view reason,
              std::string details = "{}");

// Of healing, which looks again in every round and ends what it does not find again.
inline constexpr std::string_view kHealingAlerts = "heal/";

}  // namespace patra::domain
