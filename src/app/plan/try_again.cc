#include "app/plan/try_again.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/cursor/coverage.h"

namespace patra::app {

std::vector<domain::Window> TriedAgain::Without(const std::vector<domain::Window>& windows) const {
  const domain::Coverage taken(stretches);
  std::vector<domain::Window> rest;
  for (const auto& window : windows) {
    const auto gaps = taken.GapsIn(window);
    rest.insert(rest.end(), gaps.begin(), gaps.end());
  }
  return rest;
}

Result<TriedAgain> TryAgain::OfPlan(const StoredPlan& plan, const PlanOptions& options) {
  auto unfinished = PATRA_TRY(ports_.plans.UnfinishedOf(plan.plan.id));
  return Try(plan.plan.lane, domain::SplitByTries(std::move(unfinished), Limit()), options);
}

Result<TriedAgain> TryAgain::In(const domain::Lane& lane, const std::string& query_hash,
                                const std::string& fingerprint,
                                const std::vector<domain::Window>& windows,
                                const PlanOptions& options) {
  if (windows.empty()) return TriedAgain{};
  const auto hull = PATRA_TRY(domain::Window::Between(windows.front().from(), windows.back().to()));
  auto unfinished = PATRA_TRY(ports_.plans.Unfinished(lane, query_hash, hull));
  std::erase_if(unfinished, [&](const domain::UnfinishedSlice& slice) {
    return std::ranges::none_of(windows, [&](const domain::Window& window) {
      return slice.window.from() < window.to() && window.from() < slice.window.to();
    });
  });
  return Try(lane, domain::ChooseTriesAgain(std::move(unfinished), fingerprint, Limit()), options);
}

Result<TriedAgain> TryAgain::OfActivity(const domain::Lane& lane, const std::string& query_hash,
                                        const PlanOptions& options) {
  auto unfinished = PATRA_TRY(ports_.plans.Unfinished(lane, query_hash, {}));
  return Try(lane, domain::SplitByTries(std::move(unfinished), Limit()), options);
}

Result<TriedAgain> TryAgain::Try(const domain::Lane& lane, domain::TriesAgain chosen,
                                 const PlanOptions& options) {
  if (options.again) return TriedAgain{};
  TriedAgain tried{.given_up = std::move(chosen.given_up)};
  for (const auto& slice : tried.given_up) tried.stretches.push_back(slice.window);
  for (const auto& slice : chosen.again) tried.stretches.push_back(slice.window);
  if (!options.tries_again || chosen.again.empty()) return tried;
  // What the queue has no room for waits for the next command, and counts as tried by none.
  const auto room = limits_.open_tasks_max - PATRA_TRY(ports_.queue.CountOpen(lane));
  for (const auto& slice : chosen.again) {
    if (tried.queued >= room) break;
    const bool is_queued =
        options.dry_run ||
        PATRA_TRY(ports_.queue.TryAgain(
            slice,
            {.actor = {.name = options.origin.type, .way = domain::Way::kPlanner},
             .reason = fmt::format("a command asks for it again, try {}", slice.tries + 1)}));
    if (!is_queued) continue;
    ++tried.queued;
    if (std::ranges::find(tried.plans, slice.plan) == tried.plans.end())
      tried.plans.push_back(slice.plan);
  }
  return tried;
}

Planned With(Planned planned, const TriedAgain& tried) {
  planned.tried_again += tried.queued;
  planned.retried_plans.insert(planned.retried_plans.end(), tried.plans.begin(), tried.plans.end());
  planned.given_up.insert(planned.given_up.end(), tried.given_up.begin(), tried.given_up.end());
  return planned;
}

}  // namespace patra::app
