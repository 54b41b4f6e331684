#include "infra/sqlite/alert_silence_table.h"

namespace patra::infra::sqlite::alert_silence_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_alert_silence (id, pattern, reason, created_by, created_at, until)
    VALUES (:id, :pattern, :reason, :created_by, :created_at, :until))sql";

constexpr std::string_view kRead = R"sql(
    SELECT id, pattern, reason, created_by, created_at, until
    FROM ing_alert_silence WHERE until > :at ORDER BY until, id LIMIT 1000)sql";

}  // namespace

Result<void> Insert(Connection& connection, const domain::Silence& silence) {
  PATRA_TRY(connection.Run(kInsert, silence.id, silence.pattern, silence.reason, silence.created_by,
                           silence.created_at, silence.until));
  return {};
}

Result<std::vector<domain::Silence>> Read(Connection& connection, Instant at) {
  std::vector<domain::Silence> silences;
  auto rows = PATRA_TRY(connection.Query(kRead, at));
  while (PATRA_TRY(rows.Next())) {
    silences.push_back({.id = rows.Integer(0),
                        .pattern = rows.Text(1),
                        .reason = rows.Text(2),
                        .created_by = rows.Text(3),
                        .created_at = rows.Time(4),
                        .until = rows.Time(5)});
  }
  return silences;
}

}  // namespace patra::infra::sqlite::alert_silence_table
