// The cursor of an update goes along with its batches: the event in the same transaction, the value after it. What was not
// looked at holds it, be it still to come, failed or withdrawn.
#pragma once

#include <optional>

#include "domain/cursor/cursor_move.h"
#include "domain/word/lineage.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// How many unchecked ids are looked through for the first of them: after a batch, which should not take long, and when
// something ended.
inline constexpr std::int64_t kUncheckedAfterBatch = 10'000;
inline constexpr std::int64_t kUncheckedAtEnd = 1'000'000;

// Records the step that the plan has made possible by now, where it makes one. Where more than `unchecked_max` ids are
// unchecked, that is left to a later call.
Result<std::optional<domain::CursorMove>> RecordRefresh(Session& session,
                                                        const domain::Lineage& lineage,
                                                        std::int64_t unchecked_max, Id event,
                                                        Instant now);

}  // namespace patra::infra::sql
