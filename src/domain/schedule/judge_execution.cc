#include "domain/schedule/judge_execution.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {
namespace {

using Kind = ExecutionVerdict::Kind;

constexpr std::size_t kReasonBytesMax = 500;

std::string Slices(std::size_t count) {
  return fmt::format("{} slice{}", count, count == 1 ? "" : "s");
}

// What a later look brings by itself is not missing.
ExecutionVerdict JudgeUnfinished(const PlanSeen& plan) {
  const auto is_early = [](const UnfinishedSlice& slice) { return slice.is_early(); };
  const auto early = static_cast<std::size_t>(std::ranges::count_if(plan.unfinished, is_early));
  const auto missing = plan.unfinished.size() - early;
  if (missing == 0)
    return {Kind::kSucceeded, early == 0 ? std::string()
                                         : fmt::format("{} reached beyond the provider's clock: "
                                                       "the next firing asks for the rest",
                                                       Slices(early))};
  const auto first = std::ranges::find_if_not(plan.unfinished, is_early);
  return {Kind::kFailed,
          fmt::format("{} of plan {} not complete; the first, {}: {}", Slices(missing), plan.id,
                      first->window.Describe(), first->reason.substr(0, kReasonBytesMax))};
}

ExecutionVerdict JudgePlan(const PlanSeen& plan, bool takes_rest) {
  switch (plan.status) {
    case PlanStatus::kCompleted:
      return {Kind::kSucceeded, {}};
    case PlanStatus::kCancelled:
      return {Kind::kFailed, fmt::format("plan {} was withdrawn", plan.id)};
    case PlanStatus::kFailed:
      return {Kind::kFailed, fmt::format("plan {} could not be cut", plan.id)};
    default:
      break;
  }
  if (plan.has_open_slices) return {};
  if (plan.is_wholly_cut) return JudgeUnfinished(plan);
  if (takes_rest || plan.status != PlanStatus::kPartial) return {};
  auto verdict = JudgeUnfinished(plan);
  if (verdict.kind == Kind::kSucceeded)
    verdict.reason =
        fmt::format("the rest of plan {} waits for the next firing: {}", plan.id, plan.stopped);
  return verdict;
}

bool HasRest(const PlanSeen& plan) { return !plan.is_wholly_cut && !plan.has_open_slices; }

// Why nobody will bring it to its end; nothing where somebody may.
std::optional<std::string> WhyDead(const ExecutionSeen& seen, Instant now, Duration patience) {
  auto last = seen.planned_at;
  for (const auto& plan : seen.plans) {
    if (plan.is_leased || (plan.waits_until && *plan.waits_until > now)) return std::nullopt;
    last = std::max(last, plan.progress_at.value_or(last));
  }
  if (now - last <= patience) return std::nullopt;
  const auto since = FormatDuration(std::chrono::floor<std::chrono::seconds>(now - last));
  if (seen.held) return fmt::format("nothing happened for {}: {}", since, *seen.held);
  if (const auto rest = std::ranges::find_if(seen.plans, HasRest); rest != seen.plans.end())
    return fmt::format("no planner went on with plan {} for {}", rest->id, since);
  if (seen.executors_alive) return std::nullopt;
  return fmt::format("nobody works at it: no progress for {}, and no executor is alive", since);
}

}  // namespace

bool MayBeDead(Instant planned_at, Instant now, Duration patience) {
  return now - planned_at > patience;
}

ExecutionVerdict Judge(const ExecutionSeen& seen, Instant now, Duration patience) {
  if (seen.plans.empty()) return {Kind::kFailed, "nobody knows what was planned for it"};
  ExecutionVerdict all{Kind::kSucceeded, {}};
  for (const auto& plan : seen.plans) {
    auto verdict = JudgePlan(plan, seen.takes_rest);
    if (verdict.kind == Kind::kGoesOn) {
      const auto dead = WhyDead(seen, now, patience);
      return dead ? ExecutionVerdict{Kind::kFailed, *dead} : ExecutionVerdict{};
    }
    const bool is_worse = verdict.kind == Kind::kFailed && all.kind == Kind::kSucceeded;
    if (is_worse || all.reason.empty()) all.reason = std::move(verdict.reason);
    if (is_worse) all.kind = Kind::kFailed;
  }
  return all;
}

}  // namespace patra::domain
