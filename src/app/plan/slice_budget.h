// What the slices of one command may take.
#pragma once

#include "app/api/plan_request.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// The tighter of what the definition and the command say.
domain::SliceBudget BudgetOf(const domain::SpecSnapshot& spec, const PlanOptions& options,
                             int priority);

}  // namespace patra::app
