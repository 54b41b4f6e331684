// Each table that has something of a source, in the order in which it is emptied of that: tasks first, because without its task
// nobody commits anything any more, and what leads to other rows after them.
#pragma once

#include <span>
#include <string>

#include "base/id.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

struct Forgotten {
  std::int64_t rows = 0;
  bool is_all = false;  // of this part
  Id after = 0;         // where to go on, else
};

struct ForgetPart {
  const char* table;
  Result<Forgotten> (*forget)(Session& session, const ForgetPart& part, const std::string& source,
                              Id after, int rows_max);
  const char* index = nullptr;  // by source; null: rows are looked through by their ids
};

std::span<const ForgetPart> ForgetParts();

}  // namespace patra::infra::sql
