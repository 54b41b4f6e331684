#include "infra/sqlite/item_table.h"

#include "base/canonical_json.h"
#include "base/value.h"

namespace patra::infra::sqlite::item_table {
namespace {

constexpr std::string_view kFind = R"sql(
    SELECT id, updated_at, provider_version, mapping_generation, fetched_at, content_hash, deleted_at
    FROM ing_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id LIMIT 1)sql";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_item
        (id, provenance_code, endpoint_name, provider_item_id, updated_at, provider_version,
         mapping_generation, fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at,
         refreshed_at, deleted_at, merged_into)
    VALUES (:id, :provenance_code, :endpoint_name, :provider_item_id, :updated_at, :provider_version,
            :mapping_generation, :fetched_at, :content_hash, :fields, :expr_hash, :batch_id, :now, :now,
            :deleted_at, :merged_into))sql";

constexpr std::string_view kUpdate = R"sql(
    UPDATE ing_item
    SET updated_at = :updated_at, provider_version = :provider_version,
        mapping_generation = :mapping_generation, fetched_at = :fetched_at, content_hash = :content_hash,
        fields = :fields, expr_hash = :expr_hash, batch_id = :batch_id, refreshed_at = :now,
        deleted_at = :deleted_at, merged_into = :merged_into
    WHERE id = :id)sql";

constexpr std::string_view kIsFetchedSince = R"sql(
    SELECT count(*) FROM ing_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND fetched_at >= :since)sql";

constexpr std::string_view kStale = R"sql(
    SELECT provider_item_id FROM ing_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id > :after AND refreshed_at < :refreshed_before AND deleted_at IS NULL
      AND merged_into IS NULL
    ORDER BY provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kOfOtherPrototypes = R"sql(
    SELECT item.provider_item_id FROM ing_item AS item
    WHERE item.provenance_code = :provenance_code AND item.endpoint_name = :endpoint_name
      AND item.provider_item_id > :after AND item.deleted_at IS NULL AND item.merged_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM ing_task_run_batch AS batch
                      JOIN ing_plan AS plan ON plan.id = batch.plan_id
                      WHERE batch.id = item.batch_id
                        AND plan.expr_proto_hash IN (SELECT value FROM json_each(:prototypes)))
    ORDER BY item.provider_item_id LIMIT :ids_max)sql";

Result<std::vector<std::string>> IdsIn(Rows rows) {
  std::vector<std::string> ids;
  while (PATRA_TRY(rows.Next())) ids.push_back(rows.Text(0));
  return ids;
}

}  // namespace

Result<bool> IsFetchedSince(Connection& connection, const domain::Partition& partition,
                            const std::string& id, Instant since) {
  return PATRA_TRY(connection.Integer(kIsFetchedSince, partition.provenance, partition.endpoint, id,
                                      since)) > 0;
}

Result<std::vector<std::string>> Stale(Connection& connection, const domain::Partition& partition,
                                       Instant refreshed_before, const std::string& after,
                                       int ids_max) {
  return IdsIn(PATRA_TRY(connection.Query(kStale, partition.provenance, partition.endpoint, after,
                                          refreshed_before, ids_max)));
}

Result<std::vector<std::string>> OfOtherPrototypes(Connection& connection,
                                                   const domain::Partition& partition,
                                                   std::span<const std::string> prototypes,
                                                   const std::string& after, int ids_max) {
  const auto current = CanonicalJson(Value::Array(prototypes.begin(), prototypes.end()));
  return IdsIn(PATRA_TRY(connection.Query(kOfOtherPrototypes, partition.provenance,
                                          partition.endpoint, after, current, ids_max)));
}

Result<domain::Overwrite> Put(Connection& connection, const Origin& origin,
                              const domain::Record& record, Id new_id, Instant now) {
  std::optional<domain::ItemVersion> existing;
  Id id = new_id;
  {
    auto rows = PATRA_TRY(connection.Query(kFind, origin.provenance, origin.endpoint, record.id));
    if (PATRA_TRY(rows.Next())) {
      id = rows.Integer(0);
      existing = domain::ItemVersion{.updated_at = rows.Time(1),
                                     .provider_version = rows.Integer(2),
                                     .mapping_generation = rows.Integer(3),
                                     .fetched_at = rows.Time(4),
                                     .content_hash = rows.Text(5),
                                     .deleted = !rows.IsNull(6)};
    }
  }

  const auto decision = domain::DecideOverwrite(existing ? &*existing : nullptr, record.version);
  if (!decision.write) return decision.outcome;
  const auto& version = record.version;
  const auto deleted_at = version.deleted ? std::optional(version.updated_at) : std::nullopt;
  if (!existing) {
    PATRA_TRY(connection.Run(kInsert, id, origin.provenance, origin.endpoint, record.id,
                             version.updated_at, version.provider_version,
                             version.mapping_generation, version.fetched_at, version.content_hash,
                             record.fields, origin.expr_hash, origin.batch, now, deleted_at,
                             record.merged_into));
  } else {
    PATRA_TRY(connection.Run(kUpdate, version.updated_at, version.provider_version,
                             version.mapping_generation, version.fetched_at, version.content_hash,
                             record.fields, origin.expr_hash, origin.batch, now, deleted_at,
                             record.merged_into, id));
  }
  return decision.outcome;
}

}  // namespace patra::infra::sqlite::item_table
