#include "infra/sql/alert_silence_table.h"

namespace patra::infra::sql::alert_silence_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_alert_silence (id, pattern, reason, created_by, created_at, until)
    VALUES (:id, :pattern, :reason, :created_by, :created_at, :until))sql";

constexpr std::string_view kRead = R"sql(
    SELECT id, pattern, reason, created_by, created_at, until
    FROM ing_alert_silence WHERE until > :at ORDER BY until, id LIMIT 1000)sql";

}  // namespace

Result<void> Insert(Session& session, const domain::Silence& silence) {
  PATRA_TRY(session.Run(kInsert, {{"id", silence.id},
                                  {"pattern", silence.pattern},
                                  {"reason", silence.reason},
                                  {"created_by", silence.created_by},
                                  {"created_at", silence.created_at},
                                  {"until", silence.until}}));
  return {};
}

Result<std::vector<domain::Silence>> Read(Session& session, Instant at) {
  std::vector<domain::Silence> silences;
  auto rows = PATRA_TRY(session.Query(kRead, {{"at", at}}));
  while (PATRA_TRY(rows.Next())) {
    silences.push_back({.id = rows.Integer("id"),
                        .pattern = rows.Text("pattern"),
                        .reason = rows.Text("reason"),
                        .created_by = rows.Text("created_by"),
                        .created_at = rows.Time("created_at"),
                        .until = rows.Time("until")});
  }
  return silences;
}

}  // namespace patra::infra::sql::alert_silence_table
