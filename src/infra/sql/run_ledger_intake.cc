// What a batch brings: records, bad ones, and ids.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "domain/item/elsewhere.h"
#include "domain/item/late.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/listed_item_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/signal_table.h"
#include "infra/sql/take_in.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kBad = "BAD";

// A record that is known by its id may be better when UPDATE asks for it alone. What UPDATE itself finds bad
// is left to people, else it would ask for ever; so is an id whose details cannot be had.
std::optional<app::Signal> SignalOf(const app::BatchCommit& batch,
                                    const domain::BadRecord& record) {
  if (!record.id || record.is_page || batch.task.is_update()) return std::nullopt;
  if (std::ranges::find(batch.bad_ids, *record.id, &app::BadId::id) != batch.bad_ids.end())
    return std::nullopt;
  return app::Signal{.provenance = batch.task.lane.provenance,
                     .endpoint = batch.task.lane.endpoint,
                     .item_id = *record.id,
                     .type = "QUARANTINE",
                     .origin = "quarantine",
                     .note = record.reason};
}

// Most pages bring nothing that anybody brought since their plan was made, and nobody is asked.
Result<std::int64_t> CountElsewhere(Session& session, const app::BatchCommit& batch,
                                    const std::vector<domain::MetVersion>& met) {
  if (met.empty()) return 0;
  std::set<Id> batches;
  for (const auto& version : met) batches.insert(version.batch);
  const auto origins = PATRA_TRY(batch_table::OriginsOf(session, batches));
  return domain::CountElsewhere(met, origins,
                                {.plan = batch.lineage.plan,
                                 .plan_window = batch.task.plan_window,
                                 .window = batch.task.window(),
                                 .are_dated = batch.are_dated,
                                 .step = batch.filter_step});
}

}  // namespace

Result<batch_table::TakenIn> RunLedger::StoreRecords(Session& session,
                                                     const app::BatchCommit& batch, Instant now) {
  domain::RecordCounts counts{.filtered = batch.filtered,
                              .outside = batch.outside,
                              .isolated_pages = std::ranges::count_if(
                                  batch.bad_records, &domain::BadRecord::is_isolated_page),
                              .passed_over = batch.passed_over};
  const bool is_update = batch.task.is_update();
  const auto& lane = batch.task.lane;
  auto intake =
      PATRA_TRY(TakeIn(session,
                       {.lane = lane,
                        .expr_hash = batch.task.slice_expr_hash,
                        .batch = batch.lineage.batch,
                        .dedup_key = fmt::format("batch/{}", batch.lineage.batch),
                        .is_update = is_update,
                        .correlation = batch.lineage.correlation,
                        .since = is_update ? std::nullopt : std::optional(batch.lineage.plan)},
                       batch.records, ids_, now));
  counts += intake.counts;
  counts.elsewhere = PATRA_TRY(CountElsewhere(session, batch, intake.met));
  if (batch.proven != nullptr && !is_update)
    counts.late = domain::CountLate(intake, {batch.task.window(), *batch.proven, batch.dates_tell});
  std::vector<Bound> ids;
  for (const auto& record : batch.records) ids.emplace_back(record.id);
  if (!ids.empty() && PATRA_TRY(quarantine_table::HasOpen(session, lane)))
    PATRA_TRY(quarantine_table::SettleItems(session, lane, ids, batch.lineage.slice, now));
  if (is_update) PATRA_TRY(enumerated_id_table::ReleaseBad(session, lane, ids, now));
  PATRA_TRY(Isolate(session, batch, counts, now));
  if (!batch.listed.empty()) {
    const listed_item_table::List list{PATRA_TRY(record_set_table::FindOrMake(session, lane)),
                                       batch.task.query_hash};
    PATRA_TRY(listed_item_table::Note(session, list, batch.lineage.plan, batch.listed));
  }
  counts.received =
      static_cast<std::int64_t>(batch.records.size() + batch.bad_records.size()) + batch.filtered;
  counts.repeated = batch.repeated;
  return batch_table::TakenIn{counts, std::move(intake.samples)};
}

Result<void> RunLedger::Isolate(Session& session, const app::BatchCommit& batch,
                                domain::RecordCounts& counts, Instant now) {
  if (batch.bad_records.empty()) return {};
  const auto met = PATRA_TRY(quarantine_table::InsertAll(session,
                                                         {.task = batch.task,
                                                          .lineage = batch.lineage,
                                                          .batch_no = batch.batch_no,
                                                          .is_walked_past = true},
                                                         batch.bad_records, ids_, now));
  std::vector<app::Signal> signals;
  for (std::size_t i = 0; i < met.size(); ++i) {
    using enum quarantine_table::Met;
    if (met[i] == kApproved) {
      ++counts.unchanged;
    } else if (met[i] == kRejected) {
      ++counts.filtered;
    } else {
      ++counts.quarantined;
      if (auto signal = SignalOf(batch, batch.bad_records[i]))
        signals.push_back(*std::move(signal));
    }
  }
  return signal_table::InsertAll(session, signals, ids_, now);
}

// Ids of the first phase that need no details are accounted for at once; the others when the second phase
// has answered them.
Result<domain::RecordCounts> RunLedger::StoreIds(Session& session, const app::BatchCommit& batch,
                                                 Instant now) {
  domain::RecordCounts counts;
  const auto& lane = batch.task.lane;
  const Id slice = batch.lineage.slice;
  const auto before = PATRA_TRY(enumerated_id_table::FoundBefore(session, slice, batch.found_ids));
  const auto bad = PATRA_TRY(enumerated_id_table::BadAmong(session, lane, batch.found_ids));
  std::set<std::string> fresh;
  if (batch.fresh_since) {
    fresh = PATRA_TRY(item_table::FetchedSince(session, lane, batch.found_ids, *batch.fresh_since));
  }
  std::vector<enumerated_id_table::Found> found;
  std::set<std::string_view> met;
  for (const auto& id : batch.found_ids) {
    if (before.contains(id) || !met.insert(id).second) {
      // Found before on this walk: one of those that came more often than once.
      ++counts.received;
      ++counts.unchanged;
      continue;
    }
    std::string_view closed_as;
    if (bad.contains(id)) {
      closed_as = kBad;
      ++counts.filtered;
    } else if (fresh.contains(id)) {
      closed_as = "FRESH";
      ++counts.unchanged;
    }
    if (!closed_as.empty()) ++counts.received;
    found.push_back({id, closed_as});
  }
  const Id by = batch.lineage.batch;
  PATRA_TRY(enumerated_id_table::Add(session, slice, found, by, now));
  PATRA_TRY(enumerated_id_table::Close(session, slice, batch.answered_ids, "FETCHED", by, now));
  if (batch.task.is_update())
    PATRA_TRY(item_table::NoteChecks(session, lane, by, batch.answered_ids, now));
  std::vector<std::string> bad_ids;
  for (const auto& one : batch.bad_ids) bad_ids.push_back(one.id);
  PATRA_TRY(enumerated_id_table::Close(session, slice, bad_ids, kBad, by, now));
  PATRA_TRY(enumerated_id_table::ListBad(session, lane, batch.bad_ids, by, now));
  return counts;
}

}  // namespace patra::infra::sql
