#include "infra/sql/record_set_table.h"

namespace patra::infra::sql::record_set_table {
namespace {

constexpr std::string_view kFind = R"sql(
    SELECT id FROM ing_record_set
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name LIMIT 1)sql";

// The database counts: ids that are made as elsewhere would be large numbers.
constexpr std::string_view kMake = R"sql(
    INSERT INTO ing_record_set (provenance_code, endpoint_name)
    VALUES (:provenance_code, :endpoint_name)
    ON CONFLICT (provenance_code, endpoint_name) DO NOTHING)sql";

constexpr std::string_view kCountChange =
    "UPDATE ing_record_set SET changes = changes + 1 WHERE id = :id";

constexpr std::string_view kChanges = "SELECT changes FROM ing_record_set WHERE id = :id";

constexpr std::string_view kRaise =
    "UPDATE ing_record_set SET mapping_generation = mapping_generation + 1 WHERE id = :id";

constexpr std::string_view kGeneration =
    "SELECT mapping_generation FROM ing_record_set WHERE id = :id";

// There are as many as endpoints.
constexpr std::string_view kList = R"sql(
    SELECT provenance_code, endpoint_name, id FROM ing_record_set
    WHERE (:source = '' OR provenance_code = :source) AND (:endpoint = '' OR endpoint_name = :endpoint)
    ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

Result<std::optional<Id>> Find(Session& session, const domain::Lane& lane) {
  auto rows = PATRA_TRY(session.Query(
      kFind, {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(kOnly);
}

}  // namespace

Result<Id> FindOrMake(Session& session, const domain::Lane& lane) {
  if (const auto found = PATRA_TRY(Find(session, lane))) return *found;
  PATRA_TRY(
      session.Run(kMake, {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}}));
  const auto made = PATRA_TRY(Find(session, lane));
  PATRA_ASSERT(made.has_value());
  return *made;
}

Result<std::int64_t> CountChange(Session& session, Id number) {
  PATRA_TRY(session.Run(kCountChange, {{"id", number}}));
  return session.Integer(kChanges, {{"id", number}});
}

Result<std::int64_t> RaiseGeneration(Session& session, Id number) {
  PATRA_TRY(session.Run(kRaise, {{"id", number}}));
  return session.Integer(kGeneration, {{"id", number}});
}

Result<std::int64_t> GenerationOf(Session& session, const domain::Lane& lane) {
  const auto number = PATRA_TRY(Find(session, lane));
  if (!number) return 0;
  return session.Integer(kGeneration, {{"id", *number}});
}

Result<std::vector<RecordSet>> List(Session& session, const std::string& source,
                                    const std::string& endpoint) {
  std::vector<RecordSet> sets;
  auto rows = PATRA_TRY(session.Query(kList, {{"source", source}, {"endpoint", endpoint}}));
  while (PATRA_TRY(rows.Next()))
    sets.push_back({rows.Text("provenance_code"), rows.Text("endpoint_name"), rows.Integer("id")});
  return sets;
}

}  // namespace patra::infra::sql::record_set_table
