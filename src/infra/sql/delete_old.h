// Old rows of each kind: how many there are, and how a few of them are deleted.
#pragma once

#include "app/port/old_rows.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::delete_old {

// Kinds that are found along an index of their time.
Result<std::int64_t> Count(Session& session, app::OldKind kind, Instant before,
                           std::int64_t counted_at_most);
Result<app::OldStep> Delete(Session& session, app::OldKind kind, Instant before, int rows_max);

}  // namespace patra::infra::sql::delete_old

namespace patra::infra::sql::delete_changes {

// In the order of their positions, up to the first that has to stay: so whoever asks for one that is gone is told.
Result<std::int64_t> Count(Session& session, Instant before, std::int64_t counted_at_most);
Result<app::OldStep> Delete(Session& session, Instant before, int rows_max);

}  // namespace patra::infra::sql::delete_changes

namespace patra::infra::sql::delete_walks {

// What slices remember that are over: pages of their walk, and the ids that they found, once their batches are archived.
Result<std::int64_t> Count(Session& session, Instant before, std::int64_t counted_at_most);
// Slices after that one.
Result<app::OldStep> Delete(Session& session, Instant before, Id after, int rows_max);

}  // namespace patra::infra::sql::delete_walks
