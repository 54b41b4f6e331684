// Table ing_plan.
#pragma once

#include <optional>

#include "app/port/plan_repository.h"
#include "domain/plan/plan.h"
#include "domain/task/states.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::plan_table {

struct Found {
  Id id;
  domain::PlanStatus status;
};

// False where the key is taken.
Result<bool> Insert(Connection& connection, const domain::Plan& plan, Instant now);
Result<std::optional<Found>> FindByKey(Connection& connection, std::string_view key);

// Compare-and-set from a state that allows it; kConflict otherwise.
Result<void> Move(Connection& connection, Id plan, domain::PlanStatus to, Instant now);
Result<void> SetProgress(Connection& connection, Id plan, const app::SlicingProgress& progress,
                         Instant now);
Result<void> AddRemarks(Connection& connection, Id plan, const Value& remarks, Instant now);

Result<std::optional<app::StoredPlan>> Read(Connection& connection, Id plan);
Result<std::optional<Id>> FindUncut(Connection& connection, const domain::Partition& partition,
                                    const domain::CursorNamespace& cursor);

// Of that query, whatever its window.
Result<std::optional<Id>> NewestCompleted(Connection& connection,
                                          const domain::Partition& partition,
                                          const std::string& query_hash);

// COMPLETED when every slice of a READY plan has succeeded; otherwise nothing happens. Whether it did.
Result<bool> CompleteIfDone(Connection& connection, Id plan, Instant now);

}  // namespace patra::infra::sqlite::plan_table
