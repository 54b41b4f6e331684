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

enum class CredentialOrder : std::uint8_t {
  kEvenly,  // the one that can send soonest, and of several that can send at once the one with most left, so that all run dry
            // together
  kListed,  // the first that neither cools down nor is spent
};

// Those that the provider refuses are out. Nothing where none is left.
std::optional<std::size_t> ChooseCredential(std::span<const CredentialState> credentials,
                                            Duration now, CredentialOrder order);

}  // namespace patra::domain
