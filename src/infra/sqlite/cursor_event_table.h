// Table ing_cursor_event: every step of every cursor, append-only.
#pragma once

#include "domain/cursor/cursor_move.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::cursor_event_table {

// Doing it twice leaves one event.
Result<void> Insert(Connection& connection, const domain::CursorMove& move, Id new_id, Instant now);

}  // namespace patra::infra::sqlite::cursor_event_table
