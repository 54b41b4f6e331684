#include "infra/sql/query_book.h"

#include "infra/sql/plan_table.h"
#include "infra/sql/query_table.h"
#include "infra/sql/slice_table.h"

namespace patra::infra::sql {

Result<void> QueryBook::Note(const domain::Lane& lane, const std::string& query_hash,
                             const app::QueryInForce& in_force) {
  const auto known = PATRA_TRY(database_.Read(
      [&](Session& session) { return query_table::Find(session, lane, query_hash); }));
  if (known == in_force) return {};
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return query_table::Put(session, lane, query_hash, in_force, clock_.Now());
  });
}

Result<std::vector<app::PlannedSnapshot>> QueryBook::Snapshots(const domain::Lane& lane,
                                                               const std::string& query_hash) {
  return database_.Read(
      [&](Session& session) { return plan_table::Snapshots(session, lane, query_hash); });
}

Result<domain::Coverage> QueryBook::ProvenUnder(const domain::Lane& lane,
                                                const std::string& query_hash,
                                                const std::set<std::string>& fingerprints,
                                                const domain::Window& window) {
  return database_.Read([&](Session& session) {
    return slice_table::ProvenUnder(session, lane, query_hash, fingerprints, window);
  });
}

}  // namespace patra::infra::sql
