#include "infra/sqlite/relay_log_table.h"

namespace patra::infra::sqlite::relay_log_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_outbox_relay_log
        (id, message_id, relay_batch_id, channel, lease_owner, attempt_number, relay_status, error_kind,
         error_message, next_retry_at, started_at, completed_at)
    VALUES (:id, :message_id, :owner, :channel, :owner, :attempt_number, :relay_status, :error_kind,
            :error_message, :next_retry_at, :now, :now))sql";

}  // namespace

Result<void> Insert(Connection& connection, const Attempt& attempt, Id new_id, Instant now) {
  std::optional<std::string> kind;
  if (attempt.error) kind = attempt.again_at ? "TRANSIENT" : "FATAL";
  PATRA_TRY(connection.Run(kInsert, new_id, attempt.message.id, attempt.owner,
                           attempt.message.message.channel, attempt.message.attempts + 1,
                           attempt.status, kind, attempt.error, attempt.again_at, now));
  return {};
}

}  // namespace patra::infra::sqlite::relay_log_table
