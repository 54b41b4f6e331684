#include "infra/sql/old_rows.h"

#include "infra/sql/coarsen_rollup.h"
#include "infra/sql/delete_old.h"

namespace patra::infra::sql {
namespace {

using app::OldKind;

constexpr std::string_view kAddTally = R"sql(
    INSERT INTO ing_retention_tally (what, "rows", bytes, last_at) VALUES (:what, :rows, :bytes, :last_at)
    ON CONFLICT (what) DO UPDATE
    SET "rows" = ing_retention_tally."rows" + excluded."rows", bytes = ing_retention_tally.bytes + excluded.bytes,
        last_at = excluded.last_at)sql";

constexpr std::string_view kTallies =
    "SELECT what, \"rows\", bytes, last_at FROM ing_retention_tally ORDER BY what LIMIT 1000";

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
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kAddTally, {{"what", gone.what},
                                      {"rows", gone.rows},
                                      {"bytes", gone.bytes},
                                      {"last_at", clock_.Now()}}));
    return {};
  });
}

Result<std::vector<app::Tally>> OldRows::Tallies() {
  return database_.Read([](Session& session) -> Result<std::vector<app::Tally>> {
    std::vector<app::Tally> tallies;
    auto rows = PATRA_TRY(session.Query(kTallies));
    while (PATRA_TRY(rows.Next()))
      tallies.push_back({.what = rows.Text("what"),
                         .rows = rows.Integer("rows"),
                         .bytes = rows.Integer("bytes"),
                         .last_at = rows.Time("last_at")});
    return tallies;
  });
}

}  // namespace patra::infra::sql
