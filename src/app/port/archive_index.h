// Where the rows went that were moved out of the store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct ArchivedRows {
  std::string table;
  Id first = 0;
  Id last = 0;
  std::int64_t rows = 0;
  std::string location;
  std::string sha256;  // of the file
  Instant created_at{};
};

class ArchiveIndex {
 public:
  virtual ~ArchiveIndex() = default;

  // Conflict, where rows of that table and range are archived already.
  virtual Result<void> Add(const ArchivedRows& rows) = 0;
  virtual Result<std::optional<ArchivedRows>> Find(const std::string& table, Id row) = 0;
  virtual Result<std::vector<ArchivedRows>> List(const std::string& table, Id from, int max) = 0;
};

}  // namespace patra::app
