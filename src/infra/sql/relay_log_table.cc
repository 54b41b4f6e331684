#include "infra/sql/relay_log_table.h"

namespace patra::infra::sql::relay_log_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_outbox_relay_log
        (id, message_id, relay_batch_id, channel, lease_owner, attempt_number, relay_status, error_kind,
         error_message, next_retry_at, started_at, completed_at)
    VALUES (:id, :message_id, :owner, :channel, :owner, :attempt_number, :relay_status, :error_kind,
            :error_message, :next_retry_at, :now, :now))sql";

}  // namespace

Result<void> Insert(Session& session, const Attempt& attempt, Id new_id, Instant now) {
  std::optional<std::string> kind;
  if (attempt.error) kind = attempt.again_at ? "TRANSIENT" : "FATAL";
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"message_id", attempt.message.id},
                                  {"owner", attempt.owner},
                                  {"channel", attempt.message.message.channel},
                                  {"attempt_number", attempt.message.attempts + 1},
                                  {"relay_status", attempt.status},
                                  {"error_kind", kind},
                                  {"error_message", attempt.error},
                                  {"next_retry_at", attempt.again_at},
                                  {"now", now}}));
  return {};
}

}  // namespace patra::infra::sql::relay_log_table
