#include "infra/sqlite/pause_table.h"

namespace patra::infra::sqlite::pause_table {
namespace {

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_pause (provenance_code, endpoint_name, role_code, reason, paused_by, paused_at, until)
    VALUES (:provenance_code, :endpoint_name, :role_code, :reason, :paused_by, :now, :until)
    ON CONFLICT (provenance_code, endpoint_name, role_code)
    DO UPDATE SET reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
        until = excluded.until)sql";

constexpr std::string_view kRemove = R"sql(
    DELETE FROM ing_pause WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name)sql";

// A handful of rows: one per source that a person has paused.
constexpr std::string_view kRead = R"sql(
    SELECT provenance_code, endpoint_name, reason, until, paused_at FROM ing_pause
    WHERE role_code IN ('ALL', :role_code) AND (until IS NULL OR until > :now)
    ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

}  // namespace

Result<void> Put(Connection& connection, const domain::Hold& pause, const app::Decision& decision,
                 Instant now) {
  PATRA_TRY(connection.Run(kPut, pause.provenance, pause.endpoint,
                           pause.only ? Code(*pause.only) : "ALL", pause.reason, decision.actor,
                           now, pause.until));
  return {};
}

Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint) {
  return PATRA_TRY(connection.Run(kRemove, provenance, endpoint)) > 0;
}

Result<std::vector<domain::Hold>> Read(Connection& connection, domain::Role role, Instant now) {
  std::vector<domain::Hold> holds;
  auto rows = PATRA_TRY(connection.Query(kRead, Code(role), now));
  while (PATRA_TRY(rows.Next())) {
    holds.push_back({.provenance = rows.Text(0),
                     .endpoint = rows.Text(1),
                     .reason = rows.Text(2),
                     .until = rows.OptionalTime(3),
                     .since = rows.Time(4)});
  }
  return holds;
}

}  // namespace patra::infra::sqlite::pause_table
