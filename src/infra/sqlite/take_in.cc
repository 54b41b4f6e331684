#include "infra/sqlite/take_in.h"

#include "app/port/stored_message.h"
#include "infra/sqlite/item_table.h"
#include "infra/sqlite/outbox_table.h"
#include "infra/sqlite/signal_table.h"

namespace patra::infra::sqlite {

Result<domain::Intake> TakeIn(Connection& connection, const Arrival& arrival,
                              std::span<const domain::Record> records, IdGenerator& ids,
                              Instant now) {
  using enum item_table::With;
  const auto& partition = arrival.partition;
  auto stored = PATRA_TRY(item_table::Read(connection, partition, domain::IdsToRead(records),
                                           domain::NeedsFields(records) ? kFields : kVersions));
  auto intake = PATRA_TRY(
      domain::TakeIn(records, std::move(stored), {.is_update = arrival.is_update, .now = now}));
  const item_table::Origin origin{partition, arrival.expr_hash, arrival.batch};
  for (const auto& write : intake.writes)
    PATRA_TRY(item_table::Write(connection, origin, write, ids.Next(), now));
  for (const auto* concern : intake.signals) {
    PATRA_TRY(signal_table::Insert(connection,
                                   {.provenance = partition.provenance,
                                    .endpoint = partition.endpoint,
                                    .item_id = concern->item_id,
                                    .type = concern->type,
                                    .origin = "record",
                                    .note = concern->note},
                                   ids.Next(), now));
  }
  if (const auto message =
          app::StoredMessage({partition, arrival.batch, arrival.dedup_key}, intake)) {
    PATRA_TRY(outbox_table::Insert(connection, *message, arrival.batch, ids.Next(), now));
  }
  for (const auto& end : app::EndsOf(partition, intake))
    PATRA_TRY(outbox_table::Insert(connection, end, arrival.batch, ids.Next(), now));
  return intake;
}

}  // namespace patra::infra::sqlite
