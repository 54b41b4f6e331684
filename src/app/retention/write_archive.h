// One file of the archive, from its announcement to the deletion of its rows.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/retention/archive_old.h"

namespace patra::app {

// Rows of one kind and source that go into one file.
struct ArchiveGroup {
  std::vector<Id> ids;
  std::int64_t bytes = 0;  // about
  Instant first_at{};
  Instant last_at{};

  void Add(const ArchiveCandidate& candidate);
};

class WriteArchive {
 public:
  WriteArchive(const RetentionPorts& ports, const ArchiveRules& rules, RetentionTurn& turn)
      : ports_(ports), rules_(rules), turn_(turn) {}

  // What became of it; of no rows where all of them went elsewhere meanwhile.
  Result<ArchiveFile> Write(ArchivedKind kind, const std::string& source,
                            const ArchiveGroup& group);

  // What others have left: how many files were finished, and the names of those that cannot be any more.
  struct Finished {
    std::int64_t files = 0;
    std::vector<std::string> lost{};
  };
  Result<Finished> FinishWhatWasBegun();

  // Does something with a few rows at a time, and rests as long as that took.
  Result<void> InPieces(std::span<const Id> ids, const std::function<std::int64_t(Id)>& bytes_of,
                        const std::function<Result<void>(std::span<const Id>)>& each);

 private:
  Result<domain::ArchiveText> ReadBack(const ArchiveFile& file);
  Result<void> RemoveRows(const ArchiveFile& file, const domain::ArchiveText& text);

  const RetentionPorts& ports_;
  const ArchiveRules& rules_;
  RetentionTurn& turn_;
};

}  // namespace patra::app
