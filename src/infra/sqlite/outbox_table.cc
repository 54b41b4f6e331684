#include "infra/sqlite/outbox_table.h"

namespace patra::infra::sqlite::outbox_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_outbox_message
        (id, aggregate_type, aggregate_id, channel, op_type, partition_key, dedup_key, payload_json,
         not_before, created_at)
    VALUES (:id, 'BATCH', :aggregate_id, :channel, :op_type, :partition_key, :dedup_key, :payload_json, :now,
            :now)
    ON CONFLICT (channel, dedup_key) DO NOTHING)sql";

}  // namespace

Result<void> Insert(Connection& connection, const app::OutboxMessage& message, Id batch, Id new_id,
                    Instant now) {
  PATRA_TRY(connection.Run(kInsert, new_id, batch, message.channel, message.op_type,
                           message.partition_key, message.dedup_key, message.payload, now));
  return {};
}

}  // namespace patra::infra::sqlite::outbox_table
