#include "app/heal/reset_fuse.h"

namespace patra::app {

Result<void> ResetFuse(HoldRepository& holds, RateGate& gate, const domain::SourceTarget& target,
                       const Decision& decision) {
  PATRA_TRY(holds.Reset(target.source,
                        target.endpoint.value_or(std::string(domain::kEveryEndpoint)), decision));
  const auto credentials =
      domain::GateKey(domain::LimitScope::kCredential, {.provenance = target.source});
  for (const auto& status : PATRA_TRY(gate.List())) {
    const bool is_own = status.key.starts_with(credentials);
    if (is_own && status.reason == domain::WaitReason::kRefused) PATRA_TRY(gate.Reset(status.key));
  }
  return {};
}

}  // namespace patra::app
