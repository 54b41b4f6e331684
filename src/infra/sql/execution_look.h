// What an execution's trigger and plans have come to, read from the tables of the ledger.
#pragma once

#include <span>

#include "app/port/execution_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::execution_look {

// What its firing led to: the trigger with a plan, else the newest one.
Result<std::optional<app::PlannedBefore>> FindPlanned(Session& session,
                                                      const domain::Execution& execution);

Result<std::optional<app::PlanLook>> Look(Session& session, Id plan, bool who, Instant now);

// Of the plans together.
Result<domain::ExecutionCounts> Counts(Session& session, std::span<const Id> plans);
// Those of the plans that another trigger made.
Result<std::vector<Id>> OfOtherTriggers(Session& session, std::span<const Id> plans,
                                        std::optional<Id> trigger);

}  // namespace patra::infra::sql::execution_look
