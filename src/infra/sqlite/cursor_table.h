// Tables ing_cursor and ing_cursor_event: a watermark and the events that moved it. The event is
// written first; the value follows by compare-and-set and only forward (I6).
#pragma once

#include <optional>

#include "domain/plan/plan.h"
#include "domain/task/lineage.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::cursor_table {

struct Advance {
  domain::Partition partition;
  domain::CursorNamespace cursor;
  domain::Lineage lineage;
  std::string expr_hash;
  domain::Window window;  // the slice that made it possible
  std::optional<Instant> from;
  Instant to;
};

Result<std::optional<Instant>> Current(Connection& connection, const domain::Partition& partition,
                                       const domain::CursorNamespace& cursor);

// Doing it twice leaves one event.
Result<void> InsertEvent(Connection& connection, const Advance& advance, Id new_id, Instant now);

// False where the value was there or further already.
Result<bool> MoveForward(Connection& connection, const Advance& advance, Id new_id, Instant now);

}  // namespace patra::infra::sqlite::cursor_table
