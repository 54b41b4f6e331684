#include "infra/sql/fuse_table.h"

namespace patra::infra::sql::fuse_table {
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

constexpr std::string_view kList = R"sql(
    SELECT id, provenance_code, endpoint_name, reason, evidence, blown_at, reset_at, coalesce(reset_by, '') AS reset_by,
           coalesce(reset_reason, '') AS reset_reason
    FROM ing_fuse INDEXED BY idx_fuse_time
    WHERE blown_at <= :up_to AND (:source = '' OR provenance_code = :source) AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:with_reset = 1 OR status_code = 'BLOWN')
    ORDER BY blown_at DESC, id DESC LIMIT :fuses_max)sql";

}  // namespace

Result<void> Blow(Session& session, const domain::Hold& fuse, const std::string& evidence,
                  Id new_id, Instant now) {
  PATRA_TRY(session.Run(kBlow, {{"id", new_id},
                                {"provenance_code", fuse.provenance},
                                {"endpoint_name", fuse.endpoint},
                                {"reason", fuse.reason},
                                {"evidence", evidence},
                                {"now", now}}));
  return {};
}

Result<bool> Reset(Session& session, const std::string& provenance, const std::string& endpoint,
                   const app::Decision& decision, Instant now) {
  return PATRA_TRY(session.Run(kReset, {{"now", now},
                                        {"reset_by", decision.actor.name},
                                        {"reset_reason", decision.reason},
                                        {"provenance_code", provenance},
                                        {"endpoint_name", endpoint}})) > 0;
}

Result<std::vector<domain::Hold>> Read(Session& session) {
  std::vector<domain::Hold> holds;
  auto rows = PATRA_TRY(session.Query(kRead));
  while (PATRA_TRY(rows.Next())) {
    holds.push_back({.provenance = rows.Text("provenance_code"),
                     .endpoint = rows.Text("endpoint_name"),
                     .reason = rows.Text("reason"),
                     .until = std::nullopt,
                     .is_fuse = true,
                     .since = rows.Time("blown_at")});
  }
  return holds;
}

Result<std::vector<domain::Fuse>> List(Session& session, const domain::FuseFilter& filter) {
  std::vector<domain::Fuse> fuses;
  auto rows = PATRA_TRY(session.Query(kList, {{"up_to", kInstantMax},
                                              {"source", filter.source},
                                              {"endpoint", filter.endpoint},
                                              {"with_reset", filter.with_reset},
                                              {"fuses_max", filter.fuses_max}}));
  while (PATRA_TRY(rows.Next())) {
    fuses.push_back({.id = rows.Integer("id"),
                     .provenance = rows.Text("provenance_code"),
                     .endpoint = rows.Text("endpoint_name"),
                     .reason = rows.Text("reason"),
                     .evidence = rows.Text("evidence"),
                     .blown_at = rows.Time("blown_at"),
                     .reset_at = rows.OptionalTime("reset_at"),
                     .reset_by = rows.Text("reset_by"),
                     .reset_reason = rows.Text("reset_reason")});
  }
  return fuses;
}

}  // namespace patra::infra::sql::fuse_table
