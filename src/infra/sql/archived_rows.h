// Rows that are in files of the archive by now, for whoever asks for them as if they were still in the store.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/port/archive_files.h"
#include "app/port/archive_store.h"
#include "app/port/run_ledger.h"
#include "infra/sql/archive_table.h"
#include "infra/sql/row_json.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// The tables that rows are archived of, as the database has them. Thread-safe.
class ArchivedTables {
 public:
  // Lives as long as this.
  Result<const StoredTable*> Find(Session& session, app::ArchivedKind kind);

 private:
  std::mutex mutex_;
  std::vector<StoredTable> tables_;  // by kind; empty before somebody asked
};

// Members of an archived batch beside its columns.
inline constexpr const char* kFoundIds = "found_ids";
inline constexpr const char* kAnsweredIds = "answered_ids";

// Thread-safe.
class ArchivedRows {
 public:
  explicit ArchivedRows(app::ArchiveFiles& files) : files_(files) {}

  // Nothing where no archive has it; an error where the file that has it cannot be read.
  Result<std::unique_ptr<OneRow>> Batch(Session& session, Id batch);
  Result<std::optional<app::RawPage>> Page(Session& session, Id batch);

  // The ids of the two phases that an archived batch dealt with.
  struct Ids {
    std::vector<std::string> found;
    std::vector<std::string> answered;
  };
  Result<std::optional<Ids>> IdsOf(Session& session, Id batch);

  // All rows of the files of a source that have any of that stretch of time, the newest file first, until whoever looks has
  // had enough and says false.
  using OnRow = std::function<Result<bool>(const Rows& row)>;
  Result<void> Each(Session& session, app::ArchivedKind kind, const std::string& source,
                    Instant from, Instant to, const OnRow& on_row);

 private:
  struct Loaded {
    Id file = 0;
    domain::ArchiveText text;
  };

  Result<std::shared_ptr<const Loaded>> Load(const app::ArchiveFile& file);
  struct Line {
    std::shared_ptr<const Loaded> of;
    std::string_view text;
  };
  Result<Line> LineIn(Session& session, Id file, Id row);
  Result<std::unique_ptr<OneRow>> RowIn(Session& session, Id file, app::ArchivedKind kind, Id row);

  app::ArchiveFiles& files_;
  ArchivedTables tables_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const Loaded>> loaded_;  // the last first
};

}  // namespace patra::infra::sql
