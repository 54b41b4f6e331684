#include <algorithm>
#include <optional>

#include "infra/sql/delete_old.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql::delete_walks {
namespace {

// One of them is looked at after the other, so many in a transaction.
constexpr int kSlicesAtOnce = 100;
constexpr int kSlicesCounted = 10'000;

constexpr std::string_view kNextWithPages =
    "SELECT min(slice_id) AS next_id FROM ing_walk_page WHERE slice_id > :after";
constexpr std::string_view kNextWithIds =
    "SELECT min(slice_id) AS next_id FROM ing_enumerated_id WHERE slice_id > :after";

constexpr std::string_view kSlice = R"sql(
    SELECT slice.status_code IN ('SUCCEEDED', 'CANCELLED') AND slice.updated_at < :before AS is_over,
           EXISTS (SELECT 1 FROM ing_task AS task JOIN ing_task_run AS run ON run.task_id = task.id
                   JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
                   WHERE task.slice_id = slice.id) AS has_batches
    FROM ing_plan_slice AS slice WHERE slice.id = :id LIMIT 1)sql";

constexpr std::string_view kCountPages = R"sql(
    SELECT count(*) FROM (SELECT 1 AS one FROM ing_walk_page WHERE slice_id = :slice_id
                          LIMIT :counted_at_most) AS counted)sql";
constexpr std::string_view kCountIds = R"sql(
    SELECT count(*) FROM (SELECT 1 AS one FROM ing_enumerated_id WHERE slice_id = :slice_id
                          LIMIT :counted_at_most) AS counted)sql";

constexpr std::string_view kPages = R"sql(
    SELECT page_no FROM ing_walk_page WHERE slice_id = :slice_id ORDER BY page_no LIMIT :rows_max)sql";
constexpr std::string_view kIds = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id WHERE slice_id = :slice_id
    ORDER BY provider_item_id LIMIT :rows_max)sql";

std::string_view RemovePagesIn() {
  static const auto kSql =
      WithList("DELETE FROM ing_walk_page WHERE slice_id = :slice_id AND page_no IN");
  return kSql;
}
std::string_view RemoveIdsIn() {
  static const auto kSql =
      WithList("DELETE FROM ing_enumerated_id WHERE slice_id = :slice_id AND provider_item_id IN");
  return kSql;
}

Result<std::optional<Id>> NextSlice(Session& session, Id after) {
  std::optional<Id> next;
  for (const auto sql : {kNextWithPages, kNextWithIds}) {
    auto rows = PATRA_TRY(session.Query(sql, {{"after", after}}));
    if (!PATRA_TRY(rows.Next())) continue;
    const auto found = rows.OptionalInteger(kOnly);
    if (found) next = next ? std::min(*next, *found) : *found;
  }
  return next;
}

// What of it may go. A replay asks for the ids of a batch, which stand with it in the archive.
struct MayGo {
  bool pages = false;
  bool ids = false;
};

Result<MayGo> MayGoOf(Session& session, Id slice, Instant before) {
  auto rows = PATRA_TRY(session.Query(kSlice, {{"before", before}, {"id", slice}}));
  if (!PATRA_TRY(rows.Next())) return MayGo{.pages = true, .ids = true};
  const bool is_over = rows.Integer("is_over") != 0;
  return MayGo{.pages = is_over, .ids = is_over && rows.Integer("has_batches") == 0};
}

Result<std::int64_t> DeleteOf(Session& session, Id slice, const MayGo& may_go,
                              std::int64_t rows_max) {
  std::int64_t gone = 0;
  if (may_go.pages) {
    std::vector<std::int64_t> pages;
    {
      auto rows = PATRA_TRY(session.Query(kPages, {{"slice_id", slice}, {"rows_max", rows_max}}));
      while (PATRA_TRY(rows.Next())) pages.push_back(rows.Integer(kOnly));
    }
    gone += PATRA_TRY(session.RunIn(RemovePagesIn(), ListOf(pages), {{"slice_id", slice}}));
  }
  if (may_go.ids && gone < rows_max) {
    const auto ids = PATRA_TRY(TextsIn(
        PATRA_TRY(session.Query(kIds, {{"slice_id", slice}, {"rows_max", rows_max - gone}}))));
    gone += PATRA_TRY(session.RunIn(RemoveIdsIn(), ListOf(ids), {{"slice_id", slice}}));
  }
  return gone;
}

}  // namespace

Result<std::int64_t> Count(Session& session, Instant before, std::int64_t counted_at_most) {
  std::int64_t counted = 0;
  auto slice = PATRA_TRY(NextSlice(session, 0));
  for (int looked_at = 0; slice && looked_at < kSlicesCounted && counted < counted_at_most;
       ++looked_at) {
    const auto may_go = PATRA_TRY(MayGoOf(session, *slice, before));
    const auto count = [&](std::string_view sql) {
      return session.Integer(
          sql, {{"slice_id", *slice}, {"counted_at_most", counted_at_most - counted}});
    };
    if (may_go.pages) counted += PATRA_TRY(count(kCountPages));
    if (may_go.ids) counted += PATRA_TRY(count(kCountIds));
    slice = PATRA_TRY(NextSlice(session, *slice));
  }
  return counted;
}

Result<app::OldStep> Delete(Session& session, Instant before, Id after, int rows_max) {
  app::OldStep step;
  for (int looked_at = 0; looked_at < kSlicesAtOnce; ++looked_at) {
    const auto slice = PATRA_TRY(NextSlice(session, after));
    if (!slice) return step;
    const auto may_go = PATRA_TRY(MayGoOf(session, *slice, before));
    step.rows += PATRA_TRY(DeleteOf(session, *slice, may_go, rows_max - step.rows));
    if (step.rows >= rows_max) {
      step.next = after;  // of the same slice there may be more
      return step;
    }
    after = *slice;
  }
  step.next = after;
  return step;
}

}  // namespace patra::infra::sql::delete_walks
