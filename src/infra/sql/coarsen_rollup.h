// Sums of batches by the minute become sums by the hour, and those become sums by the day.
#pragma once

#include <cstdint>

#include "app/port/old_rows.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::coarsen_rollup {

Result<app::CoarsenedStep> Coarsen(Session& session, Duration width, Instant before, Instant from);

Result<std::int64_t> CountOld(Session& session, Instant before, std::int64_t counted_at_most);
Result<app::OldStep> DeleteOld(Session& session, Instant before, int rows_max);

}  // namespace patra::infra::sql::coarsen_rollup
