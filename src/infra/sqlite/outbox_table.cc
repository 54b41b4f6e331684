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

constexpr std::string_view kRescueExpired = R"sql(
    UPDATE ing_outbox_message
    SET status_code = 'PENDING', pub_lease_owner = NULL, pub_leased_until = NULL, retry_count = retry_count + 1
    WHERE id IN (SELECT id FROM ing_outbox_message
                 WHERE status_code = 'PUBLISHING' AND pub_leased_until < :now
                 ORDER BY pub_leased_until LIMIT 1000))sql";

constexpr std::string_view kReadDue = R"sql(
    SELECT id, aggregate_id, channel, op_type, partition_key, dedup_key, payload_json, retry_count
    FROM ing_outbox_message
    WHERE channel = :channel AND status_code = 'PENDING' AND not_before <= :now
    ORDER BY not_before, id LIMIT :messages_max)sql";

constexpr std::string_view kFindBlocker = R"sql(
    SELECT status_code, not_before FROM ing_outbox_message
    WHERE channel = :channel AND partition_key = :partition_key AND id < :id
      AND status_code IN ('PENDING', 'PUBLISHING')
    ORDER BY id LIMIT 1)sql";

constexpr std::string_view kPark =
    "UPDATE ing_outbox_message SET not_before = :not_before WHERE id = :id AND status_code = "
    "'PENDING'";

constexpr std::string_view kLease = R"sql(
    UPDATE ing_outbox_message
    SET status_code = 'PUBLISHING', pub_lease_owner = :owner, pub_leased_until = :until
    WHERE id = :id AND status_code = 'PENDING')sql";

constexpr std::string_view kMarkPublished = R"sql(
    UPDATE ing_outbox_message
    SET status_code = 'PUBLISHED', published_at = :now, pub_lease_owner = NULL, pub_leased_until = NULL,
        error_msg = NULL
    WHERE id = :id AND status_code = 'PUBLISHING' AND pub_lease_owner = :owner AND pub_leased_until >= :now)sql";

constexpr std::string_view kMarkFailed = R"sql(
    UPDATE ing_outbox_message
    SET status_code = :status_code, not_before = coalesce(:again_at, not_before), next_retry_at = :again_at,
        retry_count = retry_count + 1, error_msg = :error, pub_lease_owner = NULL, pub_leased_until = NULL
    WHERE id = :id AND status_code = 'PUBLISHING' AND pub_lease_owner = :owner AND pub_leased_until >= :now)sql";

constexpr std::string_view kRequeue = R"sql(
    UPDATE ing_outbox_message SET status_code = 'PENDING', not_before = :now, retry_count = 0, next_retry_at = NULL
    WHERE id = :id AND status_code = 'DEAD')sql";

constexpr std::string_view kListWaiting = R"sql(
    SELECT id, channel, op_type, partition_key, dedup_key, payload_json, retry_count, error_msg, created_at, not_before
    FROM ing_outbox_message WHERE channel = :channel AND status_code = 'PENDING'
    ORDER BY not_before, id LIMIT :messages_max)sql";

constexpr std::string_view kListDead = R"sql(
    SELECT id, channel, op_type, partition_key, dedup_key, payload_json, retry_count, error_msg, created_at, not_before
    FROM ing_outbox_message WHERE channel = :channel AND status_code = 'DEAD'
    ORDER BY created_at, id LIMIT :messages_max)sql";

}  // namespace

Result<void> Insert(Connection& connection, const app::OutboxMessage& message, Id batch, Id new_id,
                    Instant now) {
  PATRA_TRY(connection.Run(kInsert, new_id, batch, message.channel, message.op_type,
                           message.partition_key, message.dedup_key, message.payload, now));
  return {};
}

Result<void> RescueExpired(Connection& connection, Instant now) {
  PATRA_TRY(connection.Run(kRescueExpired, now));
  return {};
}

Result<std::vector<app::LeasedMessage>> ReadDue(Connection& connection, const std::string& channel,
                                                int messages_max, Instant now) {
  std::vector<app::LeasedMessage> due;
  auto rows = PATRA_TRY(connection.Query(kReadDue, channel, now, messages_max));
  while (PATRA_TRY(rows.Next())) {
    due.push_back({.id = rows.Integer(0),
                   .batch = rows.Integer(1),
                   .message = {.channel = rows.Text(2),
                               .op_type = rows.Text(3),
                               .partition_key = rows.Text(4),
                               .dedup_key = rows.Text(5),
                               .payload = rows.Text(6)},
                   .attempts = static_cast<int>(rows.Integer(7))});
  }
  return due;
}

Result<std::optional<Blocker>> FindBlocker(Connection& connection,
                                           const app::LeasedMessage& message) {
  auto rows = PATRA_TRY(connection.Query(kFindBlocker, message.message.channel,
                                         message.message.partition_key, message.id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return Blocker{.is_pending = rows.View(0) == "PENDING", .not_before = rows.Time(1)};
}

Result<void> Park(Connection& connection, Id message, Instant not_before) {
  PATRA_TRY(connection.Run(kPark, not_before, message));
  return {};
}

Result<void> Lease(Connection& connection, Id message, const std::string& owner, Instant until) {
  PATRA_TRY(connection.Run(kLease, owner, until, message));
  return {};
}

Result<bool> MarkPublished(Connection& connection, Id message, const std::string& owner,
                           Instant now) {
  return PATRA_TRY(connection.Run(kMarkPublished, now, message, owner)) == 1;
}

Result<bool> MarkFailed(Connection& connection, Id message, const std::string& owner,
                        const std::string& error, std::optional<Instant> again_at, Instant now) {
  return PATRA_TRY(connection.Run(kMarkFailed, again_at ? "PENDING" : "DEAD", again_at, error,
                                  message, owner, now)) == 1;
}

Result<bool> Requeue(Connection& connection, Id message, Instant now) {
  return PATRA_TRY(connection.Run(kRequeue, now, message)) == 1;
}

Result<std::vector<app::OutboxRow>> List(Connection& connection, const app::OutboxFilter& filter) {
  std::vector<app::OutboxRow> messages;
  auto rows = PATRA_TRY(connection.Query(filter.dead ? kListDead : kListWaiting, filter.channel,
                                         filter.messages_max));
  while (PATRA_TRY(rows.Next())) {
    messages.push_back({.id = rows.Integer(0),
                        .message = {.channel = rows.Text(1),
                                    .op_type = rows.Text(2),
                                    .partition_key = rows.Text(3),
                                    .dedup_key = rows.Text(4),
                                    .payload = rows.Text(5)},
                        .retries = static_cast<int>(rows.Integer(6)),
                        .error = rows.OptionalText(7),
                        .created_at = rows.Time(8),
                        .not_before = rows.Time(9)});
  }
  return messages;
}

}  // namespace patra::infra::sqlite::outbox_table
