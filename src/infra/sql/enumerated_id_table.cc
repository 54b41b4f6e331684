#include "infra/sql/enumerated_id_table.h"

#include "infra/sql/texts_in.h"

namespace patra::infra::sql::enumerated_id_table {
namespace {

constexpr std::string_view kOpen = "FOUND";

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_enumerated_id
        (slice_id, provider_item_id, found_batch_id, status_code, fetched_batch_id, attempts, updated_at)
    VALUES (:slice_id, :provider_item_id, :batch_id, :status_code, :fetched_batch_id, :attempts, :now)
    ON CONFLICT (slice_id, provider_item_id) DO NOTHING)sql";

std::string_view FoundIn() {
  static const auto kSql = WithList(
      "SELECT provider_item_id FROM ing_enumerated_id WHERE slice_id = :slice_id "
      "AND provider_item_id IN");
  return kSql;
}

constexpr std::string_view kForget = "DELETE FROM ing_enumerated_id WHERE slice_id = :slice_id";

constexpr std::string_view kNextOpen = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id INDEXED BY idx_enumerated_open
    WHERE slice_id = :slice_id AND status_code = 'FOUND' ORDER BY provider_item_id LIMIT :ids_max)sql";

// Of slices that did not succeed, with when somebody last looked at the record.
constexpr std::string_view kOpenOf = R"sql(
    SELECT open_id.provider_item_id, item.refreshed_at
    FROM ing_plan_slice AS slice INDEXED BY idx_slice_status
    JOIN ing_enumerated_id AS open_id INDEXED BY idx_enumerated_open
        ON open_id.slice_id = slice.id AND open_id.status_code = 'FOUND'
    LEFT JOIN ing_record_set AS record_set
        ON record_set.provenance_code = slice.provenance_code
        AND record_set.endpoint_name = slice.endpoint_name
    LEFT JOIN ing_item AS item
        ON item.record_set_id = record_set.id
        AND item.provider_item_id = open_id.provider_item_id
    WHERE slice.plan_id = :plan_id
      AND slice.status_code IN ('PENDING', 'READY', 'EXECUTING', 'PARTIAL', 'FAILED', 'CANCELLED')
    LIMIT :ids_max)sql";

constexpr std::string_view kFoundBy = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id
    WHERE slice_id = :slice_id AND found_batch_id = :batch_id ORDER BY provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kAnsweredBy = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id
    WHERE slice_id = :slice_id AND fetched_batch_id = :batch_id ORDER BY provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kOfSlice = R"sql(
    SELECT provider_item_id, found_batch_id, fetched_batch_id FROM ing_enumerated_id
    WHERE slice_id = :slice_id ORDER BY provider_item_id LIMIT :ids_max)sql";

// Ids of batches grow.
constexpr std::string_view kOpenBefore = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id
    WHERE slice_id = :slice_id AND provider_item_id >= :first
      AND (fetched_batch_id IS NULL OR fetched_batch_id >= :batch_id)
    ORDER BY provider_item_id LIMIT :ids_max)sql";

std::string_view CloseIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_enumerated_id
    SET status_code = :status_code, fetched_batch_id = :batch_id, attempts = attempts + 1, updated_at = :now
    WHERE slice_id = :slice_id AND provider_item_id IN)sql");
  return kSql;
}

std::string_view BadIn() {
  static const auto kSql = WithList(R"sql(
    SELECT provider_item_id FROM ing_bad_id
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND released_at IS NULL AND provider_item_id IN)sql");
  return kSql;
}

constexpr std::string_view kListBad = R"sql(
    INSERT INTO ing_bad_id (provenance_code, endpoint_name, provider_item_id, reason, batch_id, listed_at)
    VALUES (:provenance_code, :endpoint_name, :provider_item_id, :reason, :batch_id, :now)
    ON CONFLICT (provenance_code, endpoint_name, provider_item_id)
    DO UPDATE SET reason = excluded.reason, batch_id = excluded.batch_id, listed_at = excluded.listed_at,
        released_at = NULL)sql";

std::string_view ReleaseBadIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_bad_id SET released_at = :now
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND released_at IS NULL AND provider_item_id IN)sql");
  return kSql;
}

constexpr std::string_view kListedBad = R"sql(
    SELECT provenance_code, endpoint_name, provider_item_id, reason, batch_id, listed_at
    FROM ing_bad_id INDEXED BY idx_bad_id_open
    WHERE released_at IS NULL AND listed_at < :listed_before
      AND (:source = '' OR provenance_code = :source) AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:reason = '' OR instr(reason, :reason) > 0)
    ORDER BY listed_at DESC LIMIT :ids_max)sql";

}  // namespace

Result<void> Add(Session& session, Id slice, std::span<const Found> found, Id batch, Instant now) {
  return session.RunEach(kAdd, found.size(), [&](std::size_t i, const auto& with) {
    const bool is_closed = !found[i].closed_as.empty();
    return with({{"slice_id", slice},
                 {"provider_item_id", found[i].id},
                 {"batch_id", batch},
                 {"status_code", is_closed ? found[i].closed_as : kOpen},
                 {"fetched_batch_id", is_closed ? Bound(batch) : Bound(std::nullopt)},
                 {"attempts", is_closed},
                 {"now", now}});
  });
}

Result<std::set<std::string>> FoundBefore(Session& session, Id slice,
                                          std::span<const std::string> ids) {
  return TextsAmong(session, FoundIn(), ListOf(ids), {{"slice_id", slice}});
}

Result<void> Forget(Session& session, Id slice) {
  PATRA_TRY(session.Run(kForget, {{"slice_id", slice}}));
  return {};
}

Result<std::vector<std::string>> NextOpen(Session& session, Id slice, int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(kNextOpen, {{"slice_id", slice}, {"ids_max", ids_max}})));
}

Result<std::vector<std::string>> FoundBy(Session& session, Id slice, Id batch, int ids_max) {
  return TextsIn(PATRA_TRY(
      session.Query(kFoundBy, {{"slice_id", slice}, {"batch_id", batch}, {"ids_max", ids_max}})));
}

Result<std::vector<std::string>> AnsweredBy(Session& session, Id slice, Id batch, int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(
      kAnsweredBy, {{"slice_id", slice}, {"batch_id", batch}, {"ids_max", ids_max}})));
}

Result<std::vector<DealtWith>> OfSlice(Session& session, Id slice, int ids_max) {
  std::vector<DealtWith> ids;
  auto rows = PATRA_TRY(session.Query(kOfSlice, {{"slice_id", slice}, {"ids_max", ids_max}}));
  while (PATRA_TRY(rows.Next()))
    ids.push_back({.id = rows.Text("provider_item_id"),
                   .found_by = rows.Integer("found_batch_id"),
                   .answered_by = rows.OptionalInteger("fetched_batch_id")});
  return ids;
}

Result<std::vector<std::string>> OpenBefore(Session& session, Id slice, Id batch,
                                            const std::string& first, int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(
      kOpenBefore,
      {{"slice_id", slice}, {"first", first}, {"batch_id", batch}, {"ids_max", ids_max}})));
}

Result<void> Close(Session& session, Id slice, std::span<const std::string> ids,
                   std::string_view status, Id batch, Instant now) {
  PATRA_TRY(session.RunIn(
      CloseIn(), ListOf(ids),
      {{"status_code", status}, {"batch_id", batch}, {"now", now}, {"slice_id", slice}}));
  return {};
}

Result<std::set<std::string>> BadAmong(Session& session, const domain::Lane& lane,
                                       std::span<const std::string> ids) {
  return TextsAmong(session, BadIn(), ListOf(ids),
                    {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}});
}

Result<void> ListBad(Session& session, const domain::Lane& lane, std::span<const app::BadId> bad,
                     Id batch, Instant now) {
  return session.RunEach(kListBad, bad.size(), [&](std::size_t i, const auto& with) {
    return with({{"provenance_code", lane.provenance},
                 {"endpoint_name", lane.endpoint},
                 {"provider_item_id", bad[i].id},
                 {"reason", bad[i].reason},
                 {"batch_id", batch},
                 {"now", now}});
  });
}

Result<std::int64_t> ReleaseBad(Session& session, const domain::Lane& lane, ValueList ids,
                                Instant now) {
  return session.RunIn(
      ReleaseBadIn(), ids,
      {{"now", now}, {"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}});
}

Result<std::vector<LastLook>> OpenOf(Session& session, Id plan, std::int64_t ids_max) {
  std::vector<LastLook> open;
  auto rows = PATRA_TRY(session.Query(kOpenOf, {{"plan_id", plan}, {"ids_max", ids_max}}));
  while (PATRA_TRY(rows.Next()))
    open.push_back({rows.Text("provider_item_id"), rows.OptionalTime("refreshed_at")});
  return open;
}

Result<std::vector<domain::BadIdEntry>> ListedBad(Session& session,
                                                  const domain::BadIdFilter& filter, int ids_max) {
  std::vector<domain::BadIdEntry> listed;
  auto rows = PATRA_TRY(
      session.Query(kListedBad, {{"listed_before", filter.listed_before.value_or(kInstantMax)},
                                 {"source", filter.provenance},
                                 {"endpoint", filter.endpoint},
                                 {"reason", filter.reason},
                                 {"ids_max", ids_max}}));
  while (PATRA_TRY(rows.Next())) {
    listed.push_back({.provenance = rows.Text("provenance_code"),
                      .endpoint = rows.Text("endpoint_name"),
                      .item_id = rows.Text("provider_item_id"),
                      .reason = rows.Text("reason"),
                      .batch = rows.Integer("batch_id"),
                      .listed_at = rows.Time("listed_at")});
  }
  return listed;
}

}  // namespace patra::infra::sql::enumerated_id_table
