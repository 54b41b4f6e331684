#include "domain/heal/decide.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {
namespace {

using Healing = HealAction::Kind;
using Actions = std::vector<HealAction>;

double Part(std::int64_t some, std::int64_t all) {
  return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

std::string Percent(double part) { return fmt::format("{:.1f} %", part * 100); }

void Add(Actions& actions, HealAction action) {
  const auto same = std::ranges::find_if(actions, [&](const HealAction& other) {
    return other.kind == action.kind && other.plan == action.plan && other.slice == action.slice &&
           other.task == action.task;
  });
  if (same == actions.end()) {
    actions.push_back(std::move(action));
  } else if (same->kind == Healing::kPausePlanner && same->span && !action.span) {
    *same = std::move(action);  // what a person has to end is not done with a pause for a while
  }
}

// Too fast for the provider.
void WatchRate(const Observations& seen, const HealPolicy& policy, Actions& actions) {
  const auto throttled = Part(seen.throttled, seen.requests);
  const bool is_enough = seen.batches >= policy.batches_min;
  const auto share = std::max(seen.rate_share.value_or(1) / 2, policy.rate_share_min);
  if (is_enough && throttled > policy.throttled_part_over) {
    const auto reason = fmt::format("{} of the requests were throttled", Percent(throttled));
    Add(actions, {.kind = Healing::kSlowDown, .reason = reason, .amount = share});
    if (throttled > policy.throttled_part_pausing)
      Add(actions, {.kind = Healing::kPausePlanner, .reason = reason, .span = policy.pause});
  }
  if (seen.same_l1_in_a_row >= policy.same_l1_in_a_row) {
    Add(actions, {.kind = Healing::kSlowDown,
                  .reason = fmt::format("the same failure {} times in a row: {}",
                                        seen.same_l1_in_a_row, seen.first_error),
                  .amount = share,
                  .spares_others = true});
  }
  const auto l1 = Part(seen.l1, seen.batches);
  if (is_enough && l1 > policy.l1_part_halving) {
    Add(actions, {.kind = Healing::kHalveRate,
                  .reason = fmt::format("{} of the batches failed for the moment", Percent(l1)),
                  .amount = 0.5,
                  .spares_others = true});
  }
  if (seen.budget_left && *seen.budget_left < policy.budget_left_under) {
    const auto reason = fmt::format("{} of the quota is left", Percent(*seen.budget_left));
    const auto span = std::min(seen.budget_until.value_or(policy.pause), policy.pause);
    if (!seen.is_budget_own_part) {
      Add(actions, {.kind = Healing::kSlowDown,
                    .reason = reason,
                    .amount = policy.rate_share_min,
                    .span = span});
    }
    Add(actions, {.kind = Healing::kPausePlanner, .reason = reason, .span = span});
  }
}

double Half(std::int64_t number) {
  return static_cast<double>(std::max<std::int64_t>(number / 2, 1));
}

HealAction LowerConcurrency(const Observations& seen, const HealPolicy& policy,
                            std::string reason) {
  return {.kind = Healing::kLowerConcurrency,
          .reason = std::move(reason),
          .amount = Half(seen.executing),
          .span = policy.pause};
}

Duration RaisedLag(const Observations& seen, const HealPolicy& policy) {
  const auto grown =
      std::chrono::duration_cast<Duration>(seen.safety_lag * policy.safety_lag_growth);
  const auto raised = std::max(grown, policy.safety_lag_least);
  return seen.safety_lag_max > Duration::zero() ? std::min(raised, seen.safety_lag_max) : raised;
}

// Too much at once, for the provider or for us.
void WatchLoad(const Observations& seen, const HealPolicy& policy, Actions& actions) {
  if (seen.batches > 0 && seen.latency > policy.latency_over) {
    const auto reason = fmt::format("a batch takes {}", FormatDuration(seen.latency));
    Add(actions, LowerConcurrency(seen, policy, reason));
    if (seen.can_shrink_page) {
      Add(actions, {.kind = Healing::kShrinkPage,
                    .reason = reason,
                    .amount = Half(seen.page_size),
                    .span = policy.pause});
    }
  }
  if (seen.store_wait > policy.store_wait_over) {
    const auto reason =
        fmt::format("the store takes {} to commit", FormatDuration(seen.store_wait));
    Add(actions, LowerConcurrency(seen, policy, reason));
    Add(actions, {.kind = Healing::kPausePlanner, .reason = reason, .span = policy.pause});
  }
  if (seen.failures_in_a_row >= policy.failures_in_a_row) {
    Add(actions, {.kind = Healing::kOpenCircuit,
                  .reason = fmt::format("{} failures in a row: {}", seen.failures_in_a_row,
                                        seen.first_error),
                  .span = policy.circuit_pause});
  }
  const auto errors = Part(seen.l1 + seen.l2, seen.batches);
  if (seen.batches >= policy.batches_min && errors > policy.error_part_over && seen.l1 > 0) {
    Add(actions, {.kind = Healing::kRaiseSafetyLag,
                  .reason = fmt::format("{} of the batches failed", Percent(errors)),
                  .span = RaisedLag(seen, policy)});
  }
}

// Requests that are wrong.
void WatchRequests(const Observations& seen, const HealPolicy& policy, Actions& actions) {
  // What fails that often does not pass by itself. It stops nothing: should it pass after all, work goes on at once.
  const auto l1 = Part(seen.l1, seen.batches);
  if (seen.batches >= policy.batches_min && l1 > policy.l1_part_growing) {
    Add(actions, {.kind = Healing::kReview,
                  .reason = fmt::format(
                      "{} of the batches fail, which looks like more than a bad moment: {}",
                      Percent(l1), seen.first_error)});
  }
  if (!seen.wrong_parameter.empty()) {
    const bool says_so =
        seen.first_error.find(fmt::format("'{}'", seen.wrong_parameter)) != std::string::npos;
    Add(actions, {.kind = Healing::kPausePlanner,
                  .reason = says_so ? seen.first_error
                                    : fmt::format("the provider refuses '{}': {}",
                                                  seen.wrong_parameter, seen.first_error)});
  }
  const auto l2 = Part(seen.l2, seen.batches);
  if (seen.batches >= policy.batches_min && l2 > policy.l2_part_over) {
    Add(actions,
        {.kind = Healing::kPausePlanner,
         .reason = fmt::format("{} of the requests are wrong: {}", Percent(l2), seen.first_error)});
  }
  const auto hit = std::ranges::count_if(seen.slices, [](const auto& s) { return s.l2 > 0; });
  if (hit >= policy.l2_slices_review) {
    Add(actions, {.kind = Healing::kReview,
                  .reason = fmt::format("the same kind of wrong request in {} slices", hit)});
  }
  for (const auto& slice : seen.slices) {
    if (slice.l2 > policy.l2_of_slice_over) {
      Add(actions, {.kind = Healing::kFailSlice,
                    .reason = fmt::format("{} wrong requests in one slice", slice.l2),
                    .slice = slice.slice});
    }
    if (slice.is_far_from_estimate) {
      Add(actions, {.kind = Healing::kReslice,
                    .reason = "the slice is much deeper than it was estimated",
                    .slice = slice.slice});
    }
  }
  for (const auto& plan : seen.plans) {
    const auto part = Part(plan.l2_slices, plan.slices);
    if (part > policy.l2_slices_over) {
      Add(actions,
          {.kind = Healing::kMarkPartial,
           .reason = fmt::format("{} of the plan's slices have wrong requests", Percent(part)),
           .plan = plan.plan});
    }
  }
}

// Records that are bad, and what only a person can mend.
void WatchContent(const Observations& seen, const HealPolicy& policy, Actions& actions) {
  const auto polluted = Part(seen.quarantined, seen.records);
  const bool is_polluted =
      seen.records >= policy.records_min && polluted > policy.polluted_part_over;
  const bool is_wrong =
      seen.batches >= policy.batches_min && Part(seen.l2, seen.batches) > policy.l2_part_over;
  if (is_polluted || is_wrong) {
    Add(actions,
        {.kind = Healing::kHoldCursor,
         .reason = is_polluted ? fmt::format("{} of the records are bad", Percent(polluted))
                               : "wrong requests become more"});
  } else if (seen.is_cursor_held && seen.records >= policy.records_min) {
    Add(actions, {.kind = Healing::kReleaseCursor,
                  .reason = fmt::format("{} records came, {} of them bad", seen.records,
                                        Percent(polluted))});
  }
  if (seen.polluted_since && seen.now - *seen.polluted_since > policy.polluted_max) {
    for (const auto& plan : seen.plans) {
      Add(actions,
          {.kind = Healing::kCancelPlan,
           .reason = fmt::format("bad records since {}", FormatRfc3339(*seen.polluted_since)),
           .plan = plan.plan});
    }
    Add(actions, {.kind = Healing::kStopSource,
                  .reason = fmt::format("bad records for longer than {}",
                                        FormatDuration(policy.polluted_max))});
  }
  if (seen.l4 > 0)
    Add(actions,
        {.kind = Healing::kStopSource, .reason = "a person must act: " + seen.first_error});
}

// Work that stands still.
void WatchProgress(const Observations& seen, const HealPolicy& policy, Actions& actions) {
  const auto l1 = Part(seen.l1, seen.batches);
  const auto lag_max =
      std::max(policy.lag_max,
               std::chrono::duration_cast<Duration>(seen.safety_lag * policy.lag_of_safety_lag));
  if (seen.cursor_lag && *seen.cursor_lag > lag_max && l1 > policy.l1_part_halving) {
    const auto reason = fmt::format("the cursor is {} behind while {} of the batches fail",
                                    FormatDuration(*seen.cursor_lag), Percent(l1));
    Add(actions, {.kind = Healing::kSlowDown,
                  .reason = reason,
                  .amount = policy.rate_share_min,
                  .spares_others = true});
    Add(actions, {.kind = Healing::kPrepareBackfill, .reason = reason});
  }
  // One that is held has an alert of its own.
  if (seen.cursor_still_for && *seen.cursor_still_for > policy.lag_max && !seen.is_cursor_held) {
    Add(actions, {.kind = Healing::kReview,
                  .reason = fmt::format("the cursor has not moved for {}",
                                        FormatDuration(*seen.cursor_still_for))});
  }
  const bool is_surge =
      seen.queued_mean &&
      static_cast<double>(seen.queued) >
          *seen.queued_mean + policy.queue_deviations_max * seen.queued_deviation &&
      seen.queued_deviation > 0;
  if (seen.queued > policy.queued_max || is_surge) {
    Add(actions, {.kind = Healing::kPausePlanner,
                  .reason = fmt::format("{} tasks are waiting", seen.queued),
                  .span = policy.pause});
  }
  for (const auto& plan : seen.plans) {
    if (plan.unconsumed_for && *plan.unconsumed_for > policy.unconsumed_max) {
      Add(actions, {.kind = Healing::kWakeExecutors,
                    .reason = fmt::format("nobody has taken a task of the plan for {}",
                                          FormatDuration(*plan.unconsumed_for)),
                    .plan = plan.plan});
    }
  }
  for (const auto& task : seen.running) {
    if (task.no_progress_for > policy.no_progress_max) {
      Add(actions,
          {.kind = Healing::kTakeTaskAway,
           .reason = fmt::format("no progress for {}", FormatDuration(task.no_progress_for)),
           .task = task.task});
    }
  }
}

}  // namespace

std::string_view Code(Healing kind) {
  using enum HealAction::Kind;
  constexpr auto kCodes =
      std::to_array<std::pair<Healing, std::string_view>>({{kSlowDown, "SLOW_DOWN"},
                                                           {kHalveRate, "HALVE_RATE"},
                                                           {kLowerConcurrency, "LOWER_CONCURRENCY"},
                                                           {kShrinkPage, "SHRINK_PAGE"},
                                                           {kOpenCircuit, "OPEN_CIRCUIT"},
                                                           {kReslice, "RESLICE"},
                                                           {kMarkPartial, "MARK_PARTIAL"},
                                                           {kFailSlice, "FAIL_SLICE"},
                                                           {kCancelPlan, "CANCEL_PLAN"},
                                                           {kReview, "REVIEW"},
                                                           {kStopSource, "STOP_SOURCE"},
                                                           {kHoldCursor, "HOLD_CURSOR"},
                                                           {kReleaseCursor, "RELEASE_CURSOR"},
                                                           {kRaiseSafetyLag, "RAISE_SAFETY_LAG"},
                                                           {kPausePlanner, "PAUSE_PLANNER"},
                                                           {kPrepareBackfill, "PREPARE_BACKFILL"},
                                                           {kTakeTaskAway, "TAKE_TASK_AWAY"},
                                                           {kWakeExecutors, "WAKE_EXECUTORS"}});
  const auto* found = std::ranges::find(kCodes, kind, &std::pair<Healing, std::string_view>::first);
  return found == kCodes.end() ? std::string_view() : found->second;
}

Value HealAction::ToValue() const {
  Value::Object action{{"action", std::string(Code(kind))}, {"reason", reason}};
  if (amount) action["amount"] = *amount;
  if (span) action["span"] = FormatIsoDuration(*span);
  const auto add = [&](const char* name, Id id) {
    if (id != 0) action[name] = fmt::to_string(id);
  };
  add("plan", plan);
  add("slice", slice);
  add("task", task);
  return action;
}

Value Observations::ToValue() const {
  Value::Object seen{{"batches", batches},
                     {"requests", requests},
                     {"throttled", throttled},
                     {"l1", l1},
                     {"l2", l2},
                     {"l4", l4},
                     {"records", records},
                     {"quarantined", quarantined},
                     {"queued", queued},
                     {"latencyMs", latency / std::chrono::milliseconds(1)}};
  if (!first_error.empty()) seen["firstError"] = first_error;
  if (!wrong_parameter.empty()) seen["wrongParameter"] = wrong_parameter;
  if (failures_in_a_row > 0) seen["failuresInARow"] = failures_in_a_row;
  if (store_wait > Duration::zero())
    seen["storeWaitMs"] = store_wait / std::chrono::milliseconds(1);
  if (rate_share) seen["rateShare"] = *rate_share;
  if (budget_left) seen["budgetLeft"] = *budget_left;
  if (cursor_lag) seen["cursorLag"] = FormatIsoDuration(*cursor_lag);
  if (polluted_since) seen["pollutedSince"] = FormatRfc3339(*polluted_since);
  return seen;
}

std::vector<HealAction> Decide(const Observations& seen, const HealPolicy& policy) {
  Actions actions;
  for (const auto watch : {WatchRate, WatchLoad, WatchRequests, WatchContent, WatchProgress})
    watch(seen, policy, actions);
  return actions;
}

}  // namespace patra::domain
