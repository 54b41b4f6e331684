#include "infra/sql/archivable_rows.h"

#include <fmt/format.h>

namespace patra::infra::sql {
namespace {

// A batch may go, with its page, once nobody works at its plan any more and all of that is cut. Of a task that did not succeed
// the last committed batch stays, because whoever takes the task up again goes on behind it; and so does what somebody has
// still to decide about.
constexpr std::string_view kBatchMayGo = R"sql(
    (batch.status_code NOT IN ('PLANNED', 'RUNNING')
     AND EXISTS (SELECT 1 FROM ing_task AS task JOIN ing_plan AS plan ON plan.id = task.plan_id
                 WHERE task.id = batch.task_id
                   AND (plan.status_code IN ('COMPLETED', 'FAILED', 'CANCELLED')
                        OR (plan.status_code IN ('READY', 'PARTIAL') AND plan.sliced_to >= plan.window_to))
                   AND NOT EXISTS (SELECT 1 FROM ing_task AS other INDEXED BY idx_task_plan
                                   WHERE other.plan_id = plan.id
                                     AND other.status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING'))
                   AND (task.status_code IN ('SUCCEEDED', 'CANCELLED')
                        OR batch.status_code NOT IN ('SUCCEEDED', 'SKIPPED')
                        OR EXISTS (SELECT 1 FROM ing_task_run_batch AS following INDEXED BY uk_run_batch_no
                                   WHERE following.run_id = batch.run_id AND following.batch_no > batch.batch_no
                                     AND following.status_code IN ('SUCCEEDED', 'SKIPPED'))
                        OR EXISTS (SELECT 1 FROM ing_task_run AS run
                                   JOIN ing_task_run AS later INDEXED BY uk_run_attempt
                                       ON later.task_id = run.task_id AND later.attempt_no > run.attempt_no
                                   JOIN ing_task_run_batch AS following INDEXED BY uk_run_batch_no
                                       ON following.run_id = later.id
                                   WHERE run.id = batch.run_id AND following.status_code IN ('SUCCEEDED', 'SKIPPED'))))
     AND NOT EXISTS (SELECT 1 FROM ing_quarantine AS bad INDEXED BY uk_quarantine_record
                     WHERE bad.batch_id = batch.id AND bad.status_code = 'OPEN')))sql";

constexpr std::string_view kPageIsGone =
    " AND NOT EXISTS (SELECT 1 FROM ing_raw_page AS page WHERE page.batch_id = batch.id)";

// Whoever settles a cursor looks at its newest hundred events (cursor_event_table.cc). A namespace of one activity ends with
// that.
constexpr std::string_view kEventMayGo = R"sql(
    (CASE WHEN event.namespace_scope_code = 'CUSTOM' THEN
         (SELECT newer.created_at FROM ing_cursor_event AS newer INDEXED BY idx_cur_evt_timeline
          WHERE newer.provenance_code = event.provenance_code AND newer.endpoint_name = event.endpoint_name
            AND newer.operation_code = event.operation_code
            AND newer.namespace_scope_code = event.namespace_scope_code
            AND newer.namespace_key = event.namespace_key AND newer.cursor_key = event.cursor_key
          ORDER BY newer.created_at DESC LIMIT 1)
     ELSE
         (SELECT newer.created_at FROM ing_cursor_event AS newer INDEXED BY idx_cur_evt_timeline
          WHERE newer.provenance_code = event.provenance_code AND newer.endpoint_name = event.endpoint_name
            AND newer.operation_code = event.operation_code
            AND newer.namespace_scope_code = event.namespace_scope_code
            AND newer.namespace_key = event.namespace_key AND newer.cursor_key = event.cursor_key
          ORDER BY newer.created_at DESC LIMIT 1 OFFSET 99)
     END > event.created_at))sql";

constexpr std::string_view kSelectBatch = R"sql(
    SELECT batch.id, batch.provenance_code, batch.created_at AS at,
        500 + coalesce(batch.page_size, 0) * 24 + length(batch.stats) + length(coalesce(batch.request_digest, ''))
            + length(coalesce(batch.response_digest, '')) AS bytes, 0 AS stored,)sql";
constexpr std::string_view kSelectPage = R"sql(
    SELECT page.batch_id AS id, batch.provenance_code, page.fetched_at AS at,
        300 + page.stored_bytes * 4 / 3 AS bytes, page.stored_bytes AS stored,)sql";
constexpr std::string_view kSelectEvent = R"sql(
    SELECT event.id, event.provenance_code, event.created_at AS at, 900 AS bytes, 0 AS stored,)sql";

struct KindOfRows {
  std::string_view select;
  std::string_view table;
  std::string_view index;  // by time
  std::string_view join;
  std::string_view at;
  std::string_view id;
  std::string may_go;

  // As many as are looked at, with whether each may go: so that a question costs the same, whatever the answer.
  std::string Look() const {
    return fmt::format(
        "{} {} AS may_go FROM {} INDEXED BY {}{} WHERE {at} < :before AND {at} >= :after_at "
        "AND ({at} > :after_at OR {id} > :after_id) ORDER BY {at}, {id} LIMIT :rows_max",
        select, may_go, table, index, join, fmt::arg("at", at), fmt::arg("id", id));
  }
  std::string AmongThese() const {
    return WithList(
        fmt::format("SELECT {0} AS id FROM {1}{2} WHERE {3} AND {0} IN", id, table, join, may_go));
  }
};

struct KindStatements {
  explicit KindStatements(const KindOfRows& kind)
      : look(kind.Look()), among_these(kind.AmongThese()) {}

  std::string look;
  std::string among_these;
};

const KindStatements& StatementsFor(app::ArchivedKind kind) {
  static const KindStatements kPages(
      {.select = kSelectPage,
       .table = "ing_raw_page AS page",
       .index = "idx_raw_page_bytes",
       .join = " JOIN ing_task_run_batch AS batch ON batch.id = page.batch_id",
       .at = "page.fetched_at",
       .id = "page.batch_id",
       .may_go = std::string(kBatchMayGo)});
  static const KindStatements kOfBatches(
      {.select = kSelectBatch,
       .table = "ing_task_run_batch AS batch",
       .index = "idx_batch_time",
       .join = "",
       .at = "batch.created_at",
       .id = "batch.id",
       .may_go = fmt::format("({}{})", kBatchMayGo, kPageIsGone)});
  static const KindStatements kEvents({.select = kSelectEvent,
                                       .table = "ing_cursor_event AS event",
                                       .index = "idx_cur_evt_time",
                                       .join = "",
                                       .at = "event.created_at",
                                       .id = "event.id",
                                       .may_go = std::string(kEventMayGo)});
  switch (kind) {
    case app::ArchivedKind::kRawPages:
      return kPages;
    case app::ArchivedKind::kBatches:
      return kOfBatches;
    case app::ArchivedKind::kCursorEvents:
      break;
  }
  return kEvents;
}

}  // namespace

Result<app::ArchiveLook> LookForOldRows(Session& session, app::ArchivedKind kind, Instant before,
                                        const app::ArchivePlace& after, int rows_max) {
  app::ArchiveLook look;
  std::int64_t seen = 0;
  app::ArchivePlace last = after;
  auto rows = PATRA_TRY(session.Query(StatementsFor(kind).look, {{"before", before},
                                                                 {"after_at", after.at},
                                                                 {"after_id", after.id},
                                                                 {"rows_max", rows_max}}));
  while (PATRA_TRY(rows.Next())) {
    ++seen;
    last = {rows.Time("at"), rows.Integer("id")};
    if (rows.Integer("may_go") == 0) {
      ++look.needed;
      continue;
    }
    look.found.push_back({.id = last.id,
                          .source = rows.Text("provenance_code"),
                          .at = last.at,
                          .bytes = rows.Integer("bytes"),
                          .stored = rows.Integer("stored")});
  }
  if (seen == rows_max) look.next = last;
  return look;
}

Result<std::vector<Id>> StillMayGo(Session& session, app::ArchivedKind kind,
                                   std::span<const Id> ids) {
  std::vector<Id> found;
  PATRA_TRY(session.QueryIn(StatementsFor(kind).among_these, ListOf(ids), {},
                            [&](const Rows& rows) -> Result<void> {
                              found.push_back(rows.Integer("id"));
                              return {};
                            }));
  return found;
}

}  // namespace patra::infra::sql
