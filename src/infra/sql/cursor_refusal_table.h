// Table ing_cursor_refusal: moves that cursors did not make, and why.
#pragma once

#include <optional>
#include <string>

#include "domain/cursor/cursor_move.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::cursor_refusal_table {

// The same refusal twice leaves one row.
Result<void> Insert(Session& session, const domain::CursorMove& move,
                    const std::optional<domain::CursorValue>& present, const std::string& reason,
                    Id new_id, Instant now);

}  // namespace patra::infra::sql::cursor_refusal_table
