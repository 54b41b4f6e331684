// What a store deletes once it is old enough: each has an age of its own.
#pragma once

#include <array>

#include "domain/word/codes.h"

namespace patra::domain {

enum class OldKind {
  kChanges,     // of records, as others are told of them
  kRelayLog,    // attempts to tell them
  kAudit,       // decisions of people
  kHealLog,     // what self-healing saw and did
  kAlerts,      // that have ended
  kExecutions,  // of jobs
  kAnswers,     // of the API, to requests that may be sent again
  kWalks,       // what walks remember that are over
  kRefusals,    // moves that cursors did not follow
  kSignals,     // that were acted upon
  kRollup,      // sums of batches
};
constexpr auto CodesOf(OldKind) {
  using enum OldKind;
  return std::to_array<Coded<OldKind>>({{kChanges, "CHANGES"},
                                        {kRelayLog, "RELAY_LOG"},
                                        {kAudit, "AUDIT"},
                                        {kHealLog, "HEAL_LOG"},
                                        {kAlerts, "ALERTS"},
                                        {kExecutions, "EXECUTIONS"},
                                        {kAnswers, "ANSWERS"},
                                        {kWalks, "WALKS"},
                                        {kRefusals, "REFUSALS"},
                                        {kSignals, "SIGNALS"},
                                        {kRollup, "ROLLUP"}});
}

}  // namespace patra::domain
