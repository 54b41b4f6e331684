#include "infra/sqlite/pause_table.h"

namespace patra::infra::sqlite::pause_table {
namespace {

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_pause (provenance_code, endpoint_name, reason, paused_by, paused_at, until)
    VALUES (:provenance_code, :endpoint_name, :reason, :paused_by, :paused_at, :until)
    ON CONFLICT (provenance_code, endpoint_name, role_code) DO UPDATE
    SET reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
        until = excluded.until)sql";

constexpr std::string_view kRemove =
    "DELETE FROM ing_pause WHERE provenance_code = :provenance_code AND endpoint_name = "
    ":endpoint_name";

}  // namespace

Result<void> Put(Connection& connection, const Pause& pause) {
  PATRA_TRY(connection.Run(kPut, pause.provenance, pause.endpoint, pause.reason, pause.paused_by,
                           pause.paused_at, pause.until));
  return {};
}

Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint) {
  return PATRA_TRY(connection.Run(kRemove, provenance, endpoint)) > 0;
}

}  // namespace patra::infra::sqlite::pause_table
