#include "infra/sql/remap_store.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/remap_table.h"
#include "infra/sql/take_in.h"

namespace patra::infra::sql {

Result<app::Remap> RemapStore::Begin(const app::RemapWish& wish, const app::Decision& decision) {
  return database_.Write(
      LockScope::Source(wish.lane.provenance), [&](Session& session) -> Result<app::Remap> {
        if (auto open = PATRA_TRY(remap_table::FindOpen(session, wish))) return *std::move(open);
        const auto now = clock_.Now();
        const auto set = PATRA_TRY(record_set_table::FindOrMake(session, wish.lane));
        app::Remap remap{.id = ids_.Next(),
                         .lane = wish.lane,
                         .mapping_hash = wish.mapping_hash,
                         .generation = PATRA_TRY(record_set_table::RaiseGeneration(session, set)),
                         .since = wish.since};
        PATRA_TRY(remap_table::Insert(session, remap, now));
        PATRA_TRY(
            audit_table::Insert(session, "REMAP", "ENDPOINT",
                                fmt::format("{}/{}", wish.lane.provenance, wish.lane.endpoint),
                                decision, ids_.Next(), now,
                                CanonicalJson(Value::Object{{"remap", fmt::to_string(remap.id)},
                                                            {"mapping", wish.mapping_hash},
                                                            {"generation", remap.generation}})));
        return remap;
      });
}

Result<std::vector<app::VaultPage>> RemapStore::Pages(const domain::Lane& lane,
                                                      std::optional<Instant> since,
                                                      const app::RemapPlace& after, int pages_max) {
  return database_.Read(
      [&](Session& session) { return remap_table::Pages(session, lane, since, after, pages_max); });
}

Result<domain::StoredItems> RemapStore::Versions(const domain::Lane& lane,
                                                 const std::vector<domain::Record>& records) {
  std::vector<std::string_view> ids;
  ids.reserve(records.size());
  for (const auto& record : records) ids.push_back(record.id);
  return database_.Read([&](Session& session) {
    return item_table::Read(session, lane, ids, item_table::With::kVersions);
  });
}

Result<domain::RecordCounts> RemapStore::Commit(const app::RemapCommit& commit) {
  const auto& [lane, lineage] = std::tie(commit.remap.lane, commit.batch.lineage);
  return database_.Write(
      LockScope::Source(lane.provenance), [&](Session& session) -> Result<domain::RecordCounts> {
        const auto now = clock_.Now();
        const auto intake = PATRA_TRY(
            TakeIn(session,
                   {.lane = lane,
                    .expr_hash = commit.remap.mapping_hash,
                    .batch = lineage.batch,
                    .dedup_key = fmt::format("remap/{}/{}", commit.remap.generation, lineage.batch),
                    .correlation = lineage.correlation,
                    .maps_anew = true},
                   commit.records, ids_, now));
        std::vector<Bound> ids;
        for (const auto* record : intake.news) ids.emplace_back(record->id);
        if (!ids.empty() && PATRA_TRY(quarantine_table::HasOpen(session, lane)))
          PATRA_TRY(quarantine_table::SettleItems(session, lane, ids, lineage.slice, now));
        auto remap = commit.remap;
        remap.sums.inserted += intake.counts.inserted;
        remap.sums.updated += intake.counts.updated;
        remap.sums.unchanged += intake.counts.unchanged;
        remap.sums.left_alone += intake.counts.stale;
        PATRA_TRY(remap_table::Note(session, remap, now));
        return intake.counts;
      });
}

Result<void> RemapStore::Note(const app::Remap& remap) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return remap_table::Note(session, remap, clock_.Now());
  });
}

Result<void> RemapStore::Finish(const app::Remap& remap) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(remap_table::Note(session, remap, now));
    return remap_table::Finish(session, remap, now);
  });
}

}  // namespace patra::infra::sql
