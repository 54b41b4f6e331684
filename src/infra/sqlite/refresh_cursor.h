// The cursor of an update follows when its plan is completed: the event in the same transaction, the value
// after it.
#pragma once

#include <optional>

#include "domain/cursor/cursor_move.h"
#include "domain/task/lineage.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

// Records the step that the completed plan makes possible, where it makes one. What was withdrawn was not
// looked at: such a plan moves nothing.
Result<std::optional<domain::CursorMove>> RecordRefresh(Connection& connection,
                                                        const domain::Lineage& lineage, Id event,
                                                        Instant now);

}  // namespace patra::infra::sqlite
