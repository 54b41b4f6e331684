#include "infra/sqlite/alert_table.h"

namespace patra::infra::sqlite::alert_table {
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

Result<void> Raise(Connection& connection, const domain::Alert& alert, Id new_id, Instant now) {
  PATRA_TRY(connection.Run(kRaise, new_id, alert.key, Code(alert.severity), alert.provenance,
                           alert.endpoint, alert.message, alert.details, now));
  return {};
}

Result<bool> Resolve(Connection& connection, const std::string& key, Instant now) {
  return PATRA_TRY(connection.Run(kResolve, now, key)) > 0;
}

Result<std::vector<domain::Alert>> Read(Connection& connection, const app::AlertFilter& filter) {
  std::vector<domain::Alert> alerts;
  auto rows = PATRA_TRY(connection.Query(filter.only_firing ? kFiring : kAll, filter.alerts_max));
  while (PATRA_TRY(rows.Next())) {
    alerts.push_back({.id = rows.Integer(0),
                      .key = rows.Text(1),
                      .severity = PATRA_TRY(domain::SeverityFromCode(rows.View(2))),
                      .provenance = rows.OptionalText(3),
                      .endpoint = rows.OptionalText(4),
                      .message = rows.Text(5),
                      .details = rows.Text(6),
                      .first_seen_at = rows.Time(7),
                      .last_seen_at = rows.Time(8),
                      .resolved_at = rows.OptionalTime(9),
                      .times_seen = rows.Integer(10)});
  }
  return alerts;
}

}  // namespace patra::infra::sqlite::alert_table
