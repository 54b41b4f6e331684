#include "infra/sql/listed_item_table.h"

namespace patra::infra::sql::listed_item_table {
namespace {

constexpr std::string_view kNote = R"sql(
    INSERT INTO ing_listed_item (record_set_id, query_hash, provider_item_id, plan_id)
    VALUES (:record_set_id, :query_hash, :provider_item_id, :plan_id)
    ON CONFLICT (record_set_id, query_hash, provider_item_id)
    DO UPDATE SET plan_id = max(plan_id, excluded.plan_id))sql";

constexpr std::string_view kCount = R"sql(
    SELECT coalesce(sum(plan_id >= :plan_id AND provider_item_id <> ''), 0) AS named,
           coalesce(sum(plan_id < :plan_id AND provider_item_id <> ''), 0) AS missing,
           coalesce(sum(plan_id >= :plan_id AND provider_item_id = ''), 0) AS nameless
    FROM ing_listed_item WHERE record_set_id = :record_set_id AND query_hash = :query_hash)sql";

constexpr std::string_view kNoteWhatBatchesBrought = R"sql(
    INSERT INTO ing_listed_item (record_set_id, query_hash, provider_item_id, plan_id)
    SELECT item.record_set_id, :query_hash, item.provider_item_id, batch.plan_id
    FROM ing_item AS item INDEXED BY uk_item
    JOIN ing_task_run_batch AS batch ON batch.id = item.batch_id
    JOIN ing_plan_slice AS slice ON slice.id = batch.slice_id
    WHERE item.record_set_id = :record_set_id AND item.deleted_at IS NULL AND item.merged_into IS NULL
      AND batch.plan_id < :plan_id AND slice.query_hash = :query_hash
    ON CONFLICT (record_set_id, query_hash, provider_item_id) DO NOTHING)sql";

constexpr std::string_view kNoteWhatArchivedBatchesBrought = R"sql(
    INSERT INTO ing_listed_item (record_set_id, query_hash, provider_item_id, plan_id)
    SELECT item.record_set_id, :query_hash, item.provider_item_id, run.plan_id
    FROM ing_item AS item INDEXED BY uk_item
    JOIN ing_archived_batch AS archived ON archived.batch_id = item.batch_id
    JOIN ing_task_run AS run ON run.id = archived.run_id
    JOIN ing_plan_slice AS slice ON slice.id = run.slice_id
    WHERE item.record_set_id = :record_set_id AND item.deleted_at IS NULL AND item.merged_into IS NULL
      AND run.plan_id < :plan_id AND slice.query_hash = :query_hash
    ON CONFLICT (record_set_id, query_hash, provider_item_id) DO NOTHING)sql";

constexpr std::string_view kNamedBefore = R"sql(
    SELECT listed.provider_item_id,
           EXISTS (SELECT 1 FROM ing_listed_item AS other INDEXED BY idx_listed_item_id
                   WHERE other.record_set_id = listed.record_set_id
                     AND other.provider_item_id = listed.provider_item_id
                     AND other.query_hash <> listed.query_hash) AS is_listed_elsewhere
    FROM ing_listed_item AS listed
    WHERE listed.record_set_id = :record_set_id AND listed.query_hash = :query_hash
      AND listed.provider_item_id > :after AND listed.plan_id < :plan_id
    ORDER BY listed.provider_item_id LIMIT :ids_max)sql";

std::string_view ForgetIn() {
  static const auto kSql = WithList(R"sql(
    DELETE FROM ing_listed_item
    WHERE record_set_id = :record_set_id AND query_hash = :query_hash AND provider_item_id IN)sql");
  return kSql;
}

}  // namespace

Result<void> Note(Session& session, const List& list, Id plan, std::span<const std::string> ids) {
  return session.RunEach(kNote, ids.size(), [&](std::size_t i, const auto& with) {
    return with({{"record_set_id", list.record_set},
                 {"query_hash", list.query_hash},
                 {"provider_item_id", ids[i]},
                 {"plan_id", plan}});
  });
}

Result<Walked> Count(Session& session, const List& list, Id plan) {
  auto rows = PATRA_TRY(session.Query(
      kCount,
      {{"record_set_id", list.record_set}, {"query_hash", list.query_hash}, {"plan_id", plan}}));
  if (!PATRA_TRY(rows.Next())) return Walked{};
  return Walked{.named = rows.Integer("named"),
                .missing = rows.Integer("missing"),
                .met_nameless = rows.Integer("nameless") > 0};
}

Result<void> NoteWhatBatchesBrought(Session& session, const List& list, Id plan) {
  for (const auto& sql : {kNoteWhatBatchesBrought, kNoteWhatArchivedBatchesBrought}) {
    PATRA_TRY(session.Run(
        sql,
        {{"record_set_id", list.record_set}, {"query_hash", list.query_hash}, {"plan_id", plan}}));
  }
  return {};
}

Result<std::vector<Missing>> NamedBefore(Session& session, const List& list, Id plan,
                                         const std::string& after, int ids_max) {
  std::vector<Missing> missing;
  auto rows = PATRA_TRY(session.Query(kNamedBefore, {{"record_set_id", list.record_set},
                                                     {"query_hash", list.query_hash},
                                                     {"after", after},
                                                     {"plan_id", plan},
                                                     {"ids_max", ids_max}}));
  while (PATRA_TRY(rows.Next()))
    missing.push_back({rows.Text("provider_item_id"), rows.Integer("is_listed_elsewhere") != 0});
  return missing;
}

Result<void> Forget(Session& session, const List& list, std::span<const std::string> ids) {
  PATRA_TRY(session.RunIn(ForgetIn(), ListOf(ids),
                          {{"record_set_id", list.record_set}, {"query_hash", list.query_hash}}));
  return {};
}

}  // namespace patra::infra::sql::listed_item_table
