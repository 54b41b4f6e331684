// What a batch brings: records, bad ones, and ids.
#include <algorithm>

#include <fmt/format.h>

#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/listed_item_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/signal_table.h"
#include "infra/sql/take_in.h"

namespace patra::infra::sql {

Result<domain::RecordCounts> RunLedger::StoreRecords(Session& session,
                                                     const app::BatchCommit& batch, Instant now) {
  domain::RecordCounts counts{.filtered = batch.filtered,
                              .outside = batch.outside,
                              .isolated_pages = std::ranges::count_if(
                                  batch.bad_records, &domain::BadRecord::is_isolated_page),
                              .passed_over = batch.passed_over};
  const bool is_update = batch.task.is_update();
  const auto& lane = batch.task.lane;
  const auto intake = PATRA_TRY(TakeIn(session,
                                       {.lane = lane,
                                        .expr_hash = batch.task.slice_expr_hash,
                                        .batch = batch.lineage.batch,
                                        .dedup_key = fmt::format("batch/{}", batch.lineage.batch),
                                        .is_update = is_update,
                                        .correlation = batch.lineage.correlation},
                                       batch.records, ids_, now));
  counts += intake.counts;
  const bool may_settle = PATRA_TRY(quarantine_table::HasOpen(session, lane));
  for (const auto& record : batch.records) {
    if (may_settle) {
      PATRA_TRY(quarantine_table::SettleItem(session, lane, record.id, batch.lineage.slice, now));
    }
    if (is_update) PATRA_TRY(enumerated_id_table::ReleaseBad(session, lane, record.id, now));
  }
  for (std::size_t i = 0; i < batch.bad_records.size(); ++i) {
    const quarantine_table::Origin place{.task = batch.task,
                                         .lineage = batch.lineage,
                                         .batch_no = batch.batch_no,
                                         .record_no = static_cast<int>(i) + 1,
                                         .is_walked_past = true};
    const auto met =
        PATRA_TRY(quarantine_table::Insert(session, place, batch.bad_records[i], ids_.Next(), now));
    using enum quarantine_table::Met;
    if (met == kApproved) {
      ++counts.unchanged;
    } else if (met == kRejected) {
      ++counts.filtered;
    } else {
      ++counts.quarantined;
      if (!is_update) PATRA_TRY(Signal(session, batch, batch.bad_records[i], now));
    }
  }
  if (!batch.listed.empty()) {
    const listed_item_table::List list{PATRA_TRY(record_set_table::FindOrMake(session, lane)),
                                       batch.task.query_hash};
    for (const auto& id : batch.listed)
      PATRA_TRY(listed_item_table::Note(session, list, batch.lineage.plan, id));
  }
  counts.received =
      static_cast<std::int64_t>(batch.records.size() + batch.bad_records.size()) + batch.filtered;
  counts.repeated = batch.repeated;
  return counts;
}

// A record that is known by its id may be better when UPDATE asks for it alone. What UPDATE itself finds bad
// is left to people, else it would ask for ever; so is an id whose details cannot be had.
Result<void> RunLedger::Signal(Session& session, const app::BatchCommit& batch,
                               const domain::BadRecord& record, Instant now) {
  if (!record.id || record.is_page) return {};
  if (std::ranges::find(batch.bad_ids, *record.id, &app::BadId::id) != batch.bad_ids.end())
    return {};
  PATRA_TRY(signal_table::Insert(session,
                                 {.provenance = batch.task.lane.provenance,
                                  .endpoint = batch.task.lane.endpoint,
                                  .item_id = *record.id,
                                  .type = "QUARANTINE",
                                  .origin = "quarantine",
                                  .note = record.reason},
                                 ids_.Next(), now));
  return {};
}

// Ids of the first phase that need no details are accounted for at once; the others when the second phase
// has answered them.
Result<domain::RecordCounts> RunLedger::StoreIds(Session& session, const app::BatchCommit& batch,
                                                 Instant now) {
  domain::RecordCounts counts;
  const auto& lane = batch.task.lane;
  const Id slice = batch.lineage.slice;
  for (const auto& id : batch.found_ids) {
    if (!PATRA_TRY(enumerated_id_table::Add(session, slice, id, batch.lineage.batch, now))) {
      // Found before on this walk: one of those that came more often than once.
      ++counts.received;
      ++counts.unchanged;
      continue;
    }
    std::string_view closed_as;
    if (PATRA_TRY(enumerated_id_table::IsBad(session, lane, id))) {
      closed_as = "BAD";
      ++counts.filtered;
    } else if (batch.fresh_since &&
               PATRA_TRY(item_table::IsFetchedSince(session, lane, id, *batch.fresh_since))) {
      closed_as = "FRESH";
      ++counts.unchanged;
    } else {
      continue;
    }
    ++counts.received;
    PATRA_TRY(enumerated_id_table::Close(session, slice, id, closed_as, batch.lineage.batch, now));
  }
  for (const auto& id : batch.answered_ids) {
    PATRA_TRY(enumerated_id_table::Close(session, slice, id, "FETCHED", batch.lineage.batch, now));
    if (batch.task.is_update())
      PATRA_TRY(item_table::NoteCheck(session, lane, batch.lineage.batch, id, now));
  }
  for (const auto& bad : batch.bad_ids) {
    PATRA_TRY(enumerated_id_table::Close(session, slice, bad.id, "BAD", batch.lineage.batch, now));
    PATRA_TRY(
        enumerated_id_table::ListBad(session, lane, bad.id, bad.reason, batch.lineage.batch, now));
  }
  return counts;
}

}  // namespace patra::infra::sql
