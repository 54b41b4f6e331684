#include <map>
#include <string>
#include <vector>

#include "infra/sql/delete_old.h"

namespace patra::infra::sql::delete_changes {
namespace {

constexpr std::string_view kOldest = R"sql(
    SELECT id, channel, status_code, created_at FROM ing_outbox_message INDEXED BY idx_outbox_position
    WHERE record_set IS NOT NULL AND position > 0 ORDER BY position LIMIT :rows_max)sql";

// Those that nobody has heard of yet come after all that have a position.
constexpr std::string_view kOldestUnnumbered = R"sql(
    SELECT id, channel, status_code, created_at FROM ing_outbox_message INDEXED BY idx_outbox_position
    WHERE record_set IS NOT NULL AND position IS NULL ORDER BY record_set, change_number LIMIT :rows_max)sql";

constexpr std::string_view kHasRelay = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_outbox_relay_log INDEXED BY idx_relay_log_channel WHERE channel = :channel)
        OR EXISTS (SELECT 1 FROM ing_outbox_message INDEXED BY idx_outbox_publishing
                   WHERE status_code = 'PUBLISHING' AND channel = :channel) AS has_relay)sql";

std::string_view RemoveIn() {
  static const auto kSql = WithList("DELETE FROM ing_outbox_message WHERE id IN");
  return kSql;
}

struct OldestChange {
  Id id = 0;
  std::string channel;
  bool is_sent = false;  // or was given up
};

Result<void> AddOldest(Session& session, std::string_view sql, Instant before,
                       std::int64_t rows_max, std::vector<OldestChange>& oldest) {
  auto rows = PATRA_TRY(session.Query(sql, {{"rows_max", rows_max}}));
  while (PATRA_TRY(rows.Next()) && rows.Time("created_at") < before) {
    const auto status = rows.View("status_code");
    oldest.push_back({.id = rows.Integer("id"),
                      .channel = rows.Text("channel"),
                      .is_sent = status == "PUBLISHED" || status == "DEAD"});
  }
  return {};
}

// Without a relay nobody waits for what was not sent.
Result<std::vector<Id>> UpToTheFirstNeeded(Session& session,
                                           const std::vector<OldestChange>& oldest) {
  std::map<std::string, bool> has_relay;
  std::vector<Id> ids;
  for (const auto& change : oldest) {
    if (!change.is_sent) {
      const auto [channel, is_new] = has_relay.try_emplace(change.channel);
      if (is_new)
        channel->second = PATRA_TRY(session.Integer(kHasRelay, {{"channel", change.channel}})) != 0;
      if (channel->second) break;
    }
    ids.push_back(change.id);
  }
  return ids;
}

}  // namespace

Result<std::int64_t> Count(Session& session, Instant before, std::int64_t counted_at_most) {
  std::vector<OldestChange> oldest;
  PATRA_TRY(AddOldest(session, kOldest, before, counted_at_most, oldest));
  const auto rest = counted_at_most - std::ssize(oldest);
  if (rest > 0) PATRA_TRY(AddOldest(session, kOldestUnnumbered, before, rest, oldest));
  return std::ssize(PATRA_TRY(UpToTheFirstNeeded(session, oldest)));
}

Result<app::OldStep> Delete(Session& session, Instant before, int rows_max) {
  std::vector<OldestChange> oldest;
  PATRA_TRY(AddOldest(session, kOldest, before, rows_max, oldest));
  const auto ids = PATRA_TRY(UpToTheFirstNeeded(session, oldest));
  app::OldStep step;
  step.rows = PATRA_TRY(session.RunIn(RemoveIn(), ListOf(ids), {}));
  if (std::ssize(ids) == rows_max) step.next = 0;
  return step;
}

}  // namespace patra::infra::sql::delete_changes
