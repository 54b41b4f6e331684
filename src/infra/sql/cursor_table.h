// Table ing_cursor: where each cursor stands.
#pragma once

#include <optional>
#include <vector>

#include "domain/cursor/cursor_move.h"
#include "domain/plan/plan.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::cursor_table {

struct Standing {
  domain::CursorValue value;
  std::int64_t version;
};

Result<std::optional<Standing>> Find(Session& session, const domain::Lane& lane,
                                     const domain::CursorNamespace& cursor);

// Those that the lane has.
Result<std::vector<domain::CursorNamespace>> NamespacesOf(Session& session,
                                                          const domain::Lane& lane);

// False where somebody else made the cursor first.
Result<bool> Insert(Session& session, const domain::CursorMove& move, Id new_id, Instant now);

// Compare-and-set on the version that was read. False where somebody else moved it.
Result<bool> Set(Session& session, const domain::CursorMove& move, std::int64_t version,
                 Instant now);

}  // namespace patra::infra::sql::cursor_table
