// Moves what is old out of the store: into a file, which is read back before any of its rows is deleted.
//
// Whatever happens in between, whoever comes next goes on: a file that was announced and not confirmed is removed, for all of
// its rows are still in the store; of one that was confirmed the rest of the rows is deleted. See port/archive_store.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/api/retention.h"
#include "app/retention/retention_ports.h"
#include "app/retention/retention_turn.h"

namespace patra::app {

struct ArchiveRules {
  Instant before{};
  Duration gathers{};          // how much longer rows wait that fill no file
  std::int64_t vault_max = 0;  // bytes of the raw pages in the store; 0: any number
  bool vault_drops = false;    // pages beyond that are deleted; else they are archived
  // Of a file. A row that is larger comes alone.
  std::int64_t rows_max = 5000;
  std::int64_t bytes_max = std::int64_t{8} << 20;
  // What is deleted at once: others write in between.
  std::int64_t removed_rows_max = 200;
  std::int64_t removed_bytes_max = std::int64_t{4} << 20;
};

class ArchiveOld {
 public:
  ArchiveOld(const RetentionPorts& ports, std::string owner)
      : ports_(ports), owner_(std::move(owner)) {}

  Result<ArchiveReport> Run(const ArchiveRules& rules, const OnArchived& on_archived);

 private:
  // For people who ask later.
  Result<void> Tell(const ArchiveReport& report);

  const RetentionPorts ports_;
  const std::string owner_;
};

}  // namespace patra::app
