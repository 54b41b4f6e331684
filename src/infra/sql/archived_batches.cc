#include "infra/sql/archived_batches.h"

#include "base/value.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/raw_page_table.h"

namespace patra::infra::sql::archived_batches {
namespace {

constexpr std::int64_t kBatchesOfRunMax = 1'000'000;
// A request waits for its answer for minutes at most; ids and clocks of machines differ by as much.
constexpr Duration kUnderWayMost = std::chrono::days(1);

constexpr std::string_view kNumbered = R"sql(
    SELECT id FROM ing_task_run_batch WHERE run_id = :run_id AND batch_no = :batch_no LIMIT 1)sql";

constexpr std::string_view kRunsBefore = R"sql(
    SELECT id FROM ing_task_run
    WHERE task_id = :task_id AND attempt_no < (SELECT attempt_no FROM ing_task_run WHERE id = :run_id)
    ORDER BY attempt_no DESC LIMIT 1000)sql";

constexpr std::string_view kRow = R"sql(
    SELECT batch_no, record_count, after_token FROM ing_task_run_batch WHERE id = :id LIMIT 1)sql";

// How large the page was, as the batch itself noted it.
std::optional<std::int64_t> BytesIn(std::string_view stats) {
  const auto value = ParseJson(stats);
  const auto* http = value ? value->Find("http") : nullptr;
  const auto* bytes = http == nullptr ? nullptr : http->Find("bytes");
  const auto* number = bytes == nullptr ? nullptr : bytes->AsInteger();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

// What the batches of a run say about one another.
struct Link {
  std::int64_t records = 0;
  std::optional<app::Position> after;
};

Result<Link> LinkIn(const Rows& rows) {
  return Link{.records = rows.Integer("record_count"),
              .after = PATRA_TRY(batch_table::AfterIn(rows))};
}

Result<Link> LinkOf(Session& session, ArchivedRows& archived, Id batch) {
  {
    auto rows = PATRA_TRY(session.Query(kRow, {{"id", batch}}));
    if (PATRA_TRY(rows.Next())) return LinkIn(rows);
  }
  const auto row = PATRA_TRY(archived.Batch(session, batch));
  if (!row) return Link{};
  Rows rows(*row);
  PATRA_TRY(rows.Next());
  return LinkIn(rows);
}

// The batch before this one in its run, or the last one that led on in the runs before.
Result<std::optional<app::Position>> FindLedHere(Session& session, ArchivedRows& archived,
                                                 const batch_table::RecordedRow& row) {
  const auto number = row.recorded.batch_no;
  if (number > 1) {
    std::optional<Id> before;
    {
      auto rows =
          PATRA_TRY(session.Query(kNumbered, {{"run_id", row.run}, {"batch_no", number - 1}}));
      if (PATRA_TRY(rows.Next())) before = rows.Integer("id");
    }
    if (!before) {
      const auto notes = PATRA_TRY(archive_table::BatchesOf(session, row.run, number, 1));
      if (!notes.empty() && notes.front().number == number - 1) before = notes.front().batch;
    }
    if (!before) return std::nullopt;
    return PATRA_TRY(LinkOf(session, archived, *before)).after;
  }
  std::vector<Id> runs;
  {
    auto rows = PATRA_TRY(
        session.Query(kRunsBefore, {{"task_id", row.recorded.task}, {"run_id", row.run}}));
    while (PATRA_TRY(rows.Next())) runs.push_back(rows.Integer(kOnly));
  }
  for (const auto run : runs) {
    for (const auto batch : PATRA_TRY(batch_view::Ids(session, {.run = run, .rows_max = 2}))) {
      if (auto after = PATRA_TRY(LinkOf(session, archived, batch)).after) return after;
    }
  }
  return std::nullopt;
}

Result<std::int64_t> CountRecordsBefore(Session& session, ArchivedRows& archived, Id run,
                                        int number) {
  auto records = PATRA_TRY(batch_table::RecordsBefore(session, run, number));
  for (const auto& note :
       PATRA_TRY(archive_table::BatchesOf(session, run, number, kBatchesOfRunMax)))
    records += PATRA_TRY(LinkOf(session, archived, note.batch)).records;
  return records;
}

// Its row, wherever it is.
Result<std::optional<batch_table::RecordedRow>> FindRow(Session& session, ArchivedRows& archived,
                                                        Id run, Id batch) {
  if (auto row = PATRA_TRY(batch_table::FindRecorded(session, run, batch))) return row;
  const auto found = PATRA_TRY(archived.Batch(session, batch));
  if (!found) return std::nullopt;
  Rows rows(*found);
  PATRA_TRY(rows.Next());
  auto row = PATRA_TRY(batch_table::RecordedIn(rows));
  if (row.run != run) return std::nullopt;
  return row;
}

}  // namespace

Result<std::optional<contract::BatchRow>> Read(Session& session, ArchivedRows& archived, Id batch) {
  if (auto row = PATRA_TRY(batch_view::Read(session, batch))) {
    const auto note =
        row->raw_bytes ? std::nullopt : PATRA_TRY(archive_table::FindBatch(session, batch));
    if (note && note->page_file != 0) row->raw_bytes = BytesIn(row->stats);
    return row;
  }
  const auto found = PATRA_TRY(archived.Batch(session, batch));
  if (!found) return std::nullopt;
  Rows rows(*found);
  PATRA_TRY(rows.Next());
  auto row = batch_view::RowIn(rows);
  const auto note = PATRA_TRY(archive_table::FindBatch(session, batch));
  if (note && note->page_file != 0) row.raw_bytes = BytesIn(row.stats);
  return row;
}

Result<std::vector<contract::BatchRow>> List(Session& session, ArchivedRows& archived,
                                             const contract::LedgerFilter& filter) {
  std::vector<contract::BatchRow> found;
  for (const auto id : PATRA_TRY(batch_view::Ids(session, filter))) {
    if (std::ssize(found) == filter.rows_max) break;
    auto row = PATRA_TRY(Read(session, archived, id));
    if (row && (filter.status.empty() || row->status == filter.status))
      found.push_back(*std::move(row));
  }
  return found;
}

Result<std::optional<batch_table::Recorded>> FindRecorded(Session& session, ArchivedRows& archived,
                                                          Id run, Id batch) {
  auto row = PATRA_TRY(FindRow(session, archived, run, batch));
  if (!row) return std::nullopt;
  PATRA_TRY(batch_table::Place(session, *row, PATRA_TRY(FindLedHere(session, archived, *row))));
  row->recorded.records_before =
      PATRA_TRY(CountRecordsBefore(session, archived, run, row->recorded.batch_no));
  return std::move(row->recorded);
}

Result<app::RawPage> ReadPage(Session& session, ArchivedRows& archived, Id batch) {
  auto page = raw_page_table::Read(session, batch);
  if (page || page.error().code != ErrorCode::kNotFound) return page;
  if (auto kept = PATRA_TRY(archived.Page(session, batch))) return *std::move(kept);
  return page;
}

Result<std::optional<Id>> CommittedAt(Session& session, ArchivedRows& archived,
                                      const std::string& source, const std::string& endpoint,
                                      Instant at) {
  std::optional<Id> found;
  PATRA_TRY(archived.Each(session, app::ArchivedKind::kBatches, source, at - kUnderWayMost,
                          at + Duration(1), [&](const Rows& rows) -> Result<bool> {
                            if (rows.OptionalTime("committed_at") == at &&
                                rows.View("endpoint_name") == endpoint)
                              found = rows.Integer("id");
                            return true;
                          }));
  return found;
}

}  // namespace patra::infra::sql::archived_batches
