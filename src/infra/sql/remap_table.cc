#include "infra/sql/remap_table.h"

#include <algorithm>

namespace patra::infra::sql::remap_table {
namespace {

constexpr std::string_view kFindOpen = R"sql(
    SELECT id, generation, at_run, at_batch_no, pages, pages_lost, records, inserted, updated, unchanged, left_alone,
           bad
    FROM ing_remap
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND mapping_hash = :mapping_hash AND coalesce(since, 0) = coalesce(:since, 0) AND finished_at IS NULL
    ORDER BY id DESC LIMIT 1)sql";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_remap (id, provenance_code, endpoint_name, mapping_hash, generation, since, created_at, updated_at)
    VALUES (:id, :provenance_code, :endpoint_name, :mapping_hash, :generation, :since, :now, :now))sql";

// Of two who are at the same one, whoever is behind takes nothing back.
constexpr std::string_view kNote = R"sql(
    UPDATE ing_remap
    SET at_run = :at_run, at_batch_no = :at_batch_no, pages = :pages, pages_lost = :pages_lost, records = :records,
        inserted = :inserted, updated = :updated, unchanged = :unchanged, left_alone = :left_alone, bad = :bad,
        updated_at = :now
    WHERE id = :id AND (at_run < :at_run OR (at_run = :at_run AND at_batch_no <= :at_batch_no)))sql";

constexpr std::string_view kFinish =
    "UPDATE ing_remap SET finished_at = :now, updated_at = :now WHERE id = :id AND finished_at IS "
    "NULL";

// Batches are found through their runs, which have an index by endpoint.
constexpr std::string_view kRuns = R"sql(
    SELECT id FROM ing_task_run
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND id >= :from_run
      AND is_replay = 0
    ORDER BY id LIMIT 200)sql";

constexpr std::string_view kPages = R"sql(
    SELECT batch.id, batch.batch_no,
           page.batch_id IS NOT NULL OR archived.page_file_id IS NOT NULL AS is_kept
    FROM ing_task_run_batch AS batch
    LEFT JOIN ing_raw_page AS page ON page.batch_id = batch.id
    LEFT JOIN ing_archived_batch AS archived ON archived.batch_id = batch.id
    WHERE batch.run_id = :run_id AND batch.batch_no > :after_no AND batch.status_code = 'SUCCEEDED'
      AND batch.record_count > 0 AND (:since IS NULL OR batch.created_at >= :since)
    ORDER BY batch.batch_no LIMIT :pages_max)sql";

// What each of them brought, its file tells.
constexpr std::string_view kArchivedPages = R"sql(
    SELECT batch_id AS id, batch_no, page_file_id IS NOT NULL AS is_kept FROM ing_archived_batch
    WHERE run_id = :run_id AND batch_no > :after_no AND file_id IS NOT NULL
      AND (:since IS NULL OR EXISTS (SELECT 1 FROM ing_task_run AS run
                                     WHERE run.id = :run_id
                                       AND coalesce(run.finished_at, run.created_at) >= :since))
    ORDER BY batch_no LIMIT :pages_max)sql";

// Of one run, in order.
Result<void> AddPages(Session& session, const app::RemapPlace& after, std::optional<Instant> since,
                      int pages_max, std::vector<app::VaultPage>& pages) {
  const auto begin = std::ssize(pages);
  for (const bool is_archived : {false, true}) {
    auto rows = PATRA_TRY(
        session.Query(is_archived ? kArchivedPages : kPages, {{"run_id", after.run},
                                                              {"after_no", after.batch_no},
                                                              {"since", since},
                                                              {"pages_max", pages_max}}));
    while (PATRA_TRY(rows.Next())) {
      pages.push_back({.run = after.run,
                       .batch = rows.Integer("id"),
                       .batch_no = rows.Integer("batch_no"),
                       .is_kept = rows.Integer("is_kept") != 0,
                       .is_archived = is_archived});
    }
  }
  std::ranges::sort(pages.begin() + begin, pages.end(), {}, &app::VaultPage::batch_no);
  if (std::ssize(pages) > begin + pages_max)
    pages.resize(static_cast<std::size_t>(begin + pages_max));
  return {};
}

}  // namespace

Result<std::optional<app::Remap>> FindOpen(Session& session, const app::RemapWish& wish) {
  auto rows = PATRA_TRY(session.Query(kFindOpen, {{"provenance_code", wish.lane.provenance},
                                                  {"endpoint_name", wish.lane.endpoint},
                                                  {"mapping_hash", wish.mapping_hash},
                                                  {"since", wish.since}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return app::Remap{.id = rows.Integer("id"),
                    .lane = wish.lane,
                    .mapping_hash = wish.mapping_hash,
                    .generation = rows.Integer("generation"),
                    .since = wish.since,
                    .at = {.run = rows.Integer("at_run"), .batch_no = rows.Integer("at_batch_no")},
                    .sums = {.pages = rows.Integer("pages"),
                             .pages_lost = rows.Integer("pages_lost"),
                             .records = rows.Integer("records"),
                             .inserted = rows.Integer("inserted"),
                             .updated = rows.Integer("updated"),
                             .unchanged = rows.Integer("unchanged"),
                             .left_alone = rows.Integer("left_alone"),
                             .bad = rows.Integer("bad")},
                    .is_taken_up = true};
}

Result<void> Insert(Session& session, const app::Remap& remap, Instant now) {
  PATRA_TRY(session.Run(kInsert, {{"id", remap.id},
                                  {"provenance_code", remap.lane.provenance},
                                  {"endpoint_name", remap.lane.endpoint},
                                  {"mapping_hash", remap.mapping_hash},
                                  {"generation", remap.generation},
                                  {"since", remap.since},
                                  {"now", now}}));
  return {};
}

Result<void> Note(Session& session, const app::Remap& remap, Instant now) {
  const auto& sums = remap.sums;
  PATRA_TRY(session.Run(kNote, {{"at_run", remap.at.run},
                                {"at_batch_no", remap.at.batch_no},
                                {"pages", sums.pages},
                                {"pages_lost", sums.pages_lost},
                                {"records", sums.records},
                                {"inserted", sums.inserted},
                                {"updated", sums.updated},
                                {"unchanged", sums.unchanged},
                                {"left_alone", sums.left_alone},
                                {"bad", sums.bad},
                                {"now", now},
                                {"id", remap.id}}));
  return {};
}

Result<void> Finish(Session& session, const app::Remap& remap, Instant now) {
  PATRA_TRY(session.Run(kFinish, {{"now", now}, {"id", remap.id}}));
  return {};
}

Result<std::vector<app::VaultPage>> Pages(Session& session, const domain::Lane& lane,
                                          std::optional<Instant> since,
                                          const app::RemapPlace& after, int pages_max) {
  std::vector<app::VaultPage> pages;
  auto from = after;
  while (true) {
    std::vector<Id> runs;
    auto found = PATRA_TRY(session.Query(kRuns, {{"provenance_code", lane.provenance},
                                                 {"endpoint_name", lane.endpoint},
                                                 {"from_run", from.run}}));
    while (PATRA_TRY(found.Next())) runs.push_back(found.Integer(kOnly));
    for (const auto run : runs) {
      const auto rest = pages_max - static_cast<int>(pages.size());
      if (rest == 0) return pages;
      const app::RemapPlace behind{run, run == from.run ? from.batch_no : 0};
      PATRA_TRY(AddPages(session, behind, since, rest, pages));
    }
    if (runs.empty()) return pages;
    from = {.run = runs.back() + 1};
  }
}

}  // namespace patra::infra::sql::remap_table
