// Table ing_cursor_event: every step of every cursor, append-only.
#pragma once

#include <optional>

#include "domain/cursor/cursor_move.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::cursor_event_table {

// Doing it twice leaves one event.
Result<void> Insert(Session& session, const domain::CursorMove& move, Id new_id, Instant now);

// The step that went furthest in its direction, if there is any.
Result<std::optional<domain::CursorMove>> Furthest(Session& session, const domain::Lane& lane,
                                                   const domain::CursorNamespace& cursor);

}  // namespace patra::infra::sql::cursor_event_table
