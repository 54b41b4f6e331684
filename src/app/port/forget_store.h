// All that a store has of one source, deleted a few rows at a time. What people decided about it stays (ing_audit), and so do
// its definition and its jobs.
#pragma once

#include <string>
#include <vector>

#include "app/port/archive_store.h"
#include "app/port/decision.h"
#include "base/result.h"

namespace patra::app {

struct ForgetStep {
  std::string table{};  // empty: there is nothing left
  std::int64_t rows = 0;
  // Where to go on.
  int part = 0;
  Id after = 0;
};

// Thread-safe.
class ForgetStore {
 public:
  virtual ~ForgetStore() = default;

  // Pauses the source, so that nobody plans it or works at it, and audits who wanted that. kConflict while a task of it runs,
  // kNotFound where nothing of it is known.
  virtual Result<void> Begin(const std::string& source, const Decision& decision) = 0;
  // About so many rows at most, of one table, from where the last step ended.
  virtual Result<ForgetStep> Delete(const std::string& source, const ForgetStep& last,
                                    int rows_max) = 0;
  // Files of the archive that hold rows of it, and nothing else; at most so many.
  virtual Result<std::vector<ArchiveFile>> FilesOf(const std::string& source, int files_max) = 0;
};

}  // namespace patra::app
