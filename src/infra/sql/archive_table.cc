#include "infra/sql/archive_table.h"

#include <fmt/format.h>

namespace patra::infra::sql::archive_table {
namespace {

using app::ArchivedKind;
using app::ArchiveFile;

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_archive_index
        (id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
         state_code, created_at)
    VALUES (:id, :table_name, :provenance_code, :first_id, :last_id, :first_at, :last_at, :rows, :bytes, :location,
            :sha256, :state_code, :now))sql";

constexpr std::string_view kConfirm = R"sql(
    UPDATE ing_archive_index
    SET first_id = :first_id, last_id = :last_id, first_at = :first_at, last_at = :last_at, "rows" = :rows,
        bytes = :bytes, sha256 = :sha256, state_code = :state_code
    WHERE id = :id)sql";

constexpr std::string_view kSetState =
    "UPDATE ing_archive_index SET state_code = :state_code WHERE id = :id";

constexpr std::string_view kDelete = "DELETE FROM ing_archive_index WHERE id = :id";

constexpr std::string_view kFind = R"sql(
    SELECT id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
           state_code
    FROM ing_archive_index WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kUnfinished = R"sql(
    SELECT id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
           state_code
    FROM ing_archive_index WHERE state_code IN ('WRITING', 'WRITTEN') LIMIT 1000)sql";

constexpr std::string_view kList = R"sql(
    SELECT id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
           state_code
    FROM ing_archive_index WHERE id > :after ORDER BY id LIMIT :files_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
           state_code
    FROM ing_archive_index INDEXED BY idx_archive_source WHERE provenance_code = :provenance_code
    LIMIT :files_max)sql";

constexpr std::string_view kBetween = R"sql(
    SELECT id, table_name, provenance_code, first_id, last_id, first_at, last_at, "rows", bytes, location, sha256,
           state_code
    FROM ing_archive_index
    WHERE provenance_code = :provenance_code AND table_name = :table_name AND last_at >= :from AND first_at < :to
      AND state_code <> 'WRITING'
    ORDER BY last_at DESC LIMIT :files_max)sql";

constexpr std::string_view kFindBatch = R"sql(
    SELECT batch_id, run_id, batch_no, file_id, page_file_id, page_gone_at FROM ing_archived_batch
    WHERE batch_id = :batch_id LIMIT 1)sql";

constexpr std::string_view kBatchesOf = R"sql(
    SELECT batch_id, run_id, batch_no, file_id, page_file_id, page_gone_at FROM ing_archived_batch
    WHERE run_id = :run_id AND batch_no < :below_no AND file_id IS NOT NULL
    ORDER BY batch_no DESC LIMIT :rows_max)sql";

std::string_view NumbersIn() {
  static const auto kSql =
      WithList("SELECT id, run_id, batch_no FROM ing_task_run_batch NOT INDEXED WHERE id IN");
  return kSql;
}

constexpr std::string_view kNoteBatch = R"sql(
    INSERT INTO ing_archived_batch (batch_id, run_id, batch_no, file_id)
    VALUES (:batch_id, :run_id, :batch_no, :file_id)
    ON CONFLICT (batch_id) DO UPDATE SET file_id = excluded.file_id)sql";

constexpr std::string_view kNotePage = R"sql(
    INSERT INTO ing_archived_batch (batch_id, run_id, batch_no, page_file_id)
    VALUES (:batch_id, :run_id, :batch_no, :page_file_id)
    ON CONFLICT (batch_id) DO UPDATE SET page_file_id = excluded.page_file_id)sql";

constexpr std::string_view kNoteGonePage = R"sql(
    INSERT INTO ing_archived_batch (batch_id, run_id, batch_no, page_gone_at)
    VALUES (:batch_id, :run_id, :batch_no, :now)
    ON CONFLICT (batch_id) DO UPDATE SET page_gone_at = excluded.page_gone_at)sql";

Result<ArchiveFile> FileIn(const Rows& rows) {
  const auto table = rows.View("table_name");
  const auto state = domain::FindCode<app::ArchiveState>(rows.View("state_code"));
  std::optional<ArchivedKind> kind;
  for (const auto known :
       {ArchivedKind::kRawPages, ArchivedKind::kBatches, ArchivedKind::kCursorEvents}) {
    if (TableOf(known) == table) kind = known;
  }
  if (!kind || !state) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("file {} of the archive is of '{}' and '{}', which nobody knows",
                            rows.Integer("id"), table, rows.View("state_code")));
  }
  return ArchiveFile{.id = rows.Integer("id"),
                     .kind = *kind,
                     .source = rows.Text("provenance_code"),
                     .location = rows.Text("location"),
                     .state = *state,
                     .first = rows.Integer("first_id"),
                     .last = rows.Integer("last_id"),
                     .first_at = rows.Time("first_at"),
                     .last_at = rows.Time("last_at"),
                     .rows = rows.Integer("rows"),
                     .bytes = rows.Integer("bytes"),
                     .sha256 = rows.Text("sha256")};
}

Result<std::vector<ArchiveFile>> FilesIn(Result<Rows> query) {
  auto rows = PATRA_TRY(std::move(query));
  std::vector<ArchiveFile> files;
  while (PATRA_TRY(rows.Next())) files.push_back(PATRA_TRY(FileIn(rows)));
  return files;
}

Note NoteIn(const Rows& rows) {
  return {.batch = rows.Integer("batch_id"),
          .run = rows.Integer("run_id"),
          .number = rows.Integer("batch_no"),
          .file = rows.OptionalInteger("file_id").value_or(0),
          .page_file = rows.OptionalInteger("page_file_id").value_or(0),
          .page_gone_at = rows.OptionalTime("page_gone_at")};
}

// With run and number, by which a batch is called.
Result<std::vector<Note>> NumbersOf(Session& session, std::span<const Id> batches) {
  std::vector<Note> notes;
  PATRA_TRY(
      session.QueryIn(NumbersIn(), ListOf(batches), {}, [&](const Rows& rows) -> Result<void> {
        notes.push_back({.batch = rows.Integer("id"),
                         .run = rows.Integer("run_id"),
                         .number = rows.Integer("batch_no")});
        return {};
      }));
  return notes;
}

Result<void> NoteThat(Session& session, std::string_view sql, std::span<const Id> batches,
                      const Parameter& what) {
  const auto notes = PATRA_TRY(NumbersOf(session, batches));
  return session.RunEach(sql, notes.size(), [&](std::size_t i, const auto& with) {
    return with({{"batch_id", notes[i].batch},
                 {"run_id", notes[i].run},
                 {"batch_no", notes[i].number},
                 what});
  });
}

}  // namespace

std::string_view TableOf(ArchivedKind kind) {
  switch (kind) {
    case ArchivedKind::kRawPages:
      return "ing_raw_page";
    case ArchivedKind::kBatches:
      return "ing_task_run_batch";
    case ArchivedKind::kCursorEvents:
      break;
  }
  return "ing_cursor_event";
}

Result<void> Insert(Session& session, const ArchiveFile& file, Instant now) {
  PATRA_TRY(session.Run(kInsert, {{"id", file.id},
                                  {"table_name", TableOf(file.kind)},
                                  {"provenance_code", file.source},
                                  {"first_id", file.first},
                                  {"last_id", file.last},
                                  {"first_at", file.first_at},
                                  {"last_at", file.last_at},
                                  {"rows", file.rows},
                                  {"bytes", file.bytes},
                                  {"location", file.location},
                                  {"sha256", file.sha256},
                                  {"state_code", domain::CodeOf(file.state)},
                                  {"now", now}}));
  return {};
}

Result<void> Confirm(Session& session, const ArchiveFile& file) {
  PATRA_TRY(session.Run(kConfirm, {{"first_id", file.first},
                                   {"last_id", file.last},
                                   {"first_at", file.first_at},
                                   {"last_at", file.last_at},
                                   {"rows", file.rows},
                                   {"bytes", file.bytes},
                                   {"sha256", file.sha256},
                                   {"state_code", domain::CodeOf(app::ArchiveState::kWritten)},
                                   {"id", file.id}}));
  return {};
}

Result<void> SetState(Session& session, Id file, app::ArchiveState state) {
  PATRA_TRY(session.Run(kSetState, {{"state_code", domain::CodeOf(state)}, {"id", file}}));
  return {};
}

Result<void> Delete(Session& session, Id file) {
  PATRA_TRY(session.Run(kDelete, {{"id", file}}));
  return {};
}

Result<std::optional<ArchiveFile>> Find(Session& session, Id file) {
  auto found = PATRA_TRY(FilesIn(session.Query(kFind, {{"id", file}})));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Result<std::vector<ArchiveFile>> Unfinished(Session& session) {
  return FilesIn(session.Query(kUnfinished));
}

Result<std::vector<ArchiveFile>> List(Session& session, Id after, int files_max) {
  return FilesIn(session.Query(kList, {{"after", after}, {"files_max", files_max}}));
}

Result<std::vector<ArchiveFile>> OfSource(Session& session, const std::string& source,
                                          int files_max) {
  return FilesIn(session.Query(kOfSource, {{"provenance_code", source}, {"files_max", files_max}}));
}

Result<std::vector<ArchiveFile>> Between(Session& session, ArchivedKind kind,
                                         const std::string& source, Instant from, Instant to,
                                         int files_max) {
  return FilesIn(session.Query(kBetween, {{"provenance_code", source},
                                          {"table_name", TableOf(kind)},
                                          {"from", from},
                                          {"to", to},
                                          {"files_max", files_max}}));
}

Result<std::optional<Note>> FindBatch(Session& session, Id batch) {
  auto rows = PATRA_TRY(session.Query(kFindBatch, {{"batch_id", batch}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return NoteIn(rows);
}

Result<std::vector<Note>> BatchesOf(Session& session, Id run, std::int64_t below_no,
                                    std::int64_t rows_max) {
  auto rows = PATRA_TRY(
      session.Query(kBatchesOf, {{"run_id", run}, {"below_no", below_no}, {"rows_max", rows_max}}));
  std::vector<Note> notes;
  while (PATRA_TRY(rows.Next())) notes.push_back(NoteIn(rows));
  return notes;
}

Result<void> NoteBatches(Session& session, std::span<const Id> batches, Id file) {
  return NoteThat(session, kNoteBatch, batches, {"file_id", file});
}

Result<void> NotePages(Session& session, std::span<const Id> batches, Id file) {
  return NoteThat(session, kNotePage, batches, {"page_file_id", file});
}

Result<void> NoteGonePages(Session& session, std::span<const Id> batches, Instant now) {
  return NoteThat(session, kNoteGonePage, batches, {"now", now});
}

}  // namespace patra::infra::sql::archive_table
