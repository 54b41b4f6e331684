#include "app/plan/plan_harvest.h"

#include <algorithm>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/time.h"

namespace patra::app {
namespace {

// Small transactions, so that executors get their turn while a large plan is written.
constexpr std::size_t kSlicesPerTransaction = 500;

domain::Partition PartitionOf(const domain::SpecSnapshot& spec) {
  return {.provenance = spec.provenance,
          .endpoint = spec.endpoint,
          .operation = domain::Operation::kHarvest};
}

// Without a query language every harvest of an endpoint asks for the same: everything in the
// window.
std::string QueryHash() { return Sha256Hex("{}"); }

}  // namespace

Result<HarvestPlanned> PlanHarvest::Run(const HarvestCommand& command) {
  const auto now = clock_.Now();
  const auto partition = PartitionOf(command.spec);
  const auto cursor =
      domain::HarvestNamespace(partition, QueryHash(), command.spec.window.watermark_key);
  PATRA_TRY(cursors_.Settle(partition, cursor));
  const auto watermark = PATRA_TRY(cursors_.Watermark(partition, cursor));

  const auto window = DueWindow(command, watermark, now);
  if (!window)
    return HarvestPlanned{.kind = HarvestPlanned::Kind::kNothingDue, .watermark = watermark};

  const domain::Trigger trigger{.id = ids_.Next(), .fired_at = now, .partition = partition};
  PATRA_TRY(plans_.RecordTrigger(trigger));

  // Two planners may get here for one window. The plan key decides; the second adds nothing.
  auto plan = DraftPlan(command, trigger, *window);
  const auto added = PATRA_TRY(plans_.AddIfAbsent(plan));
  HarvestPlanned planned{.plan = added.id, .window = window, .watermark = watermark};
  const bool is_whole = !added.is_new && added.status != domain::PlanStatus::kDraft &&
                        added.status != domain::PlanStatus::kSlicing;
  if (is_whole) {
    planned.kind = HarvestPlanned::Kind::kAlreadyPlanned;
    return planned;
  }

  // A plan that a dead planner left half cut is taken over: its keys make the repetition harmless.
  plan.id = added.id;
  if (added.status == domain::PlanStatus::kDraft)
    PATRA_TRY(plans_.Move(plan.id, domain::PlanStatus::kSlicing));
  planned.slices = PATRA_TRY(CutIntoSlices(plan, command.spec.window.width, now));
  PATRA_TRY(plans_.Move(plan.id, domain::PlanStatus::kReady));
  planned.kind = HarvestPlanned::Kind::kCreated;
  return planned;
}

std::optional<domain::Window> PlanHarvest::DueWindow(const HarvestCommand& command,
                                                     std::optional<Instant> watermark,
                                                     Instant now) const {
  const auto& policy = command.spec.window;
  const auto from = command.from.value_or(watermark.value_or(policy.start));
  const auto safe_now = domain::FloorTo(now - policy.safety_lag, policy.align);
  const auto to = std::min(command.to.value_or(safe_now), safe_now);
  const auto window = domain::Window::Between(from, to);
  return window ? std::optional(*window) : std::nullopt;
}

domain::Plan PlanHarvest::DraftPlan(const HarvestCommand& command, const domain::Trigger& trigger,
                                    const domain::Window& window) const {
  const auto snapshot = CanonicalJson(command.spec.ToValue());
  const auto query_hash = QueryHash();
  return {.id = ids_.Next(),
          .trigger_id = trigger.id,
          .key = domain::PlanKey(trigger.partition, query_hash, window),
          .partition = trigger.partition,
          .query_hash = query_hash,
          .cursor = domain::HarvestNamespace(trigger.partition, query_hash,
                                             command.spec.window.watermark_key),
          .snapshot = snapshot,
          .snapshot_hash = Sha256Hex(snapshot),
          .expr_proto_hash = domain::ExprPrototypeHash(command.spec),
          .window = window,
          .priority = domain::DefaultPriority(trigger.partition.operation)};
}

Result<int> PlanHarvest::CutIntoSlices(const domain::Plan& plan, Duration width, Instant now) {
  auto work = domain::CutByTime(plan, width, now);
  for (auto& [slice, task] : work) {
    slice.id = ids_.Next();
    task.id = ids_.Next();
  }
  int added = 0;
  for (std::size_t first = 0; first < work.size(); first += kSlicesPerTransaction) {
    const auto group =
        std::span(work).subspan(first, std::min(kSlicesPerTransaction, work.size() - first));
    added += PATRA_TRY(plans_.AddSlices(plan, group, group.back().slice.window.to()));
  }
  return added;
}

}  // namespace patra::app
