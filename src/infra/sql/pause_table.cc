#include "infra/sql/pause_table.h"

#include "app/port/adjustment_repository.h"

namespace patra::infra::sql::pause_table {
namespace {

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_pause (provenance_code, endpoint_name, role_code, reason, paused_by, paused_at, until)
    VALUES (:provenance_code, :endpoint_name, :role_code, :reason, :paused_by, :now, :until)
    ON CONFLICT (provenance_code, endpoint_name, role_code)
    DO UPDATE SET reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
        until = excluded.until)sql";

constexpr std::string_view kRemove = R"sql(
    DELETE FROM ing_pause WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name)sql";

constexpr std::string_view kRemoveBy = R"sql(
    DELETE FROM ing_pause WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND paused_by = :paused_by)sql";

// A handful of rows: one per source that a person has paused.
constexpr std::string_view kRead = R"sql(
    SELECT provenance_code, endpoint_name, reason, until, paused_at, paused_by FROM ing_pause
    WHERE role_code IN ('ALL', :role_code) AND (until IS NULL OR until > :now)
    ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

}  // namespace

Result<void> Put(Session& session, const domain::Hold& pause, const app::Decision& decision,
                 Instant now) {
  PATRA_TRY(session.Run(kPut, {{"provenance_code", pause.provenance},
                               {"endpoint_name", pause.endpoint},
                               {"role_code", pause.only ? Code(*pause.only) : "ALL"},
                               {"reason", pause.reason},
                               {"paused_by", decision.actor.name},
                               {"now", now},
                               {"until", pause.until}}));
  return {};
}

Result<bool> Remove(Session& session, const std::string& provenance, const std::string& endpoint) {
  return PATRA_TRY(session.Run(kRemove,
                               {{"provenance_code", provenance}, {"endpoint_name", endpoint}})) > 0;
}

Result<bool> RemoveHealing(Session& session, const std::string& provenance,
                           const std::string& endpoint) {
  return PATRA_TRY(session.Run(kRemoveBy, {{"provenance_code", provenance},
                                           {"endpoint_name", endpoint},
                                           {"paused_by", app::kHealActor}})) > 0;
}

Result<std::vector<domain::Hold>> Read(Session& session, domain::Role role, Instant now) {
  std::vector<domain::Hold> holds;
  auto rows = PATRA_TRY(session.Query(kRead, {{"role_code", Code(role)}, {"now", now}}));
  while (PATRA_TRY(rows.Next())) {
    holds.push_back({.provenance = rows.Text("provenance_code"),
                     .endpoint = rows.Text("endpoint_name"),
                     .reason = rows.Text("reason"),
                     .until = rows.OptionalTime("until"),
                     .since = rows.Time("paused_at"),
                     .is_by_healing = rows.View("paused_by") == app::kHealActor});
  }
  return holds;
}

}  // namespace patra::infra::sql::pause_table
