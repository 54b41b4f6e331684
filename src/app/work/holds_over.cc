#include "app/work/holds_over.h"

#include <algorithm>
#include <utility>

namespace patra::app {

Result<std::vector<domain::Hold>> HoldsOver(HoldRepository* repository,
                                            const std::optional<domain::Lane>& only) {
  std::vector<domain::Hold> holds;
  if (repository == nullptr) return holds;
  for (const auto role : {domain::Role::kExecutor, domain::Role::kPlanner}) {
    for (auto& hold : PATRA_TRY(repository->Holds(role))) {
      const bool is_ours = !only || hold.Covers(only->provenance, only->endpoint);
      const bool is_known = std::ranges::find(holds, hold) != holds.end();
      if (is_ours && !is_known) holds.push_back(std::move(hold));
    }
  }
  return holds;
}

}  // namespace patra::app
