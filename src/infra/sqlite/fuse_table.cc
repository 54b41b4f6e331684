#include "infra/sqlite/fuse_table.h"

namespace patra::infra::sqlite::fuse_table {
namespace {

constexpr std::string_view kBlow = R"sql(
    INSERT INTO ing_fuse (id, provenance_code, endpoint_name, reason, evidence, blown_at)
    VALUES (:id, :provenance_code, :endpoint_name, :reason, :evidence, :now)
    ON CONFLICT (provenance_code, endpoint_name) WHERE status_code = 'BLOWN' DO NOTHING)sql";

constexpr std::string_view kReset = R"sql(
    UPDATE ing_fuse SET status_code = 'RESET', reset_at = :now, reset_by = :reset_by, reset_reason = :reset_reason
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND status_code = 'BLOWN')sql";

constexpr std::string_view kRead = R"sql(
    SELECT provenance_code, endpoint_name, reason, blown_at FROM ing_fuse INDEXED BY uk_fuse_blown
    WHERE status_code = 'BLOWN' ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

}  // namespace

Result<void> Blow(Connection& connection, const domain::Hold& fuse, const std::string& evidence,
                  Id new_id, Instant now) {
  PATRA_TRY(
      connection.Run(kBlow, new_id, fuse.provenance, fuse.endpoint, fuse.reason, evidence, now));
  return {};
}

Result<bool> Reset(Connection& connection, const std::string& provenance,
                   const std::string& endpoint, const app::Decision& decision, Instant now) {
  return PATRA_TRY(connection.Run(kReset, now, decision.actor, decision.reason, provenance,
                                  endpoint)) > 0;
}

Result<std::vector<domain::Hold>> Read(Connection& connection) {
  std::vector<domain::Hold> holds;
  auto rows = PATRA_TRY(connection.Query(kRead));
  while (PATRA_TRY(rows.Next())) {
    holds.push_back({.provenance = rows.Text(0),
                     .endpoint = rows.Text(1),
                     .reason = rows.Text(2),
                     .until = std::nullopt,
                     .is_fuse = true,
                     .since = rows.Time(3)});
  }
  return holds;
}

}  // namespace patra::infra::sqlite::fuse_table
