// Tables ing_archive_index and ing_archived_batch: the files of the archive, and in which of them each batch is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/archive_store.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::archive_table {

std::string_view TableOf(app::ArchivedKind kind);

Result<void> Insert(Session& session, const app::ArchiveFile& file, Instant now);
// What was found out about it once it was written.
Result<void> Confirm(Session& session, const app::ArchiveFile& file);
Result<void> SetState(Session& session, Id file, app::ArchiveState state);
Result<void> Delete(Session& session, Id file);
Result<std::optional<app::ArchiveFile>> Find(Session& session, Id file);
Result<std::vector<app::ArchiveFile>> Unfinished(Session& session);
Result<std::vector<app::ArchiveFile>> List(Session& session, Id after, int files_max);
Result<std::vector<app::ArchiveFile>> OfSource(Session& session, const std::string& source,
                                               int files_max);
// Of one source, with rows of that stretch of time, the newest first; what is announced alone is none of them.
Result<std::vector<app::ArchiveFile>> Between(Session& session, app::ArchivedKind kind,
                                              const std::string& source, Instant from, Instant to,
                                              int files_max);

// Where a batch is. A file of 0: its row, or its page, is in none.
struct Note {
  Id batch = 0;
  Id run = 0;
  std::int64_t number = 0;
  Id file = 0;
  Id page_file = 0;
  std::optional<Instant> page_gone_at{};
};
Result<std::optional<Note>> FindBatch(Session& session, Id batch);
// Newest first, those below a number.
Result<std::vector<Note>> BatchesOf(Session& session, Id run, std::int64_t below_no,
                                    std::int64_t rows_max);

// That these batches, which are in the store, are in the file, or their pages are.
Result<void> NoteBatches(Session& session, std::span<const Id> batches, Id file);
Result<void> NotePages(Session& session, std::span<const Id> batches, Id file);
Result<void> NoteGonePages(Session& session, std::span<const Id> batches, Instant now);

}  // namespace patra::infra::sql::archive_table
