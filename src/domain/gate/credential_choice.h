// Which of several credentials the next request uses.
#pragma once

#include <optional>
#include <span>

#include "domain/gate/gate_decision.h"

namespace patra::domain {

struct CredentialState {
  GateEstimate estimate;
  std::optional<std::int64_t> quota_left;  // where it has a quota
};

// The one that can send soonest, and of several that can send at once the one with most left, so that
// all run dry together. Those that the provider refuses are out. Nothing where none is left.
std::optional<std::size_t> ChooseCredential(std::span<const CredentialState> credentials,
                                            Duration now);

}  // namespace patra::domain
