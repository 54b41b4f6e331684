// What planning tells the log.
//
// Keys that were there already: what was to be planned is planned, and nothing is doubled. Told for whoever counts them, because
// many of them mean that planners do one another's work.
#pragma once

#include <span>
#include <string_view>

#include "app/api/plan_report.h"
#include "app/plan/plan_ports.h"
#include "domain/plan/plan.h"

namespace patra::app {

// `kind` is "plan" or "slice"; a slice has its task with it. `log` may be null.
void TellMet(Log* log, const domain::Plan& plan, std::string_view kind, std::int64_t count);

// What traces show of a plan: its slices, each alone, and what the trigger came to. `log` may be null.
// `added` of the slices are new.
void TellSlices(Log* log, const domain::Plan& plan, std::span<const IdSlice> slices, int added);
// `begun` is by Elapsed, with what the definition took to be compiled.
void TellPlanned(const PlanPorts& ports, const domain::Plan& plan, const Planned& planned,
                 Duration compiled_in, Duration begun);

}  // namespace patra::app
