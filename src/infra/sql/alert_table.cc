#include "infra/sql/alert_table.h"

namespace patra::infra::sql::alert_table {
namespace {

constexpr std::string_view kRaise = R"sql(
    INSERT INTO ing_alert (id, alert_key, severity_code, provenance_code, endpoint_name, message, details,
        first_seen_at, last_seen_at)
    VALUES (:id, :alert_key, :severity_code, :provenance_code, :endpoint_name, :message, :details, :now, :now)
    ON CONFLICT (alert_key) WHERE status_code = 'FIRING'
    DO UPDATE SET severity_code = excluded.severity_code, message = excluded.message, details = excluded.details,
        last_seen_at = excluded.last_seen_at, times_seen = times_seen + 1)sql";

constexpr std::string_view kResolve = R"sql(
    UPDATE ing_alert SET status_code = 'RESOLVED', resolved_at = :now
    WHERE alert_key = :alert_key AND status_code = 'FIRING')sql";

constexpr std::string_view kFiring = R"sql(
    SELECT id, alert_key, severity_code, provenance_code, endpoint_name, message, details, first_seen_at,
           last_seen_at, resolved_at, times_seen
    FROM ing_alert WHERE status_code = 'FIRING' ORDER BY last_seen_at DESC, id DESC LIMIT :alerts_max)sql";

constexpr std::string_view kAll = R"sql(
    SELECT id, alert_key, severity_code, provenance_code, endpoint_name, message, details, first_seen_at,
           last_seen_at, resolved_at, times_seen
    FROM ing_alert ORDER BY last_seen_at DESC, id DESC LIMIT :alerts_max)sql";

}  // namespace

Result<void> Raise(Session& session, const domain::Alert& alert, Id new_id, Instant now) {
  PATRA_TRY(session.Run(kRaise, {{"id", new_id},
                                 {"alert_key", alert.key},
                                 {"severity_code", Code(alert.severity)},
                                 {"provenance_code", alert.provenance},
                                 {"endpoint_name", alert.endpoint},
                                 {"message", alert.message},
                                 {"details", alert.details},
                                 {"now", now}}));
  return {};
}

Result<bool> Resolve(Session& session, const std::string& key, Instant now) {
  return PATRA_TRY(session.Run(kResolve, {{"now", now}, {"alert_key", key}})) > 0;
}

Result<std::vector<domain::Alert>> Read(Session& session, const app::AlertFilter& filter) {
  std::vector<domain::Alert> alerts;
  auto rows = PATRA_TRY(
      session.Query(filter.only_firing ? kFiring : kAll, {{"alerts_max", filter.alerts_max}}));
  while (PATRA_TRY(rows.Next())) {
    alerts.push_back({.id = rows.Integer("id"),
                      .key = rows.Text("alert_key"),
                      .severity = PATRA_TRY(domain::SeverityFromCode(rows.View("severity_code"))),
                      .provenance = rows.OptionalText("provenance_code"),
                      .endpoint = rows.OptionalText("endpoint_name"),
                      .message = rows.Text("message"),
                      .details = rows.Text("details"),
                      .first_seen_at = rows.Time("first_seen_at"),
                      .last_seen_at = rows.Time("last_seen_at"),
                      .resolved_at = rows.OptionalTime("resolved_at"),
                      .times_seen = rows.Integer("times_seen")});
  }
  return alerts;
}

}  // namespace patra::infra::sql::alert_table
