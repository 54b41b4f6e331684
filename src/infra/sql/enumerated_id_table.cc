#include "infra/sql/enumerated_id_table.h"

#include "infra/sql/texts_in.h"

namespace patra::infra::sql::enumerated_id_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_enumerated_id (slice_id, provider_item_id, found_batch_id, updated_at)
    VALUES (:slice_id, :provider_item_id, :batch_id, :now)
    ON CONFLICT (slice_id, provider_item_id) DO NOTHING)sql";

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

// Ids of batches grow.
constexpr std::string_view kOpenBefore = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id
    WHERE slice_id = :slice_id AND provider_item_id >= :first
      AND (fetched_batch_id IS NULL OR fetched_batch_id >= :batch_id)
    ORDER BY provider_item_id LIMIT :ids_max)sql";

constexpr std::string_view kClose = R"sql(
    UPDATE ing_enumerated_id
    SET status_code = :status_code, fetched_batch_id = :batch_id, attempts = attempts + 1, updated_at = :now
    WHERE slice_id = :slice_id AND provider_item_id = :provider_item_id)sql";

constexpr std::string_view kIsBad = R"sql(
    SELECT count(*) FROM ing_bad_id
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND released_at IS NULL)sql";

constexpr std::string_view kListBad = R"sql(
    INSERT INTO ing_bad_id (provenance_code, endpoint_name, provider_item_id, reason, batch_id, listed_at)
    VALUES (:provenance_code, :endpoint_name, :provider_item_id, :reason, :batch_id, :now)
    ON CONFLICT (provenance_code, endpoint_name, provider_item_id)
    DO UPDATE SET reason = excluded.reason, batch_id = excluded.batch_id, listed_at = excluded.listed_at,
        released_at = NULL)sql";

constexpr std::string_view kReleaseBad = R"sql(
    UPDATE ing_bad_id SET released_at = :now
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND released_at IS NULL)sql";

}  // namespace

Result<bool> Add(Session& session, Id slice, const std::string& id, Id batch, Instant now) {
  return PATRA_TRY(session.Run(
             kAdd,
             {{"slice_id", slice}, {"provider_item_id", id}, {"batch_id", batch}, {"now", now}})) ==
         1;
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

Result<std::vector<std::string>> OpenBefore(Session& session, Id slice, Id batch,
                                            const std::string& first, int ids_max) {
  return TextsIn(PATRA_TRY(session.Query(
      kOpenBefore,
      {{"slice_id", slice}, {"first", first}, {"batch_id", batch}, {"ids_max", ids_max}})));
}

Result<void> Close(Session& session, Id slice, const std::string& id, std::string_view status,
                   Id batch, Instant now) {
  PATRA_TRY(session.Run(kClose, {{"status_code", status},
                                 {"batch_id", batch},
                                 {"now", now},
                                 {"slice_id", slice},
                                 {"provider_item_id", id}}));
  return {};
}

Result<bool> IsBad(Session& session, const domain::Lane& lane, const std::string& id) {
  return PATRA_TRY(session.Integer(kIsBad, {{"provenance_code", lane.provenance},
                                            {"endpoint_name", lane.endpoint},
                                            {"provider_item_id", id}})) > 0;
}

Result<void> ListBad(Session& session, const domain::Lane& lane, const std::string& id,
                     const std::string& reason, Id batch, Instant now) {
  PATRA_TRY(session.Run(kListBad, {{"provenance_code", lane.provenance},
                                   {"endpoint_name", lane.endpoint},
                                   {"provider_item_id", id},
                                   {"reason", reason},
                                   {"batch_id", batch},
                                   {"now", now}}));
  return {};
}

Result<bool> ReleaseBad(Session& session, const domain::Lane& lane, const std::string& id,
                        Instant now) {
  return PATRA_TRY(session.Run(kReleaseBad, {{"now", now},
                                             {"provenance_code", lane.provenance},
                                             {"endpoint_name", lane.endpoint},
                                             {"provider_item_id", id}})) == 1;
}

Result<std::vector<LastLook>> OpenOf(Session& session, Id plan, std::int64_t ids_max) {
  std::vector<LastLook> open;
  auto rows = PATRA_TRY(session.Query(kOpenOf, {{"plan_id", plan}, {"ids_max", ids_max}}));
  while (PATRA_TRY(rows.Next()))
    open.push_back({rows.Text("provider_item_id"), rows.OptionalTime("refreshed_at")});
  return open;
}

}  // namespace patra::infra::sql::enumerated_id_table
