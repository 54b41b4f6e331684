#include "infra/sql/update_candidates.h"

#include "infra/sql/item_table.h"

namespace patra::infra::sql {

Result<std::vector<std::string>> UpdateCandidates::Stale(const domain::Lane& lane,
                                                         Instant refreshed_before,
                                                         const std::string& after, int ids_max) {
  return database_.Read([&](Session& session) {
    return item_table::Stale(session, lane, refreshed_before, after, ids_max);
  });
}

Result<std::vector<std::string>> UpdateCandidates::OfOtherPrototypes(
    const domain::Lane& lane, std::span<const std::string> prototypes, const std::string& after,
    int ids_max) {
  return database_.Read([&](Session& session) {
    return item_table::OfOtherPrototypes(session, lane, prototypes, after, ids_max);
  });
}

}  // namespace patra::infra::sql
