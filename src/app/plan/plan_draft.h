// What plans over time have in common, whichever way they look.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "app/plan/plan_writer.h"
#include "app/plan/slice_source.h"
#include "base/time_zone.h"
#include "domain/plan/plan.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/window/time_grid.h"

namespace patra::app {

domain::Lane LaneOf(const domain::SpecSnapshot& spec, domain::Operation operation);

// Where harvests keep their watermark: one for each query, or one for all where the source says so.
domain::CursorNamespace HarvestCursor(const domain::SpecSnapshot& spec);

// The points at which the ends of windows may lie.
Result<domain::TimeGrid> AlignedGrid(const domain::SpecSnapshot& spec);

// With what self-healing changes for a while: a longer safety lag, smaller pages.
Result<domain::SpecSnapshot> WithAdjustments(domain::SpecSnapshot spec, const PlanPorts& ports);

// What is said where the ends of a window do not lie where they were asked for.
std::vector<std::string> NotesOnRounding(const domain::SpecSnapshot& spec,
                                         const domain::Window& window, std::optional<Instant> from,
                                         std::optional<Instant> to);

// The last moment of which the provider has said everything.
Result<Instant> SafeNow(const domain::SpecSnapshot& spec, Instant now);

// What of `stretches` no unfinished slice of the lane covers.
Result<std::vector<domain::Window>> WithoutOpen(PlanRepository& plans, const domain::Lane& lane,
                                                const std::string& query_hash,
                                                std::vector<domain::Window> stretches);

struct TimePlan {
  const domain::SpecSnapshot& spec;
  domain::Lane lane;
  domain::CursorNamespace cursor;
  std::string key;
  domain::Window window;
  std::vector<domain::Window> stretches;
  bool newest_first = false;
};

// Opens the slices that a plan over time still lacks.
Result<std::unique_ptr<SliceSource>> OpenTime(const StoredPlan& plan,
                                              const domain::SpecSnapshot& spec);

// Trigger, plan, slices and tasks; in a dry run only what they would be.
Result<Planned> WriteTimePlan(const TimePlan& of, const PlanOptions& options,
                              const PlanPorts& ports, PlanWriter& writer);

// A plan that is nowhere stored.
inline StoredPlan Unstored(domain::Plan plan) { return {.plan = std::move(plan)}; }

}  // namespace patra::app
