#include "infra/sql/old_rows.h"

#include "infra/sql/coarsen_rollup.h"
#include "infra/sql/delete_old.h"
#include "infra/sql/tally_table.h"

namespace patra::infra::sql {
namespace {

using app::OldKind;

}  // namespace

Result<std::int64_t> OldRows::Count(OldKind kind, Instant before, std::int64_t counted_at_most) {
  return database_.Read([&](Session& session) -> Result<std::int64_t> {
    switch (kind) {
      case OldKind::kChanges:
        return delete_changes::Count(session, before, counted_at_most);
      case OldKind::kWalks:
        return delete_walks::Count(session, before, counted_at_most);
      case OldKind::kRollup:
        return coarsen_rollup::CountOld(session, before, counted_at_most);
      default:
        return delete_old::Count(session, kind, before, counted_at_most);
    }
  });
}

Result<app::OldStep> OldRows::Delete(OldKind kind, Instant before, Id after, int rows_max) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<app::OldStep> {
    switch (kind) {
      case OldKind::kChanges:
        return delete_changes::Delete(session, before, rows_max);
      case OldKind::kWalks:
        return delete_walks::Delete(session, before, after, rows_max);
      case OldKind::kRollup:
        return coarsen_rollup::DeleteOld(session, before, rows_max);
      default:
        return delete_old::Delete(session, kind, before, rows_max);
    }
  });
}

Result<app::CoarsenedStep> OldRows::Coarsen(Duration width, Instant before, Instant from) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return coarsen_rollup::Coarsen(session, width, before, from);
  });
}

Result<void> OldRows::AddToTally(const app::Tally& gone) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return tally_table::Add(session, gone, clock_.Now());
  });
}

Result<std::vector<app::Tally>> OldRows::Tallies() {
  return database_.Read([](Session& session) { return tally_table::List(session); });
}

}  // namespace patra::infra::sql
