#include "app/schedule/watch_executions.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::app {
namespace {

using domain::ExecutionStatus;
using Verdict = domain::ExecutionVerdict::Kind;

constexpr int kExecutionsPerLook = 500;
constexpr int kLooksPerRound = 100;
constexpr int kForgottenPerRound = 1'000;
// Executors beat far more often.
constexpr Duration kAliveIfSeenWithin = std::chrono::minutes(2);

}  // namespace

// What is the same for all executions of a round.
struct WatchExecutions::World {
  bool executors_alive = false;
  std::vector<domain::Hold> holds{};
};

Result<WatchReport> WatchExecutions::Round() {
  WatchReport report;
  const auto world = PATRA_TRY(LookAround());
  Id after = 0;
  for (int look = 0; look < kLooksPerRound; ++look) {
    const auto running = PATRA_TRY(ports_.executions.Running(after, kExecutionsPerLook));
    for (const auto& execution : running) PATRA_TRY(WatchOne(execution, world, report));
    if (running.size() < kExecutionsPerLook) break;
    after = running.back().id;
  }
  report.forgotten =
      PATRA_TRY(ports_.executions.Forget(ports_.clock.Now() - options_.keep, kForgottenPerRound));
  return report;
}

Result<WatchExecutions::World> WatchExecutions::LookAround() {
  World world;
  world.executors_alive = !PATRA_TRY(ports_.executors.Alive(kAliveIfSeenWithin)).empty();
  world.holds = PATRA_TRY(ports_.holds.Holds(domain::Role::kExecutor));
  return world;
}

Result<void> WatchExecutions::WatchOne(const Execution& running, const World& world,
                                       WatchReport& report) {
  const auto now = ports_.clock.Now();
  domain::ExecutionSeen seen{.takes_rest = running.takes_rest,
                             .planned_at = running.planned_at.value_or(running.started_at),
                             .executors_alive = world.executors_alive};
  const bool who = domain::MayBeDead(seen.planned_at, now, options_.patience);
  for (const auto plan : running.Plans()) {
    auto look = PATRA_TRY(ports_.executions.LookAt(plan, who));
    if (!look) {
      seen.plans.push_back({.id = plan, .status = domain::PlanStatus::kCancelled});
      continue;
    }
    // Of an earlier plan only what was tried again counts: whoever goes on with its rest is another.
    if (plan != running.plan) look->seen.is_wholly_cut = true;
    const bool may_be_over = !look->seen.has_open_slices;
    if (may_be_over) look->seen.unfinished = PATRA_TRY(Missing(*look));
    for (const auto& hold : world.holds) {
      if (!hold.Covers(look->lane.provenance, look->lane.endpoint)) continue;
      if (!hold.until) seen.held = hold.Describe();
      if (hold.until)
        look->seen.waits_until = std::max(look->seen.waits_until.value_or(now), *hold.until);
    }
    seen.plans.push_back(std::move(look->seen));
  }
  const auto verdict = domain::Judge(seen, now, options_.patience);
  if (verdict.kind == Verdict::kGoesOn) return {};
  const bool is_well = verdict.kind == Verdict::kSucceeded;
  const auto status = is_well ? ExecutionStatus::kSuccess : ExecutionStatus::kFailed;
  const auto& reason = verdict.reason.empty() ? running.reason : verdict.reason;
  if (PATRA_TRY(ports_.executions.End(running, status, reason)))
    ++(is_well ? report.succeeded : report.failed);
  return {};
}

// What another slice has proven meanwhile is not missing.
Result<std::vector<domain::UnfinishedSlice>> WatchExecutions::Missing(const PlanLook& look) {
  auto unfinished = PATRA_TRY(ports_.plans.UnfinishedOf(look.seen.id));
  if (look.lane.operation == domain::Operation::kUpdate) return unfinished;
  std::vector<domain::UnfinishedSlice> missing;
  for (auto& slice : unfinished) {
    const auto proven =
        PATRA_TRY(ports_.cursors.CoverageIn(look.lane, look.query_hash, slice.window));
    if (!proven.GapsIn(slice.window).empty()) missing.push_back(std::move(slice));
  }
  return missing;
}

}  // namespace patra::app
