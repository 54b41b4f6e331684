#include "infra/sql/outbox_table.h"

namespace patra::infra::sql::outbox_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_outbox_message
        (id, aggregate_type, aggregate_id, channel, op_type, partition_key, dedup_key, payload_json,
         headers_json, record_set, change_number, not_before, created_at)
    VALUES (:id, 'BATCH', :aggregate_id, :channel, :op_type, :partition_key, :dedup_key, :payload_json,
            :headers_json, :record_set, :change_number, :now, :now)
    ON CONFLICT (channel, dedup_key) DO NOTHING)sql";

constexpr std::string_view kUnnumbered = R"sql(
    SELECT id FROM ing_outbox_message
    WHERE position IS NULL AND record_set IS NOT NULL
    ORDER BY record_set, change_number LIMIT :messages_max)sql";

constexpr std::string_view kKeepCount = R"sql(
    INSERT INTO ing_change_counter (id, last) VALUES (1, 0) ON CONFLICT (id) DO NOTHING)sql";

constexpr std::string_view kCount = "SELECT last FROM ing_change_counter WHERE id = 1";

constexpr std::string_view kPlace =
    "UPDATE ing_outbox_message SET position = :position WHERE id = :id";

constexpr std::string_view kCountTo = "UPDATE ing_change_counter SET last = :last WHERE id = 1";

constexpr std::string_view kRescueExpired = R"sql(
    UPDATE ing_outbox_message
    SET status_code = 'PENDING', pub_lease_owner = NULL, pub_leased_until = NULL, retry_count = retry_count + 1
    WHERE status_code = 'PUBLISHING' AND pub_leased_until < :now)sql";

constexpr std::string_view kReadDue = R"sql(
    SELECT id, aggregate_id, channel, op_type, partition_key, dedup_key, payload_json, headers_json, retry_count
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
    SELECT id, channel, op_type, partition_key, dedup_key, payload_json, headers_json, retry_count, error_msg, created_at, not_before
    FROM ing_outbox_message WHERE channel = :channel AND status_code = 'PENDING'
    ORDER BY not_before, id LIMIT :messages_max)sql";

constexpr std::string_view kListDead = R"sql(
    SELECT id, channel, op_type, partition_key, dedup_key, payload_json, headers_json, retry_count, error_msg, created_at, not_before
    FROM ing_outbox_message WHERE channel = :channel AND status_code = 'DEAD'
    ORDER BY created_at, id LIMIT :messages_max)sql";

}  // namespace

Result<void> Insert(Session& session, const app::OutboxMessage& message, const Announced& by, Id id,
                    Instant now) {
  PATRA_TRY(session.Run(kInsert, {{"id", id},
                                  {"aggregate_id", by.batch},
                                  {"channel", message.channel},
                                  {"op_type", message.op_type},
                                  {"partition_key", message.partition_key},
                                  {"dedup_key", message.dedup_key},
                                  {"payload_json", message.payload},
                                  {"headers_json", message.headers},
                                  {"record_set", by.record_set},
                                  {"change_number", by.change_number},
                                  {"now", now}}));
  return {};
}

Result<bool> HasUnnumbered(Session& session) {
  auto rows = PATRA_TRY(session.Query(kUnnumbered, {{"messages_max", 1}}));
  return rows.Next();
}

Result<int> Number(Session& session, int messages_max) {
  std::vector<Id> unnumbered;
  {
    auto rows = PATRA_TRY(session.Query(kUnnumbered, {{"messages_max", messages_max}}));
    while (PATRA_TRY(rows.Next())) unnumbered.push_back(rows.Integer(kOnly));
  }
  if (unnumbered.empty()) return 0;
  PATRA_TRY(session.Run(kKeepCount));
  auto last = PATRA_TRY(session.Integer(kCount));
  for (const auto id : unnumbered)
    PATRA_TRY(session.Run(kPlace, {{"position", ++last}, {"id", id}}));
  PATRA_TRY(session.Run(kCountTo, {{"last", last}}));
  return static_cast<int>(unnumbered.size());
}

Result<void> RescueExpired(Session& session, Instant now) {
  PATRA_TRY(session.Run(kRescueExpired, {{"now", now}}));
  return {};
}

Result<std::vector<app::LeasedMessage>> ReadDue(Session& session, const std::string& channel,
                                                int messages_max, Instant now) {
  std::vector<app::LeasedMessage> due;
  auto rows = PATRA_TRY(session.Query(
      kReadDue, {{"channel", channel}, {"now", now}, {"messages_max", messages_max}}));
  while (PATRA_TRY(rows.Next())) {
    due.push_back({.id = rows.Integer("id"),
                   .batch = rows.Integer("aggregate_id"),
                   .message = {.channel = rows.Text("channel"),
                               .op_type = rows.Text("op_type"),
                               .partition_key = rows.Text("partition_key"),
                               .dedup_key = rows.Text("dedup_key"),
                               .payload = rows.Text("payload_json"),
                               .headers = rows.Text("headers_json")},
                   .attempts = static_cast<int>(rows.Integer("retry_count"))});
  }
  return due;
}

Result<std::optional<Blocker>> FindBlocker(Session& session, const app::LeasedMessage& message) {
  auto rows =
      PATRA_TRY(session.Query(kFindBlocker, {{"channel", message.message.channel},
                                             {"partition_key", message.message.partition_key},
                                             {"id", message.id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return Blocker{.is_pending = rows.View("status_code") == "PENDING",
                 .not_before = rows.Time("not_before")};
}

Result<void> Park(Session& session, Id message, Instant not_before) {
  PATRA_TRY(session.Run(kPark, {{"not_before", not_before}, {"id", message}}));
  return {};
}

Result<void> Lease(Session& session, Id message, const std::string& owner, Instant until) {
  PATRA_TRY(session.Run(kLease, {{"owner", owner}, {"until", until}, {"id", message}}));
  return {};
}

Result<bool> MarkPublished(Session& session, Id message, const std::string& owner, Instant now) {
  return PATRA_TRY(
             session.Run(kMarkPublished, {{"now", now}, {"id", message}, {"owner", owner}})) == 1;
}

Result<bool> MarkFailed(Session& session, Id message, const std::string& owner,
                        const std::string& error, std::optional<Instant> again_at, Instant now) {
  return PATRA_TRY(session.Run(kMarkFailed, {{"status_code", again_at ? "PENDING" : "DEAD"},
                                             {"again_at", again_at},
                                             {"error", error},
                                             {"id", message},
                                             {"owner", owner},
                                             {"now", now}})) == 1;
}

Result<bool> Requeue(Session& session, Id message, Instant now) {
  return PATRA_TRY(session.Run(kRequeue, {{"now", now}, {"id", message}})) == 1;
}

Result<std::vector<app::OutboxRow>> List(Session& session, const app::OutboxFilter& filter) {
  std::vector<app::OutboxRow> messages;
  auto rows = PATRA_TRY(
      session.Query(filter.dead ? kListDead : kListWaiting,
                    {{"channel", filter.channel}, {"messages_max", filter.messages_max}}));
  while (PATRA_TRY(rows.Next())) {
    messages.push_back({.id = rows.Integer("id"),
                        .message = {.channel = rows.Text("channel"),
                                    .op_type = rows.Text("op_type"),
                                    .partition_key = rows.Text("partition_key"),
                                    .dedup_key = rows.Text("dedup_key"),
                                    .payload = rows.Text("payload_json"),
                                    .headers = rows.Text("headers_json")},
                        .retries = static_cast<int>(rows.Integer("retry_count")),
                        .error = rows.OptionalText("error_msg"),
                        .created_at = rows.Time("created_at"),
                        .not_before = rows.Time("not_before")});
  }
  return messages;
}

}  // namespace patra::infra::sql::outbox_table
