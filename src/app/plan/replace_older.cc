#include "app/plan/replace_older.h"

#include <algorithm>
#include <string_view>

namespace patra::app {
namespace {

// In a plan's remarks.
constexpr const char* kReplaced = "replaced";
constexpr std::string_view kHealing = "HEAL";
constexpr const char* kReason =
    "the definition is another one by now, and nothing came by this one: it is planned anew";

}  // namespace

bool ReplacedPlans::IsWithdrawn(Id plan) const {
  return std::ranges::find(withdrawn, plan) != withdrawn.end();
}

bool IsByHealing(const PlanOptions& options) { return options.origin.type == kHealing; }

Result<ReplacedPlans> ReplaceOlder::In(const domain::Lane& lane, const std::string& query_hash,
                                       const std::string& fingerprint, const domain::Window& window,
                                       const PlanOptions& options) {
  ReplacedPlans replaced;
  if (IsByHealing(options)) return replaced;
  for (const auto& plan : PATRA_TRY(ports_.plans.OfOtherSnapshots(lane, fingerprint))) {
    if (plan.query_hash != query_hash) continue;
    const bool is_within = window.from() <= plan.window.from() && plan.window.to() <= window.to();
    const bool is_beside = plan.window.to() <= window.from() || window.to() <= plan.window.from();
    if (!plan.has_brought && is_within) {
      PATRA_TRY(Withdraw(plan, options, replaced));
    } else if (plan.is_open && !is_beside) {
      replaced.going_on.push_back(plan.id);
    }
  }
  return replaced;
}

Result<ReplacedPlans> ReplaceOlder::OfActivity(const domain::Lane& lane,
                                               const domain::CursorNamespace& cursor,
                                               const std::string& fingerprint,
                                               const PlanOptions& options) {
  ReplacedPlans replaced;
  for (const auto& plan : PATRA_TRY(ports_.plans.OfOtherSnapshots(lane, fingerprint))) {
    if (plan.namespace_key != cursor.key) continue;
    if (!plan.has_brought) {
      PATRA_TRY(Withdraw(plan, options, replaced));
    } else if (plan.is_open) {
      replaced.going_on.push_back(plan.id);
    }
  }
  return replaced;
}

Result<void> ReplaceOlder::Withdraw(const OlderPlan& plan, const PlanOptions& options,
                                    ReplacedPlans& replaced) {
  if (!options.dry_run) {
    PATRA_TRY(ports_.plans.Remark(plan.id, Value::Object{{kReplaced, true}}));
    const auto cancelled = ports_.plans.CancelPlan(
        plan.id,
        {.actor = {.name = options.origin.type, .way = domain::Way::kPlanner}, .reason = kReason});
    // Another planner was faster.
    if (!cancelled && cancelled.error().code != ErrorCode::kConflict)
      return std::unexpected(cancelled.error());
  }
  replaced.withdrawn.push_back(plan.id);
  return {};
}

Result<bool> MayRepeat(const StoredPlan& stored, const PlanOptions& options,
                       CursorRepository& cursors) {
  const bool is_completed = stored.status == domain::PlanStatus::kCompleted;
  const bool is_withdrawn = stored.status == domain::PlanStatus::kCancelled;
  const auto& plan = stored.plan;
  const auto* replaced = plan.remarks.Find(kReplaced);
  if (is_withdrawn && replaced != nullptr && *replaced == Value(true)) return true;
  if (options.repeats && (is_completed || is_withdrawn)) return true;
  if (!is_completed || plan.lane.operation == domain::Operation::kUpdate) return false;
  const auto proven = PATRA_TRY(cursors.CoverageIn(plan.lane, plan.query_hash, plan.window));
  return !proven.GapsIn(plan.window).empty();
}

Planned With(Planned planned, const ReplacedPlans& replaced) {
  planned.replaced = replaced.withdrawn;
  planned.older = replaced.going_on;
  return planned;
}

}  // namespace patra::app
