// Table ing_cursor: where each cursor stands.
#pragma once

#include <optional>
#include <vector>

#include "domain/cursor/cursor_move.h"
#include "domain/plan/plan.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::cursor_table {

struct Standing {
  domain::CursorValue value;
  std::int64_t version;
};

Result<std::optional<Standing>> Find(Connection& connection, const domain::Partition& partition,
                                     const domain::CursorNamespace& cursor);

// Those that the partition has.
Result<std::vector<domain::CursorNamespace>> NamespacesOf(Connection& connection,
                                                          const domain::Partition& partition);

// False where somebody else made the cursor first.
Result<bool> Insert(Connection& connection, const domain::CursorMove& move, Id new_id, Instant now);

// Compare-and-set on the version that was read. False where somebody else moved it.
Result<bool> Set(Connection& connection, const domain::CursorMove& move, std::int64_t version,
                 Instant now);

}  // namespace patra::infra::sqlite::cursor_table
