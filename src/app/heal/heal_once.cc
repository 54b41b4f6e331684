#include "app/heal/heal_once.h"

#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/canonical_json.h"

namespace patra::app {
namespace {

using domain::HealAction;
using Kind = HealAction::Kind;

constexpr std::string_view kActor = "patra heal";
constexpr int kRecentMax = 10'000;

// What an action is about. The same one is taken once in a while, whatever numbers it was taken for.
using Identity = std::tuple<std::string, std::string, std::string, std::string, Id, Id, Id>;

Identity IdentityOf(const domain::Partition& partition, std::string action, Id plan, Id slice,
                    Id task) {
  return {partition.provenance,
          partition.endpoint,
          std::string(Code(partition.operation)),
          std::move(action),
          plan,
          slice,
          task};
}

std::string ActionIn(const HealEntry& entry) {
  const auto did = ParseJson(entry.did);
  const auto* action = did ? did->Find("action") : nullptr;
  const auto* code = action == nullptr ? nullptr : action->AsString();
  return code == nullptr ? std::string() : *code;
}

// What a worker or the gate does by itself while it runs needs nobody else; what nothing can do is for people.
std::string_view WhoElse(Kind kind) {
  using enum HealAction::Kind;
  switch (kind) {
    case kSlowDown:
    case kHalveRate:
    case kLowerConcurrency:
    case kOpenCircuit:
      return "left to the rate gate, which adapts with every answer; see `patra gate list`";
    case kReslice:
    case kFailSlice:
      return "left to the executor, which decides page by page";
    case kShrinkPage:
      return "for a person: a smaller paging.size in the definition";
    case kRaiseSafetyLag:
      return "for a person: a longer window.safety_lag in the definition";
    case kHoldCursor:
      return "for a person: `patra source pause` keeps the watermark where it is";
    case kPrepareBackfill:
      return "for a person: `patra backfill --gaps` once the provider is well";
    case kWakeExecutors:
      return "for a person: `patra work` is not running, or the source is held";
    default:
      return "for a person to look at";
  }
}

}  // namespace

Result<std::vector<HealEntry>> HealOnce::Run() {
  const auto now = clock_.Now();
  std::set<Identity> recent;
  for (const auto& entry : PATRA_TRY(journal_.List("", now - policy_.pause, kRecentMax))) {
    recent.insert(IdentityOf(entry.partition, ActionIn(entry), entry.about.plan, entry.about.slice,
                             entry.about.task));
  }
  std::vector<HealEntry> done;
  for (const auto& seen : PATRA_TRY(health_.Observe(policy_))) {
    for (const auto& action : domain::Decide(seen, policy_)) {
      const auto identity = IdentityOf(seen.partition, std::string(Code(action.kind)), action.plan,
                                       action.slice, action.task);
      if (!recent.insert(identity).second) continue;
      HealEntry entry{.partition = seen.partition,
                      .saw = CanonicalJson(seen.ToValue()),
                      .did = CanonicalJson(action.ToValue()),
                      .about = {.plan = action.plan, .slice = action.slice, .task = action.task},
                      .at = now};
      const auto result = Act(seen.partition, action);
      entry.result = result ? *result : "failed: " + result.error().Describe();
      PATRA_TRY(journal_.Add(entry));
      done.push_back(std::move(entry));
    }
  }
  return done;
}

Result<std::string> HealOnce::Act(const domain::Partition& partition, const HealAction& action) {
  using enum HealAction::Kind;
  const Decision decision{.actor = std::string(kActor), .reason = action.reason};
  domain::Hold hold{
      .provenance = partition.provenance, .endpoint = partition.endpoint, .reason = action.reason};
  switch (action.kind) {
    case kPausePlanner:
      hold.only = domain::Role::kPlanner;
      if (action.span) hold.until = clock_.Now() + *action.span;
      PATRA_TRY(holds_.Pause(hold, decision));
      return hold.until ? fmt::format("no new plans until {}", FormatRfc3339(*hold.until))
                        : "no new plans until `patra source resume`";
    case kStopSource:
      hold.is_fuse = true;
      PATRA_TRY(holds_.Blow(hold, CanonicalJson(action.ToValue())));
      return "stopped until `patra fuse reset`";
    case kCancelPlan: {
      const auto cancelled = PATRA_TRY(plans_.CancelPlan(action.plan, decision));
      return fmt::format("{} tasks withdrawn", cancelled.tasks);
    }
    case kMarkPartial:
      PATRA_TRY(plans_.Remark(action.plan, Value::Object{{"heal", action.reason}}));
      PATRA_TRY(plans_.Move(action.plan, domain::PlanStatus::kPartial));
      return "the plan is PARTIAL";
    case kTakeTaskAway:
      PATRA_TRY(queue_.TakeAway(action.task, decision));
      return "back in the queue; its worker can commit nothing more";
    default:
      return std::string(WhoElse(action.kind));
  }
}

}  // namespace patra::app
