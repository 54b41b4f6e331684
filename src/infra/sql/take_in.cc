#include "infra/sql/take_in.h"

#include <fmt/format.h>

#include "app/port/stored_message.h"
#include "base/hash.h"
#include "infra/sql/item_table.h"
#include "infra/sql/outbox_table.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/signal_table.h"

namespace patra::infra::sql {
namespace {

Result<void> WriteAll(Session& session, const Arrival& arrival,
                      std::span<const domain::ItemWrite> writes, IdGenerator& ids, Instant now) {
  if (writes.empty()) return {};
  const auto expr_hash = DigestFromHex(arrival.expr_hash);
  if (!expr_hash) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("'{}' is no hash of a definition", arrival.expr_hash));
  }
  const item_table::Origin origin{
      .record_set = PATRA_TRY(record_set_table::FindOrMake(session, arrival.lane)),
      .expr_hash = *expr_hash,
      .batch = arrival.batch};
  return item_table::Write(session, origin, writes, ids, now);
}

Result<void> Announce(Session& session, const Arrival& arrival, const domain::Intake& intake,
                      IdGenerator& ids, Instant now) {
  const auto message = app::StoredMessage(
      {arrival.lane, arrival.batch, arrival.dedup_key, arrival.correlation}, intake);
  if (!message) return {};
  const auto set = PATRA_TRY(record_set_table::FindOrMake(session, arrival.lane));
  const auto number = PATRA_TRY(record_set_table::CountChange(session, set));
  return outbox_table::Insert(session, *message,
                              {.batch = arrival.batch, .record_set = set, .change_number = number},
                              ids.Next(), now);
}

}  // namespace

Result<domain::Intake> TakeIn(Session& session, const Arrival& arrival,
                              std::span<const domain::Record> records, IdGenerator& ids,
                              Instant now) {
  using enum item_table::With;
  const auto& lane = arrival.lane;
  auto stored = PATRA_TRY(item_table::Read(session, lane, domain::IdsToRead(records),
                                           domain::NeedsFields(records) ? kFields : kVersions));
  const auto maps_anew = arrival.maps_anew ? std::optional(arrival.batch) : std::nullopt;
  auto intake = PATRA_TRY(domain::TakeIn(records, std::move(stored),
                                         {.is_update = arrival.is_update,
                                          .now = now,
                                          .since = arrival.since,
                                          .maps_anew = maps_anew}));
  PATRA_TRY(WriteAll(session, arrival, intake.writes, ids, now));
  std::vector<app::Signal> signals;
  for (const auto* concern : intake.signals) {
    signals.push_back({.provenance = lane.provenance,
                       .endpoint = lane.endpoint,
                       .item_id = concern->item_id,
                       .type = concern->type,
                       .origin = "record",
                       .note = concern->note});
  }
  PATRA_TRY(signal_table::InsertAll(session, signals, ids, now));
  PATRA_TRY(Announce(session, arrival, intake, ids, now));
  return intake;
}

}  // namespace patra::infra::sql
