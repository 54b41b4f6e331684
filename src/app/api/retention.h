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
#include "domain/word/old_kind.h"

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

struct CollectRequest {
  bool is_dry_run = false;  // nothing is deleted
};

struct CollectedKind {
  domain::OldKind kind = domain::OldKind::kAudit;
  Duration kept_for{};    // 0: for ever, and nothing of it goes
  std::int64_t rows = 0;  // that went, or would go
  bool is_cut = false;    // there would be more than were counted
};

struct CollectReport {
  std::vector<CollectedKind> kinds{};
  std::int64_t added_up =
      0;  // sums of batches that there are fewer by now, though none of what they say is gone
  bool is_dry_run = false;
  bool is_stopped = false;  // on request; the rest can go later
};

struct ForgottenTable {
  std::string table{};
  std::int64_t rows = 0;  // that are gone, with those that only they led to
};

struct ForgetReport {
  std::string source{};
  std::vector<ForgottenTable> tables{};  // that had something of it
  std::int64_t files = 0;                // of the archive
  bool is_stopped = false;               // on request: the same command goes on
};

class Retention {
 public:
  virtual ~Retention() = default;

  // kConflict while another process is at it.
  virtual Result<ArchiveReport> Archive(const ArchiveRequest& request,
                                        const OnArchived& on_archived) = 0;

  // Deletes what is older than the configuration keeps it. kConflict while another process is at it.
  virtual Result<CollectReport> Collect(const CollectRequest& request) = 0;

  // Deletes all that the store and its archive have of one source: records, ledger, quarantine. The source is paused from then
  // on. kConflict while tasks of it run. Its definition, its jobs and what people decided about it stay.
  virtual Result<ForgetReport> Forget(const std::string& source, const std::string& reason,
                                      const domain::Actor& actor) = 0;
};

}  // namespace patra::app
