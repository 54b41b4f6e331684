#include "infra/sqlite/item_table.h"

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"
#include "domain/item/kept_fields.h"
#include "infra/sqlite/texts_in.h"

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
        deleted_at = :deleted_at, merged_into = :merged_into, kept = :kept, checked_batch_id = NULL
    WHERE id = :id)sql";

// An older version filled what a newer one had left empty.
constexpr std::string_view kFillIn = R"sql(
    UPDATE ing_item
    SET content_hash = :content_hash, fields = :fields, kept = :kept, refreshed_at = :now
    WHERE id = :id)sql";

constexpr std::string_view kFieldsOf = "SELECT fields, kept FROM ing_item WHERE id = :id LIMIT 1";

// Looked at, whatever came of it.
constexpr std::string_view kNoteCheck = R"sql(
    UPDATE ing_item SET refreshed_at = max(refreshed_at, :now), checked_batch_id = :batch_id
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id)sql";

// Looked at, and what is stored is what came: this definition would have made the same of it.
constexpr std::string_view kConfirm = R"sql(
    UPDATE ing_item SET expr_hash = :expr_hash, batch_id = :batch_id WHERE id = :id)sql";

constexpr std::string_view kIsUnseenSince = R"sql(
    SELECT count(*) FROM ing_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND refreshed_at < :since)sql";

constexpr std::string_view kIsFetchedSince = R"sql(
    SELECT count(*) FROM ing_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND fetched_at >= :since)sql";

constexpr std::string_view kStale = R"sql(
    SELECT provider_item_id FROM ing_living_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id > :after AND refreshed_at < :refreshed_before
    ORDER BY provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kOfOtherPrototypes = R"sql(
    SELECT item.provider_item_id FROM ing_living_item AS item
    WHERE item.provenance_code = :provenance_code AND item.endpoint_name = :endpoint_name
      AND item.provider_item_id > :after
      AND NOT EXISTS (SELECT 1 FROM ing_task_run_batch AS batch
                      JOIN ing_plan AS plan ON plan.id = batch.plan_id
                      WHERE batch.id IN (item.batch_id, item.checked_batch_id)
                        AND plan.expr_proto_hash IN (SELECT value FROM json_each(:prototypes)))
    ORDER BY item.provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kLookedAtLast = R"sql(
    SELECT provider_item_id FROM ing_living_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
    ORDER BY refreshed_at DESC LIMIT :ids_max)sql";

constexpr std::string_view kOldestLooks = R"sql(
    SELECT refreshed_at FROM ing_living_item
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
    ORDER BY refreshed_at LIMIT :counted_at_most)sql";

}  // namespace

Result<bool> IsUnseenSince(Connection& connection, const domain::Partition& partition,
                           const std::string& id, Instant since) {
  return PATRA_TRY(connection.Integer(kIsUnseenSince, partition.provenance, partition.endpoint, id,
                                      since)) > 0;
}

Result<bool> IsFetchedSince(Connection& connection, const domain::Partition& partition,
                            const std::string& id, Instant since) {
  return PATRA_TRY(connection.Integer(kIsFetchedSince, partition.provenance, partition.endpoint, id,
                                      since)) > 0;
}

Result<void> NoteCheck(Connection& connection, const Origin& origin, const std::string& id,
                       Instant now) {
  PATRA_TRY(connection.Run(kNoteCheck, now, origin.batch, origin.provenance, origin.endpoint, id));
  return {};
}

Result<std::vector<std::string>> Stale(Connection& connection, const domain::Partition& partition,
                                       Instant refreshed_before, const std::string& after,
                                       int ids_max) {
  return TextsIn(PATRA_TRY(connection.Query(kStale, partition.provenance, partition.endpoint, after,
                                            refreshed_before, ids_max)));
}

Result<std::vector<std::string>> OfOtherPrototypes(Connection& connection,
                                                   const domain::Partition& partition,
                                                   std::span<const std::string> prototypes,
                                                   const std::string& after, int ids_max) {
  const auto current = CanonicalJson(Value::Array(prototypes.begin(), prototypes.end()));
  return TextsIn(PATRA_TRY(connection.Query(kOfOtherPrototypes, partition.provenance,
                                            partition.endpoint, after, current, ids_max)));
}

Result<std::vector<std::string>> LookedAtLast(Connection& connection,
                                              const domain::Partition& partition, int ids_max) {
  return TextsIn(PATRA_TRY(
      connection.Query(kLookedAtLast, partition.provenance, partition.endpoint, ids_max)));
}

// The oldest first: counting ends with the first that is fresh.
Result<Looks> LooksBefore(Connection& connection, const std::string& provenance,
                          const std::string& endpoint, Instant fresh_since,
                          std::int64_t counted_at_most) {
  Looks looks;
  auto rows = PATRA_TRY(connection.Query(kOldestLooks, provenance, endpoint, counted_at_most));
  while (PATRA_TRY(rows.Next())) {
    if (!looks.oldest) looks.oldest = rows.Time(0);
    if (rows.Time(0) >= fresh_since) break;
    ++looks.overdue;
  }
  return looks;
}

namespace {

struct Found {
  Id id = 0;
  domain::ItemVersion version;
};

Result<std::optional<Found>> Find(Connection& connection, const Origin& origin,
                                  const std::string& item) {
  auto rows = PATRA_TRY(connection.Query(kFind, origin.provenance, origin.endpoint, item));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return Found{.id = rows.Integer(0),
               .version = {.updated_at = rows.Time(1),
                           .provider_version = rows.Integer(2),
                           .mapping_generation = rows.Integer(3),
                           .fetched_at = rows.Time(4),
                           .content_hash = rows.Text(5),
                           .deleted = !rows.IsNull(6)}};
}

std::optional<Instant> DeletedAt(const domain::ItemVersion& version) {
  return version.deleted ? std::optional(version.updated_at) : std::nullopt;
}

Result<void> Insert(Connection& connection, const Origin& origin, const domain::Record& record,
                    Id id, Instant now) {
  const auto& version = record.version;
  PATRA_TRY(connection.Run(kInsert, id, origin.provenance, origin.endpoint, record.id,
                           version.updated_at, version.provider_version, version.mapping_generation,
                           version.fetched_at, version.content_hash, record.fields,
                           origin.expr_hash, origin.batch, now, DeletedAt(version),
                           record.merged_into));
  return {};
}

Result<void> Replace(Connection& connection, const Origin& origin, const domain::Record& record,
                     const std::optional<std::string>& kept, Id id, Instant now) {
  const auto& version = record.version;
  PATRA_TRY(connection.Run(kUpdate, version.updated_at, version.provider_version,
                           version.mapping_generation, version.fetched_at, version.content_hash,
                           record.fields, origin.expr_hash, origin.batch, now, DeletedAt(version),
                           record.merged_into, kept, id));
  return {};
}

// An UPDATE that changes nothing was still made.
Result<void> Confirm(Connection& connection, const Origin& origin, Id id,
                     domain::Overwrite outcome) {
  if (!origin.refreshes || outcome != domain::Overwrite::kUnchanged) return {};
  PATRA_TRY(connection.Run(kConfirm, origin.expr_hash, origin.batch, id));
  return {};
}

Result<Value::Object> ObjectIn(std::string_view text) {
  auto value = PATRA_TRY(ParseJson(text));
  if (value.AsObject() == nullptr)
    return Fail(ErrorCode::kCorruption, "a record's fields are no object");
  return std::move(*value.AsObject());
}

Result<domain::FoldedFields> FoldedIn(Connection& connection, const Found& found) {
  auto rows = PATRA_TRY(connection.Query(kFieldsOf, found.id));
  if (!PATRA_TRY(rows.Next())) return Fail(ErrorCode::kCorruption, "a record is gone");
  domain::FoldedFields folded{.version = found.version,
                              .fields = PATRA_TRY(ObjectIn(rows.View(0)))};
  if (!rows.IsNull(1)) {
    const auto kept = PATRA_TRY(ParseJson(rows.View(1)));
    PATRA_TRY(domain::ReadKept(kept, folded));
  }
  return folded;
}

// A record with fields that survive an empty value: what is stored is folded with what came.
Result<domain::Overwrite> PutFolded(Connection& connection, const Origin& origin,
                                    const domain::Record& record, const Found& found, Instant now) {
  const auto stored = PATRA_TRY(FoldedIn(connection, found));
  const domain::FoldedFields incoming{.version = record.version,
                                      .fields = PATRA_TRY(ObjectIn(record.fields))};
  const auto folded = domain::Fold(stored, incoming, *record.kept_fields);
  if (folded == stored) {
    const bool is_same = incoming.version.content_hash == stored.version.content_hash &&
                         incoming.version.deleted == stored.version.deleted;
    const auto outcome = is_same ? domain::Overwrite::kUnchanged : domain::Overwrite::kStale;
    PATRA_TRY(Confirm(connection, origin, found.id, outcome));
    return outcome;
  }

  std::optional<std::string> kept;
  if (const auto value = domain::KeptValue(folded)) kept = CanonicalJson(*value);
  auto merged = record;
  merged.fields = CanonicalJson(Value(folded.fields));
  merged.version.content_hash = Sha256Hex(merged.fields);
  const bool is_same_content =
      folded.fields == stored.fields && folded.version.deleted == stored.version.deleted;
  if (folded.version == incoming.version) {
    PATRA_TRY(Replace(connection, origin, merged, kept, found.id, now));
  } else {
    PATRA_TRY(
        connection.Run(kFillIn, merged.version.content_hash, merged.fields, kept, now, found.id));
  }
  return is_same_content ? domain::Overwrite::kUnchanged : domain::Overwrite::kUpdate;
}

}  // namespace

Result<domain::Overwrite> Put(Connection& connection, const Origin& origin,
                              const domain::Record& record, Id new_id, Instant now) {
  const auto found = PATRA_TRY(Find(connection, origin, record.id));
  if (found && record.kept_fields) return PutFolded(connection, origin, record, *found, now);
  const auto decision = domain::DecideOverwrite(found ? &found->version : nullptr, record.version);
  if (!found) {
    PATRA_TRY(Insert(connection, origin, record, new_id, now));
  } else if (decision.write) {
    PATRA_TRY(Replace(connection, origin, record, std::nullopt, found->id, now));
  } else {
    PATRA_TRY(Confirm(connection, origin, found->id, decision.outcome));
  }
  return decision.outcome;
}

Result<std::optional<domain::StoredRecord>> Read(Connection& connection,
                                                 const domain::Partition& partition,
                                                 const std::string& id) {
  constexpr std::string_view kRead = R"sql(
      SELECT updated_at, provider_version, mapping_generation, fetched_at, content_hash, deleted_at, fields,
             merged_into
      FROM ing_item
      WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
        AND provider_item_id = :provider_item_id LIMIT 1)sql";
  auto rows = PATRA_TRY(connection.Query(kRead, partition.provenance, partition.endpoint, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return domain::StoredRecord{.version = {.updated_at = rows.Time(0),
                                          .provider_version = rows.Integer(1),
                                          .mapping_generation = rows.Integer(2),
                                          .fetched_at = rows.Time(3),
                                          .content_hash = rows.Text(4),
                                          .deleted = !rows.IsNull(5)},
                              .fields = rows.Text(6),
                              .merged_into = rows.OptionalText(7)};
}

}  // namespace patra::infra::sqlite::item_table
