#include "infra/sql/query_table.h"

namespace patra::infra::sql::query_table {
namespace {

constexpr std::string_view kFind = R"sql(
    SELECT begins_at, asked FROM ing_query
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash LIMIT 1)sql";

constexpr std::string_view kPut = R"sql(
    INSERT INTO ing_query (provenance_code, endpoint_name, query_hash, begins_at, asked, updated_at)
    VALUES (:provenance_code, :endpoint_name, :query_hash, :begins_at, :asked, :now)
    ON CONFLICT (provenance_code, endpoint_name, query_hash)
    DO UPDATE SET begins_at = excluded.begins_at, asked = excluded.asked, updated_at = excluded.updated_at)sql";

constexpr std::string_view kNewestStart = R"sql(
    SELECT json_extract(expr_proto_snapshot, '$.window.start') AS begins FROM ing_plan
    WHERE provenance_code = :source AND operation_code = 'HARVEST' AND endpoint_name = :endpoint
      AND query_hash = :query_hash
    ORDER BY created_at DESC LIMIT 1)sql";

}  // namespace

Result<std::optional<app::QueryInForce>> Find(Session& session, const domain::Lane& lane,
                                              const std::string& query_hash) {
  auto rows = PATRA_TRY(session.Query(kFind, {{"provenance_code", lane.provenance},
                                              {"endpoint_name", lane.endpoint},
                                              {"query_hash", query_hash}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return app::QueryInForce{.begins = rows.Time("begins_at"), .asked = rows.Text("asked")};
}

Result<void> Put(Session& session, const domain::Lane& lane, const std::string& query_hash,
                 const app::QueryInForce& in_force, Instant now) {
  PATRA_TRY(session.Run(kPut, {{"provenance_code", lane.provenance},
                               {"endpoint_name", lane.endpoint},
                               {"query_hash", query_hash},
                               {"begins_at", in_force.begins},
                               {"asked", in_force.asked},
                               {"now", now}}));
  return {};
}

Result<std::optional<Instant>> BeginsAt(Session& session, const domain::Lane& lane,
                                        const std::string& query_hash) {
  if (const auto in_force = PATRA_TRY(Find(session, lane, query_hash))) return in_force->begins;
  auto rows = PATRA_TRY(session.Query(
      kNewestStart,
      {{"source", lane.provenance}, {"endpoint", lane.endpoint}, {"query_hash", query_hash}}));
  if (!PATRA_TRY(rows.Next()) || rows.IsNull("begins")) return std::nullopt;
  return PATRA_TRY(ParseRfc3339(rows.View("begins")));
}

}  // namespace patra::infra::sql::query_table
