// What of a store goes to the archive, and where it went.
//
// A file is announced before it is written, confirmed once it was read back, and done once its rows are deleted; so whoever
// goes on after a crash knows of each file what it may do with it. At any moment a batch has its row in the store, or a note
// in which file it is.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/retention/archive_text.h"
#include "domain/word/archived_kind.h"

namespace patra::app {

using domain::ArchivedKind;

enum class ArchiveState { kWriting, kWritten, kDone, kLost };
constexpr auto CodesOf(ArchiveState) {
  using enum ArchiveState;
  return std::to_array<domain::Coded<ArchiveState>>(
      {{kWriting, "WRITING"}, {kWritten, "WRITTEN"}, {kDone, "DONE"}, {kLost, "LOST"}});
}

struct ArchiveFile {
  Id id = 0;
  ArchivedKind kind = ArchivedKind::kBatches;
  std::string source{};
  std::string location{};  // below the folder of the archive
  ArchiveState state = ArchiveState::kWriting;
  // Of its rows.
  Id first = 0;
  Id last = 0;
  Instant first_at{};
  Instant last_at{};
  std::int64_t rows = 0;
  std::int64_t bytes = 0;  // of the file
  std::string sha256{};    // of the file
};

// A row that may go.
struct ArchiveCandidate {
  Id id = 0;
  std::string source;
  Instant at;
  std::int64_t bytes = 0;   // that it takes in a file, about
  std::int64_t stored = 0;  // of a page: that it takes in the store
};

// After which row to look on.
struct ArchivePlace {
  Instant at = kInstantMin;
  Id id = 0;
};

struct ArchiveLook {
  std::vector<ArchiveCandidate> found;
  std::int64_t needed = 0;                // as old, and work or a person may still need them
  std::optional<ArchivePlace> next = {};  // none: there are no more
};

struct VaultSize {
  std::int64_t pages = 0;
  std::int64_t bytes = 0;  // as they are stored
};

// Thread-safe.
class ArchiveStore {
 public:
  virtual ~ArchiveStore() = default;

  // Rows of before that moment, oldest first, at most so many at a time.
  virtual Result<ArchiveLook> Look(ArchivedKind kind, Instant before, const ArchivePlace& after,
                                   int rows_max) = 0;
  // The rows as they go into a file, in the order of their ids; those that are gone are left out.
  virtual Result<std::vector<domain::ArchiveLine>> Lines(ArchivedKind kind,
                                                         std::span<const Id> ids) = 0;

  virtual Result<void> Announce(const ArchiveFile& file) = 0;
  virtual Result<void> Confirm(const ArchiveFile& file) = 0;
  // Deletes these rows of it, but those that are needed again by now, and notes where the others are; how many. In one
  // transaction: whoever has many asks several times.
  virtual Result<std::int64_t> Remove(const ArchiveFile& file, std::span<const Id> ids) = 0;
  virtual Result<void> Conclude(Id file, ArchiveState state) = 0;
  // What was announced, and will not be.
  virtual Result<void> Withdraw(Id file) = 0;

  // Those that are announced, or whose rows are not all deleted.
  virtual Result<std::vector<ArchiveFile>> Unfinished() = 0;
  // In the order of their ids.
  virtual Result<std::vector<ArchiveFile>> List(Id after, int files_max) = 0;

  // Of the raw pages in the store.
  virtual Result<VaultSize> Vault() = 0;
  // Deletes the pages of these batches and notes that they are gone; how many.
  virtual Result<std::int64_t> DropPages(std::span<const Id> batches) = 0;
};

}  // namespace patra::app
