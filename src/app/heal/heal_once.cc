#include "app/heal/heal_once.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/duration.h"
#include "domain/alert/alert_kind.h"
#include "domain/spec/source_rules.h"

namespace patra::app {
namespace {

domain::Actor Healer() { return {.name = std::string(kHealActor), .way = domain::Way::kHealing}; }

using domain::HealAction;
using Healing = HealAction::Kind;

constexpr int kRecentMax = 10'000;

// What people should hear of; the rest is for the journal.
std::optional<domain::AlertKind> AlertFor(Healing action) {
  if (action == Healing::kReview) return domain::AlertKind::kHealingReview;
  if (action == Healing::kWakeExecutors) return domain::AlertKind::kExecutorsMissing;
  return std::nullopt;
}

// What makes the requests of a lane fewer for a while.
bool SlowsDown(Healing action) {
  return action == Healing::kSlowDown || action == Healing::kHalveRate ||
         action == Healing::kOpenCircuit || action == Healing::kLowerConcurrency ||
         action == Healing::kShrinkPage;
}

// What an action is about. The same one is taken once in a while, whatever numbers it was taken for.
using Identity = std::tuple<std::string, std::string, std::string, std::string, Id, Id, Id>;

Identity IdentityOf(const domain::Lane& lane, std::string action, Id plan, Id slice, Id task) {
  return {
      lane.provenance, lane.endpoint, std::string(Code(lane.operation)), std::move(action), plan,
      slice,           task};
}

// A pause that only a person ends is another thing than one that ends by itself: the one does not make up for the
// other.
std::string NameOf(std::string code, bool has_end) {
  return code == Code(Healing::kPausePlanner) && !has_end ? code + "/endless" : code;
}

std::string NameOf(const HealAction& action) {
  return NameOf(std::string(Code(action.kind)), action.span.has_value());
}

std::string NameIn(const HealEntry& entry) {
  const auto did = ParseJson(entry.did);
  const auto* action = did ? did->Find("action") : nullptr;
  const auto* code = action == nullptr ? nullptr : action->AsString();
  return code == nullptr ? std::string() : NameOf(*code, did->Find("span") != nullptr);
}

}  // namespace

// What the gate knows, read once a round: lanes that share a key are judged by the same state, also after one of
// them was acted on.
struct HealOnce::GateView {
  struct Way {
    domain::GateTarget target;
    domain::GateRules rules;
  };

  std::vector<GateStatus> keys{};
  std::vector<QuotaWindow> quotas{};
  std::map<std::string, std::set<std::string>> well{};  // by key, who uses it and does well

  // Every credential has its own pace where the provider counts by credential.
  std::vector<domain::GateTarget> TargetsOf(const domain::GateRules& rules,
                                            domain::GateTarget target) const {
    const auto prefix = domain::GateKey(rules.feedback_scope, target);
    std::vector<domain::GateTarget> targets;
    if (prefix.ends_with('#')) {
      for (const auto& status : keys) {
        if (!status.key.starts_with(prefix)) continue;
        target.credential = status.key.substr(prefix.size());
        targets.push_back(target);
      }
    }
    if (targets.empty()) targets.push_back(target);
    return targets;
  }

  // Where the requests of a lane go through: what is seen of its work does not tell the phases apart. Phases that
  // share a pace are one way.
  std::vector<Way> WaysOf(const domain::SpecSnapshot& spec) const {
    std::vector<Way> ways;
    std::set<std::string> paces;
    for (const auto phase : {domain::Phase::kSearch, domain::Phase::kDetail}) {
      if (phase == domain::Phase::kDetail && !spec.details) continue;
      const auto rules = GateRulesOf(spec, phase);
      for (const auto& target : TargetsOf(rules, GateTargetOf(spec, phase))) {
        if (paces.insert(domain::GateKey(rules.feedback_scope, target)).second)
          ways.push_back({target, rules});
      }
    }
    return ways;
  }

  // How the gate sees the lane, which the store does not know.
  void Tell(LaneHealth& lane) const {
    if (!lane.spec) return;
    std::set<std::string> own;
    std::set<std::string> own_parts;  // of the endpoint, where the pace is shared
    for (const auto& [target, rules] : WaysOf(*lane.spec)) {
      own.insert(domain::GateKey(rules.feedback_scope, target));
      // What an operation may spend is our own affair and says nothing about the source.
      for (const auto& limit : rules.limits) {
        if (limit.scope == domain::LimitScope::kOperation) continue;
        own.insert(domain::GateKey(limit.scope, target));
        if (limit.scope == rules.breaker_scope && limit.scope != rules.feedback_scope)
          own_parts.insert(domain::GateKey(limit.scope, target));
      }
    }
    auto& seen = lane.seen;
    for (const auto& status : keys) {
      if (!own.contains(status.key)) continue;
      const auto share = static_cast<double>(status.share_ppm) / 1e6;
      seen.rate_share = std::min(seen.rate_share.value_or(share), share);
    }
    for (const auto& window : quotas) {
      if (!own.contains(domain::GateKeyOfQuota(window.key)) || window.from > seen.now ||
          window.allowed <= 0)
        continue;
      const auto left = static_cast<double>(window.allowed - window.reserved) /
                        static_cast<double>(window.allowed);
      if (seen.budget_left && *seen.budget_left <= left) continue;
      seen.budget_left = left;
      seen.budget_until = window.to - seen.now;
      seen.is_budget_own_part = own_parts.contains(domain::GateKeyOfQuota(window.key));
    }
  }

  void NoteIfWell(const LaneHealth& lane) {
    const auto& seen = lane.seen;
    const bool is_well =
        seen.batches > 0 && seen.failures_in_a_row == 0 && 2 * seen.l1 < seen.batches;
    if (!lane.spec || !is_well) return;
    for (const auto& [target, rules] : WaysOf(*lane.spec))
      well[domain::GateKey(rules.feedback_scope, target)].insert(EndpointOf(seen.lane));
  }

  bool IsSharedByOthersWhoDoWell(const std::string& key, const domain::Lane& lane) const {
    const auto users = well.find(key);
    return users != well.end() && std::ranges::any_of(users->second, [&](const std::string& user) {
             return user != EndpointOf(lane);
           });
  }

  static std::string EndpointOf(const domain::Lane& lane) {
    return lane.provenance + "/" + lane.endpoint;
  }
};

Result<std::vector<HealEntry>> HealOnce::Run() {
  const auto now = ports_.clock.Now();
  std::set<Identity> recent;
  for (const auto& entry : PATRA_TRY(ports_.journal.List("", now - policy_.pause, kRecentMax))) {
    recent.insert(IdentityOf(entry.lane, NameIn(entry), entry.about.plan, entry.about.slice,
                             entry.about.task));
  }
  auto lanes = PATRA_TRY(ports_.health.Observe(policy_));
  auto gate = PATRA_TRY(LookAtGate());
  for (const auto& lane : lanes) gate.NoteIfWell(lane);
  std::vector<HealEntry> done;
  std::set<std::string> firing;
  for (auto& lane : lanes) {
    gate.Tell(lane);
    const auto& seen = lane.seen;
    for (const auto& action : domain::Decide(seen, policy_)) {
      PATRA_TRY(Alarm(lane, action, firing));
      const auto identity =
          IdentityOf(seen.lane, NameOf(action), action.plan, action.slice, action.task);
      if (!recent.insert(identity).second) continue;
      HealEntry entry{.lane = seen.lane,
                      .saw = CanonicalJson(seen.ToValue()),
                      .did = CanonicalJson(action.ToValue()),
                      .about = {.plan = action.plan, .slice = action.slice, .task = action.task},
                      .at = now};
      const auto result = Act(lane, gate, action);
      entry.result = result ? *result : "failed: " + result.error().Describe();
      if (result && SlowsDown(action.kind)) PATRA_TRY(NoteSlowDown(lane, action, entry));
      PATRA_TRY(ports_.journal.Add(entry));
      done.push_back(std::move(entry));
    }
  }
  PATRA_TRY(CalmDown(firing));
  PATRA_TRY(ports_.health.NoteQueues(lanes));
  return done;
}

// Whoever looks at the plan sees why it takes longer.
Result<void> HealOnce::NoteSlowDown(const LaneHealth& lane, const HealAction& action,
                                    const HealEntry& entry) {
  if (lane.newest_plan == 0) return {};
  return ports_.plans.NoteSlowDown(lane.newest_plan, Value::Object{{"at", FormatRfc3339(entry.at)},
                                                                   {"by", kHealActor},
                                                                   {"action", Code(action.kind)},
                                                                   {"reason", action.reason},
                                                                   {"result", entry.result}});
}

Result<void> HealOnce::Alarm(const LaneHealth& lane, const HealAction& action,
                             std::set<std::string>& firing) {
  const auto kind = AlertFor(action.kind);
  if (ports_.alerts == nullptr || !kind) return {};
  const auto& of = lane.seen.lane;
  const domain::AlertAbout about{.source = of.provenance,
                                 .endpoint = of.endpoint,
                                 .name = fmt::format("{}/{}", of.endpoint, Code(of.operation))};
  if (!firing.insert(domain::AlertKey(*kind, about)).second) return {};
  return ports_.alerts->Raise(
      domain::AlertOf(*kind, about, action.reason, CanonicalJson(action.ToValue())));
}

Result<void> HealOnce::CalmDown(const std::set<std::string>& firing) {
  if (ports_.alerts == nullptr) return {};
  for (const auto& alert : PATRA_TRY(ports_.alerts->List({.alerts_max = kRecentMax}))) {
    if (alert.key.starts_with(domain::kHealingAlerts) && !firing.contains(alert.key))
      PATRA_TRY(ports_.alerts->Resolve(alert.key));
  }
  return {};
}

Result<HealOnce::GateView> HealOnce::LookAtGate() {
  GateView view;
  if (ports_.gate != nullptr) view.keys = PATRA_TRY(ports_.gate->List());
  if (ports_.quotas != nullptr) view.quotas = PATRA_TRY(ports_.quotas->Quotas(ports_.clock.Now()));
  return view;
}

Result<std::string> HealOnce::Act(const LaneHealth& lane, const GateView& gate,
                                  const HealAction& action) {
  using enum HealAction::Kind;
  const auto& of = lane.seen.lane;
  const Decision decision{.actor = Healer(), .reason = action.reason};
  domain::Hold hold{.provenance = of.provenance, .endpoint = of.endpoint, .reason = action.reason};
  switch (action.kind) {
    case kSlowDown:
    case kHalveRate:
    case kOpenCircuit:
      return TellGate(lane, gate, action);
    case kLowerConcurrency:
      return Adjust(lane, action, AdjustmentKind::kConcurrency,
                    std::llround(action.amount.value_or(1)));
    case kShrinkPage:
      return Adjust(lane, action, AdjustmentKind::kPageSize,
                    std::llround(action.amount.value_or(1)));
    case kRaiseSafetyLag:
      return Adjust(lane, action, AdjustmentKind::kSafetyLag, action.span->count());
    case kHoldCursor:
      return Adjust(lane, action, AdjustmentKind::kCursorHold, 1);
    case kReleaseCursor:
      PATRA_TRY(ports_.adjustments.TakeBack(of.provenance, of.endpoint, AdjustmentKind::kCursorHold,
                                            decision));
      return "the cursor goes on to what its events say";
    case kReslice:
      return AskSlice(action, domain::SliceRequest::kReslice);
    case kFailSlice:
      return AskSlice(action, domain::SliceRequest::kFail);
    case kPrepareBackfill:
      return PlanGap(lane, action);
    case kPausePlanner:
      return PausePlanner(of, action);
    case kStopSource:
      hold.is_fuse = true;
      PATRA_TRY(ports_.holds.Blow(hold, CanonicalJson(action.ToValue())));
      return "stopped until `‹fuse.reset›`";
    case kCancelPlan: {
      const auto cancelled = PATRA_TRY(ports_.plans.CancelPlan(action.plan, decision));
      return fmt::format("{} tasks withdrawn", cancelled.tasks);
    }
    case kMarkPartial:
      PATRA_TRY(ports_.plans.Remark(action.plan, Value::Object{{"heal", action.reason}}));
      PATRA_TRY(ports_.plans.Move(action.plan, domain::PlanStatus::kPartial));
      return "the plan is PARTIAL";
    case kTakeTaskAway:
      PATRA_TRY(ports_.queue.TakeAway(action.task, decision));
      return "back in the queue; its worker can commit nothing more";
    case kWakeExecutors:
      return "people are told: `‹work.run›` is not running, or the source is held";
    case kReview:
      break;
  }
  return "people are told to look at it";
}

Result<std::string> HealOnce::Adjust(const LaneHealth& lane, const HealAction& action,
                                     AdjustmentKind kind, std::int64_t value) {
  const auto& of = lane.seen.lane;
  Adjustment adjustment{.provenance = of.provenance,
                        .endpoint = of.endpoint,
                        .kind = kind,
                        .value = value,
                        .reason = action.reason,
                        .made_by = std::string(kHealActor)};
  // A cursor is held until its cause is gone; everything else is tried again after a while.
  if (kind != AdjustmentKind::kCursorHold) adjustment.until = ports_.clock.Now() + policy_.pause;
  PATRA_TRY(ports_.adjustments.Put(adjustment));
  switch (kind) {
    case AdjustmentKind::kPageSize:
      return fmt::format("pages of {} records until {}", value, FormatRfc3339(*adjustment.until));
    case AdjustmentKind::kConcurrency:
      return fmt::format("{} requests at a time until {}", value, FormatRfc3339(*adjustment.until));
    case AdjustmentKind::kSafetyLag:
      return fmt::format("windows end {} ago until {}", FormatDuration(Duration(value)),
                         FormatRfc3339(*adjustment.until));
    case AdjustmentKind::kCursorHold:
      break;
  }
  return "events go on, the value stays until records are good again, or `‹heal.release›`";
}

// A pause for a while does not shorten one without an end.
Result<std::string> HealOnce::PausePlanner(const domain::Lane& of, const HealAction& action) {
  domain::Hold pause{.provenance = of.provenance,
                     .endpoint = of.endpoint,
                     .reason = action.reason,
                     .only = domain::Role::kPlanner};
  if (action.span) {
    for (const auto& hold : PATRA_TRY(ports_.holds.Holds(domain::Role::kPlanner))) {
      if (hold.Covers(of.provenance, of.endpoint) && !hold.until)
        return fmt::format("nothing is planned as it is: {}", hold.reason);
    }
    pause.until = ports_.clock.Now() + *action.span;
  }
  PATRA_TRY(ports_.holds.Pause(pause, {.actor = Healer(), .reason = action.reason}));
  return pause.until ? fmt::format("no new plans until {}", FormatRfc3339(*pause.until))
                     : "no new plans until `‹source.resume›`";
}

Result<std::string> HealOnce::TellGate(const LaneHealth& lane, const GateView& gate,
                                       const HealAction& action) {
  if (ports_.gate == nullptr || !lane.spec)
    return "left to the rate gate, which adapts with every answer";
  const bool opens = action.kind == HealAction::Kind::kOpenCircuit;
  domain::GateSignal signal{.kind = opens ? domain::GateSignal::Kind::kOpenCircuit
                                          : domain::GateSignal::Kind::kSlowDown};
  signal.span = action.span.value_or(opens ? policy_.circuit_pause : policy_.pause);
  signal.share = std::llround(action.amount.value_or(1) * 1e6);
  bool is_told = false;
  for (const auto& [target, rules] : gate.WaysOf(*lane.spec)) {
    const auto key = domain::GateKey(rules.feedback_scope, target);
    if (action.spares_others && gate.IsSharedByOthersWhoDoWell(key, lane.seen.lane)) continue;
    PATRA_TRY(ports_.gate->Feedback(target, rules, signal));
    is_told = true;
  }
  if (!is_told) return "the rate stays: others share it, and do well";
  const auto until = FormatRfc3339(ports_.clock.Now() + signal.span);
  return opens ? fmt::format("no requests until {}", until)
               : fmt::format("no more than {:.0f} % of the rate until {}",
                             static_cast<double>(signal.share) / 1e4, until);
}

Result<std::string> HealOnce::AskSlice(const HealAction& action, domain::SliceRequest request) {
  const bool is_open =
      PATRA_TRY(ports_.adjustments.AskOfSlice(action.slice, request, action.reason));
  if (!is_open) return "the slice has ended";
  return request == domain::SliceRequest::kFail ? "it fails at the end of its next batch"
                                                : "it is cut at the end of its next batch";
}

Result<std::string> HealOnce::PlanGap(const LaneHealth& lane, const HealAction& action) {
  const auto& seen = lane.seen;
  if (ports_.backfill == nullptr || !lane.spec || !seen.cursor_lag)
    return "for a person: `‹backfill.gaps›` once the provider is well";
  const auto planned = PATRA_TRY(ports_.backfill->Run(
      {.spec = *lane.spec,
       .scope = BackfillGaps{.from = seen.now - *seen.cursor_lag, .to = seen.now},
       .options = {.origin = {.type = "HEAL", .params = action.ToValue()}}}));
  if (planned.plan == 0) return fmt::format("no backfill is due: {}", planned.reason);
  return fmt::format("backfill plan {} has {} slices", planned.plan, planned.slices);
}

}  // namespace patra::app
