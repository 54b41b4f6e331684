// What is old: where it goes, and what of it is deleted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/actor.h"
#include "domain/word/archived_kind.h"

namespace patra::app {

struct ArchiveRequest {
  std::optional<Duration> older_than{};  // missing: as the configuration says
};

struct ArchivedOfKind {
  domain::ArchivedKind kind = domain::ArchivedKind::kBatches;
  std::int64_t rows = 0;
  std::int64_t files = 0;
  std::int64_t bytes = 0;    // of the files
  std::int64_t needed = 0;   // as old, and work or a person may still need them
  std::int64_t waiting = 0;  // as old, and too few for a file
};

// Raw pages that went because there were too many of them.
struct VaultReport {
  std::int64_t bytes_before = 0;  // of all pages
  std::int64_t bytes_after = 0;
  std::int64_t archived = 0;  // pages
  std::int64_t dropped = 0;   // pages
};

struct ArchiveReport {
  std::string folder{};
  Instant before{};
  std::vector<ArchivedOfKind> kinds{};
  std::int64_t finished = 0;        // files that somebody else had begun
  std::vector<std::string> lost{};  // files that were to be finished, and cannot be read any more
  std::optional<VaultReport> vault{};  // where its size is bounded
  bool is_stopped = false;             // on request; the rest can go on later
};

// After each file: how many rows are archived by then.
using OnArchived = std::function<void(domain::ArchivedKind kind, std::int64_t rows)>;

class Retention {
 public:
  virtual ~Retention() = default;

  // kConflict while another process is at it.
  virtual Result<ArchiveReport> Archive(const ArchiveRequest& request,
                                        const OnArchived& on_archived) = 0;
};

}  // namespace patra::app
