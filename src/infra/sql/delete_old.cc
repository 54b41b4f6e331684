#include "infra/sql/delete_old.h"

#include <fmt/format.h>

namespace patra::infra::sql::delete_old {
namespace {

using app::OldKind;

// What a kind is found by.
struct FoundBy {
  const char* table;
  const char* index;
  const char* time;
  const char* key = "id";
  const char* condition = "";  // beside the time
};

// Of attempts to relay the last one of each channel stays: it says that the channel has a relay (delete_changes.cc).
constexpr FoundBy kRelayLog{
    .table = "ing_outbox_relay_log",
    .index = "idx_relay_log_time",
    .time = "started_at",
    .condition =
        " AND EXISTS (SELECT 1 FROM ing_outbox_relay_log AS later INDEXED BY idx_relay_log_channel"
        " WHERE later.channel = ing_outbox_relay_log.channel AND later.id > "
        "ing_outbox_relay_log.id)"};
constexpr FoundBy kAudit{.table = "ing_audit", .index = "idx_audit_time", .time = "created_at"};
constexpr FoundBy kHealLog{
    .table = "ing_heal_journal", .index = "idx_heal_time", .time = "created_at"};
constexpr FoundBy kAlerts{.table = "ing_alert",
                          .index = "idx_alert_time",
                          .time = "last_seen_at",
                          .condition = " AND status_code = 'RESOLVED' AND resolved_at < :before"};
constexpr FoundBy kExecutions{.table = "scheduler_execution_log",
                              .index = "idx_scheduler_log_time",
                              .time = "started_at",
                              .condition =
                                  " AND status_code NOT IN ('PENDING', 'RUNNING')"
                                  " AND coalesce(finished_at, started_at) < :before"};
constexpr FoundBy kAnswers{.table = "ing_api_answer",
                           .index = "idx_api_answer_time",
                           .time = "asked_at",
                           .key = "key_hash"};
constexpr FoundBy kRefusals{
    .table = "ing_cursor_refusal", .index = "idx_cursor_refusal_time", .time = "created_at"};
constexpr FoundBy kSignals{.table = "ing_signal",
                           .index = "idx_signal_time",
                           .time = "created_at",
                           .condition = " AND status_code = 'DONE' AND consumed_at < :before"};

struct OldStatements {
  explicit OldStatements(const FoundBy& by)
      : find(fmt::format("SELECT {} AS row_key FROM {} INDEXED BY {} WHERE {} < :before{} ORDER BY "
                         "{} LIMIT :rows_max",
                         by.key, by.table, by.index, by.time, by.condition, by.time)),
        count(fmt::format("SELECT count(*) FROM (SELECT 1 AS one FROM {} INDEXED BY {} WHERE {} < "
                          ":before{} LIMIT :counted_at_most) AS counted",
                          by.table, by.index, by.time, by.condition)),
        remove(WithList(fmt::format("DELETE FROM {} WHERE {} IN", by.table, by.key))),
        has_ids(std::string_view(by.key) == "id") {}

  std::string find;
  std::string count;
  std::string remove;
  bool has_ids;
};

const OldStatements& StatementsFor(OldKind kind) {
  static const OldStatements kOfRelayLog(kRelayLog), kOfAudit(kAudit), kOfHealLog(kHealLog),
      kOfAlerts(kAlerts), kOfExecutions(kExecutions), kOfAnswers(kAnswers), kOfRefusals(kRefusals),
      kOfSignals(kSignals);
  switch (kind) {
    case OldKind::kRelayLog:
      return kOfRelayLog;
    case OldKind::kAudit:
      return kOfAudit;
    case OldKind::kHealLog:
      return kOfHealLog;
    case OldKind::kAlerts:
      return kOfAlerts;
    case OldKind::kExecutions:
      return kOfExecutions;
    case OldKind::kAnswers:
      return kOfAnswers;
    case OldKind::kRefusals:
      return kOfRefusals;
    case OldKind::kSignals:
      return kOfSignals;
    case OldKind::kChanges:
    case OldKind::kWalks:
    case OldKind::kRollup:
      break;
  }
  PATRA_ASSERT(false);  // these are found in other ways
  return kOfAudit;
}

}  // namespace

Result<std::int64_t> Count(Session& session, OldKind kind, Instant before,
                           std::int64_t counted_at_most) {
  return session.Integer(StatementsFor(kind).count,
                         {{"before", before}, {"counted_at_most", counted_at_most}});
}

Result<app::OldStep> Delete(Session& session, OldKind kind, Instant before, int rows_max) {
  const auto& statements = StatementsFor(kind);
  std::vector<Id> ids;
  std::vector<std::string> names;
  {
    auto rows =
        PATRA_TRY(session.Query(statements.find, {{"before", before}, {"rows_max", rows_max}}));
    while (PATRA_TRY(rows.Next())) {
      if (statements.has_ids) {
        ids.push_back(rows.Integer(kOnly));
      } else {
        names.push_back(rows.Text(kOnly));
      }
    }
  }
  app::OldStep step;
  step.rows = PATRA_TRY(
      session.RunIn(statements.remove, statements.has_ids ? ListOf(ids) : ListOf(names), {}));
  if (std::ssize(ids) + std::ssize(names) == rows_max) step.next = 0;
  return step;
}

}  // namespace patra::infra::sql::delete_old
