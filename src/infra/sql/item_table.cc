#include "infra/sql/item_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "infra/sql/texts_in.h"

namespace patra::infra::sql::item_table {
namespace {

constexpr std::string_view kVersionColumns =
    "SELECT provider_item_id, id, updated_at, provider_version, mapping_generation, fetched_at, "
    "content_hash, deleted_at, batch_id, refreshed_at, merged_into";
constexpr std::string_view kOfTheseIds =
    " FROM ing_item WHERE record_set_id = (SELECT id FROM ing_record_set"
    " WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name)"
    " AND provider_item_id IN";

std::string_view ReadVersions() {
  static const auto kSql = WithList(fmt::format("{}{}", kVersionColumns, kOfTheseIds));
  return kSql;
}
std::string_view ReadFields() {
  static const auto kSql =
      WithList(fmt::format("{}, fields, kept{}", kVersionColumns, kOfTheseIds));
  return kSql;
}

constexpr std::string_view kInsertRow = R"sql(
    INSERT INTO ing_item
        (id, record_set_id, provider_item_id, updated_at, provider_version, mapping_generation,
         fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, refreshed_at, deleted_at,
         merged_into, kept)
    VALUES (:id, :record_set_id, :provider_item_id, :updated_at, :provider_version, :mapping_generation,
            :fetched_at, :content_hash, :fields, :expr_hash, :batch_id, :now, :now, :deleted_at,
            :merged_into, :kept))sql";

// Rows that change are written like new ones that meet themselves, because that is how many go at once.
std::string_view ReplaceRow() {
  static const auto kSql = fmt::format("{}{}", kInsertRow, R"sql(
    ON CONFLICT (id) DO UPDATE
    SET updated_at = excluded.updated_at, provider_version = excluded.provider_version,
        mapping_generation = excluded.mapping_generation, fetched_at = excluded.fetched_at,
        content_hash = excluded.content_hash, fields = excluded.fields, expr_hash = excluded.expr_hash,
        batch_id = excluded.batch_id, refreshed_at = excluded.refreshed_at,
        deleted_at = excluded.deleted_at, merged_into = excluded.merged_into, kept = excluded.kept,
        checked_batch_id = NULL)sql");
  return kSql;
}

// An older version filled what a newer one had left empty.
std::string_view FillInRow() {
  static const auto kSql = fmt::format("{}{}", kInsertRow, R"sql(
    ON CONFLICT (id) DO UPDATE
    SET content_hash = excluded.content_hash, fields = excluded.fields, kept = excluded.kept,
        refreshed_at = excluded.refreshed_at)sql");
  return kSql;
}

// Looked at, and what is stored is what came: this definition would have made the same of it.
std::string_view ConfirmIn() {
  static const auto kSql = WithList(
      "UPDATE ing_item NOT INDEXED SET expr_hash = :expr_hash, batch_id = :batch_id WHERE id IN");
  return kSql;
}

// Looked at, whatever came of it.
std::string_view NoteChecksIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_item INDEXED BY uk_item
    SET refreshed_at = max(refreshed_at, :now), checked_batch_id = :batch_id
    WHERE record_set_id = (SELECT id FROM ing_record_set
                           WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name)
      AND provider_item_id IN)sql");
  return kSql;
}

std::string_view FetchedSinceIn() {
  static const auto kSql = WithList(R"sql(
    SELECT provider_item_id FROM ing_item
    WHERE record_set_id = (SELECT id FROM ing_record_set
                           WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name)
      AND fetched_at >= :since AND provider_item_id IN)sql");
  return kSql;
}

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
                        AND instr(:prototypes, '/' || plan.expr_proto_hash || '/') > 0)
      AND NOT EXISTS (SELECT 1 FROM ing_archived_batch AS archived
                      JOIN ing_task_run AS run ON run.id = archived.run_id
                      JOIN ing_plan AS plan ON plan.id = run.plan_id
                      WHERE archived.batch_id IN (item.batch_id, item.checked_batch_id)
                        AND instr(:prototypes, '/' || plan.expr_proto_hash || '/') > 0)
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

Result<std::set<std::string>> FetchedSince(Session& session, const domain::Lane& lane,
                                           std::span<const std::string> ids, Instant since) {
  return TextsAmong(
      session, FetchedSinceIn(), ListOf(ids),
      {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}, {"since", since}});
}

Result<void> NoteChecks(Session& session, const domain::Lane& lane, Id batch,
                        std::span<const std::string> ids, Instant now) {
  PATRA_TRY(session.RunIn(NoteChecksIn(), ListOf(ids),
                          {{"now", now},
                           {"batch_id", batch},
                           {"provenance_code", lane.provenance},
                           {"endpoint_name", lane.endpoint}}));
  return {};
}

Result<std::vector<std::string>> Stale(Session& session, const domain::Lane& lane,
                                       Instant refreshed_before, const std::string& after,
                                       int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(kStale, {{"provenance_code", lane.provenance},
                                                  {"endpoint_name", lane.endpoint},
                                                  {"after", after},
                                                  {"refreshed_before", refreshed_before},
                                                  {"ids_max", ids_max}})));
}

Result<std::vector<std::string>> OfOtherPrototypes(Session& session, const domain::Lane& lane,
                                                   std::span<const std::string> prototypes,
                                                   const std::string& after, int ids_max) {
  const auto current = fmt::format("/{}/", fmt::join(prototypes, "/"));
  return TextsIn(PATRA_TRY(session.Query(kOfOtherPrototypes, {{"provenance_code", lane.provenance},
                                                              {"endpoint_name", lane.endpoint},
                                                              {"after", after},
                                                              {"prototypes", current},
                                                              {"ids_max", ids_max}})));
}

Result<std::vector<std::string>> LookedAtLast(Session& session, const domain::Lane& lane,
                                              int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(kLookedAtLast, {{"provenance_code", lane.provenance},
                                                         {"endpoint_name", lane.endpoint},
                                                         {"ids_max", ids_max}})));
}

// The oldest first: counting ends with the first that is fresh.
Result<Looks> LooksBefore(Session& session, const std::string& provenance,
                          const std::string& endpoint, Instant fresh_since,
                          std::int64_t counted_at_most) {
  Looks looks;
  auto rows = PATRA_TRY(session.Query(kOldestLooks, {{"provenance_code", provenance},
                                                     {"endpoint_name", endpoint},
                                                     {"counted_at_most", counted_at_most}}));
  while (PATRA_TRY(rows.Next())) {
    if (!looks.oldest) looks.oldest = rows.Time("refreshed_at");
    if (rows.Time("refreshed_at") >= fresh_since) break;
    ++looks.overdue;
  }
  return looks;
}

namespace {

std::optional<Instant> DeletedAt(const domain::Record& record) {
  if (!record.version.deleted) return std::nullopt;
  return record.gone_at.value_or(record.version.updated_at);
}

}  // namespace

Result<domain::StoredItems> Read(Session& session, const domain::Lane& lane,
                                 std::span<const std::string_view> ids, With with) {
  const bool with_fields = with == With::kFields;
  domain::StoredItems stored;
  const auto keep = [&](const Rows& rows) -> Result<void> {
    auto& item = stored[rows.Text("provider_item_id")];
    item = {.row = rows.Integer("id"),
            .version = {.updated_at = rows.Time("updated_at"),
                        .provider_version = rows.Integer("provider_version"),
                        .mapping_generation = rows.Integer("mapping_generation"),
                        .fetched_at = rows.Time("fetched_at"),
                        .content_hash = rows.Digest("content_hash"),
                        .deleted = !rows.IsNull("deleted_at")},
            .batch = rows.Integer("batch_id"),
            .refreshed_at = rows.Time("refreshed_at"),
            // What a provider deletes is deleted at its own time.
            .is_missed =
                rows.OptionalTime("deleted_at").value_or(Instant::min()) > rows.Time("updated_at"),
            .merged_into = rows.OptionalText("merged_into")};
    if (!with_fields) return {};
    item.fields = rows.Text("fields");
    item.kept = rows.OptionalText("kept");
    return {};
  };
  PATRA_TRY(session.QueryIn(
      with_fields ? ReadFields() : ReadVersions(), ListOf(ids),
      {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}}, keep));
  return stored;
}

namespace {

// What is written of a record: itself, or folded with what was stored of it.
struct Content {
  std::string_view fields;
  std::optional<std::string_view> kept;
};

Content ContentOf(const domain::ItemWrite& write) {
  const auto& folded = write.folded;
  if (!folded) return {write.record->fields, std::nullopt};
  Content content{folded->fields, std::nullopt};
  if (folded->kept) content.kept = *folded->kept;
  return content;
}

const Sha256Digest& HashOf(const domain::ItemWrite& write) {
  return write.folded ? write.folded->content_hash : write.record->version.content_hash;
}

// An id for each new row; those that are there have theirs.
Result<void> WriteRows(Session& session, std::string_view sql, const Origin& origin,
                       std::span<const domain::ItemWrite* const> writes, IdGenerator& ids,
                       Instant now) {
  return session.RunEach(sql, writes.size(), [&](std::size_t i, const auto& with) {
    const auto& record = *writes[i]->record;
    const auto& version = record.version;
    const auto content = ContentOf(*writes[i]);
    return with({{"id", writes[i]->row != 0 ? writes[i]->row : ids.Next()},
                 {"record_set_id", origin.record_set},
                 {"provider_item_id", record.id},
                 {"updated_at", version.updated_at},
                 {"provider_version", version.provider_version},
                 {"mapping_generation", version.mapping_generation},
                 {"fetched_at", version.fetched_at},
                 {"content_hash", HashOf(*writes[i])},
                 {"fields", content.fields},
                 {"expr_hash", origin.expr_hash},
                 {"batch_id", origin.batch},
                 {"now", now},
                 {"deleted_at", DeletedAt(record)},
                 {"merged_into", record.merged_into},
                 {"kept", content.kept}});
  });
}

}  // namespace

Result<void> Write(Session& session, const Origin& origin,
                   std::span<const domain::ItemWrite> writes, IdGenerator& ids, Instant now) {
  using enum domain::ItemWrite::Kind;
  std::vector<const domain::ItemWrite*> inserts, replaces, fill_ins;
  std::vector<Bound> confirmed;
  for (const auto& write : writes) {
    switch (write.kind) {
      case kInsert:
        inserts.push_back(&write);
        break;
      case kReplace:
        replaces.push_back(&write);
        break;
      case kFillIn:
        fill_ins.push_back(&write);
        break;
      case kConfirm:
        confirmed.emplace_back(write.row);
        break;
    }
  }
  PATRA_TRY(WriteRows(session, kInsertRow, origin, inserts, ids, now));
  PATRA_TRY(WriteRows(session, ReplaceRow(), origin, replaces, ids, now));
  PATRA_TRY(WriteRows(session, FillInRow(), origin, fill_ins, ids, now));
  PATRA_TRY(session.RunIn(ConfirmIn(), confirmed,
                          {{"expr_hash", origin.expr_hash}, {"batch_id", origin.batch}}));
  return {};
}

}  // namespace patra::infra::sql::item_table
