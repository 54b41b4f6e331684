#include "infra/sqlite/update_candidates.h"

#include "infra/sqlite/item_table.h"

namespace patra::infra::sqlite {

Result<std::vector<std::string>> UpdateCandidates::Stale(const domain::Partition& partition,
                                                         Instant refreshed_before,
                                                         const std::string& after, int ids_max) {
  return store_.Read([&](Connection& connection) {
    return item_table::Stale(connection, partition, refreshed_before, after, ids_max);
  });
}

Result<std::vector<std::string>> UpdateCandidates::OfOtherPrototypes(
    const domain::Partition& partition, std::span<const std::string> prototypes,
    const std::string& after, int ids_max) {
  return store_.Read([&](Connection& connection) {
    return item_table::OfOtherPrototypes(connection, partition, prototypes, after, ids_max);
  });
}

}  // namespace patra::infra::sqlite
