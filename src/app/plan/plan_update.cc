#include "app/plan/plan_update.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/plan/candidate_ids.h"
#include "app/plan/plan_draft.h"
#include "app/plan/plan_remarks.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/cursor/refresh_progress.h"
#include "domain/plan/price.h"
#include "domain/plan/provenance_config.h"

namespace patra::app {
namespace {

using std::chrono::days;

constexpr int kSignalsPerTransaction = 1'000;
constexpr int kSignalTakesMax = 1'000;

// Ages of days count whole days, so that every trigger of a day means the same records.
Instant StaleBefore(const StaleRecords& stale, Instant now) {
  if (stale.older_than >= days(1)) return std::chrono::floor<days>(now) - stale.older_than;
  return std::chrono::floor<std::chrono::seconds>(now) - stale.older_than;
}

// What the plan has to remember of its candidates, so that anybody can go on with it.
Value ParamsOf(const StaleRecords& stale, Instant now) {
  const auto today = std::chrono::floor<days>(now).time_since_epoch().count();
  return Value::Object{{"by", "STALE"},
                       {domain::kCheckedTo, FormatRfc3339(StaleBefore(stale, now))},
                       {"buckets", stale.buckets},
                       {"bucket", std::int64_t{today % stale.buckets}}};
}
Value ParamsOf(const ChangedRecords& changed, Instant) {
  return Value::Object{
      {"by", "EXPR_CHANGED"},
      {"prototypes", Value::Array(changed.prototypes.begin(), changed.prototypes.end())}};
}
Value ParamsOf(const SignalledRecords&, Instant) { return Value::Object{{"by", "SIGNALS"}}; }
Value ParamsOf(const ListedRecords& listed, Instant) {
  std::string all;
  for (const auto& id : listed.ids) all += id + "\n";
  return Value::Object{{"by", "IDS"},
                       {"count", static_cast<std::int64_t>(listed.ids.size())},
                       {"hash", Sha256Hex(all)}};
}

bool IsSignals(const UpdateScope& scope) { return std::holds_alternative<SignalledRecords>(scope); }

// The parts of a round come to their ends apart from each other.
std::string CursorKeyOf(const UpdateScope& scope, const Value& params) {
  if (IsSignals(scope)) return std::string(domain::kSignalId);
  const auto* stale = std::get_if<StaleRecords>(&scope);
  if (stale == nullptr || stale->buckets == 1) return std::string(domain::kRefreshCheckedAt);
  return fmt::format("{}/{}-of-{}", domain::kRefreshCheckedAt,
                     *params.Find("bucket")->AsInteger() + 1, stale->buckets);
}

Result<void> Check(const UpdateCommand& command) {
  const auto& spec = command.spec;
  if (!spec.details) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{}/{} has no endpoint that gives records by their ids",
                            spec.provenance, spec.endpoint),
                {}, "add `refresh: ENDPOINT` with `role: detail` to the definition");
  }
  if (const auto* stale = std::get_if<StaleRecords>(&command.scope)) {
    if (stale->buckets < 1 || stale->buckets > kBucketsMax)
      return Fail(ErrorCode::kInvalidInput, fmt::format("{} parts a round", stale->buckets), {},
                  fmt::format("1 to {}", kBucketsMax));
  }
  if (const auto* listed = std::get_if<ListedRecords>(&command.scope)) {
    if (listed->ids.empty()) return Fail(ErrorCode::kInvalidInput, "the list of ids is empty");
    if (listed->ids.size() > kListedIdsMax)
      return Fail(ErrorCode::kLimit, fmt::format("{} ids are too many", listed->ids.size()), {},
                  fmt::format("at most {} at a time: split the list", kListedIdsMax));
  }
  return {};
}

// Ids as the records have them: where their case means nothing, people write them in any.
UpdateScope Normalised(UpdateScope scope, domain::TextCase id_case) {
  if (auto* listed = std::get_if<ListedRecords>(&scope)) {
    for (auto& id : listed->ids) id = domain::InCase(std::move(id), id_case);
    std::ranges::sort(listed->ids);
    const auto repeated = std::ranges::unique(listed->ids);
    listed->ids.erase(repeated.begin(), repeated.end());
  }
  return scope;
}

}  // namespace

Result<Planned> PlanUpdate::Run(const UpdateCommand& asked) {
  PATRA_TRY(Check(asked));
  auto command = asked;
  command.scope = Normalised(std::move(command.scope), command.spec.details->response.id_case);
  const auto& options = command.options;
  const auto lane = LaneOf(command.spec, domain::Operation::kUpdate);
  if (const auto held =
          PATRA_TRY(writer_.Held(lane, domain::SpecFingerprint(command.spec), options)))
    return *held;

  const auto params = std::visit(
      [&](const auto& scope) { return ParamsOf(scope, ports_.clock.Now()); }, command.scope);
  auto plan = PATRA_TRY(Draft(command, params, 0));
  // Signals are done with once their ids are in slices: only those slices still know them.
  TriedAgain tried;
  if (IsSignals(command.scope))
    tried = PATRA_TRY(try_again_.OfActivity(lane, plan.query_hash, options));
  auto planned = PATRA_TRY(PlanNew(command, lane, std::move(plan)));
  if (const auto* listed = std::get_if<ListedRecords>(&command.scope))
    planned.asked_ids = listed->ids;
  return With(std::move(planned), tried);
}

Result<Planned> PlanUpdate::PlanNew(const UpdateCommand& command, const domain::Lane& lane,
                                    domain::Plan plan) {
  const auto& options = command.options;
  const auto open = OpenIds(command);
  ReplacedPlans older;
  // Signals belong to the plan that took them.
  if (!IsSignals(command.scope))
    older = PATRA_TRY(older_.OfActivity(lane, plan.cursor, plan.snapshot_hash, options));
  const auto uncut = PATRA_TRY(ports_.plans.FindUncut(lane, plan.cursor));
  if (uncut && !options.again && !older.IsWithdrawn(*uncut))
    return With(PATRA_TRY(Settled(PATRA_TRY(writer_.Continue(*uncut, command.spec, options, open)),
                                  command)),
                older);

  auto preview = PATRA_TRY(IsSignals(command.scope)
                               ? PreviewSignals(command)
                               : writer_.Preview(Unstored(plan), command.spec, options, open));
  if (options.dry_run) return preview;
  if (preview.slices == 0) return With({.reason = "no record has to be fetched again"}, older);

  plan.trigger_id = PATRA_TRY(writer_.RecordTrigger(lane, options));
  plan.remarks = PlanRemarks({command.spec, plan, options, *preview.price, ""});
  auto writing = options;
  // Who lists records wants them now, whatever came of the list before.
  writing.repeats = options.tries_again && std::holds_alternative<ListedRecords>(command.scope);
  auto planned = PATRA_TRY(writer_.Write(std::move(plan), writing, open));
  planned.price = preview.price;
  return With(PATRA_TRY(Settled(std::move(planned), command)), older);
}

Result<Planned> PlanUpdate::TakeRest(const StoredPlan& stored, const PlanOptions& options) {
  const auto* by = stored.plan.slice_params.Find("by");
  if (by != nullptr && *by == Value("IDS"))
    return Planned{.kind = Planned::Kind::kAlreadyPlanned,
                   .plan = stored.plan.id,
                   .is_partial = true,
                   .reason = "its list of ids is with whoever gave it"};
  UpdateCommand command{.spec = {}, .options = options};
  if (by == nullptr || *by != Value("SIGNALS")) command.scope = StaleRecords{};
  const auto planned = PATRA_TRY(writer_.TakeRest(stored, options, OpenIds(command)));
  return Settled(planned, command);
}

// Signals are taken by a plan that exists; before, they can only be counted.
Result<Planned> PlanUpdate::PreviewSignals(const UpdateCommand& command) const {
  const auto& spec = command.spec;
  const auto waiting = PATRA_TRY(ports_.signals.CountOpen(spec.provenance, spec.endpoint));
  const auto per_slice = static_cast<std::int64_t>(limits_.ids_per_slice_max);
  const auto slices = (waiting + per_slice - 1) / per_slice;
  return Planned{.kind = Planned::Kind::kPriced,
                 .slices = static_cast<int>(slices),
                 .price = domain::PriceOfIds(spec, slices, waiting, {})};
}

// When all ids are in slices, the signals that brought them are done with.
Result<Planned> PlanUpdate::Settled(Planned planned, const UpdateCommand& command) const {
  if (IsSignals(command.scope) && !command.options.dry_run && !planned.is_partial)
    PATRA_TRY(ports_.signals.Settle(planned.plan));
  return planned;
}

// The slices of an UPDATE say which ids, not which stretch of time: their window is the day they are for.
// Their query is the activity, so that nothing of the source's time counts as proven by them.
Result<domain::Plan> PlanUpdate::Draft(const UpdateCommand& command, const Value& params,
                                       Id trigger) const {
  const auto& spec = command.spec;
  const auto& options = command.options;
  const Instant today = std::chrono::floor<days>(ports_.clock.Now());
  const auto window = PATRA_TRY(domain::Window::Between(today, today + days(1)));
  const auto lane = LaneOf(spec, domain::Operation::kUpdate);
  const auto activity = CanonicalJson(params);
  const auto query_hash = Sha256Hex(activity);
  // A round by age or mapping goes on whatever the day; lists differ by what they list.
  const auto* by = params.Find("by");
  const auto* hash = params.Find("hash");
  const Value kind = Value::Object{{"by", *by}, {"hash", hash == nullptr ? Value() : *hash}};
  auto slice_params = params;
  if (!IsSignals(command.scope) && slice_params.Find(domain::kCheckedTo) == nullptr)
    slice_params.AsObject()->emplace(domain::kCheckedTo, FormatRfc3339(ports_.clock.Now()));
  auto key = domain::PlanKey(lane, query_hash, window);
  if (IsSignals(command.scope)) key += fmt::format("/{}", ports_.ids.Next());
  auto snapshot = CanonicalJson(spec.ToValue());
  return domain::Plan{
      .id = ports_.ids.Next(),
      .trigger_id = trigger,
      .key = std::move(key),
      .lane = lane,
      .query_hash = query_hash,
      .cursor = domain::ActivityNamespace(lane, "", kind, CursorKeyOf(command.scope, params)),
      .snapshot = snapshot,
      .snapshot_hash = Sha256Hex(snapshot),
      .config = domain::ProvenanceConfig(spec),
      .expr_proto_hash = domain::ExprPrototypeHash(spec),
      .slice_strategy = params.Find("bucket") == nullptr ? "ID_RANGE" : "ID_HASH",
      .slice_params = std::move(slice_params),
      .window = window,
      .priority = options.priority.value_or(domain::DefaultPriority(lane.operation))};
}

PlanWriter::OpenSource PlanUpdate::OpenIds(const UpdateCommand& command) const {
  const auto* listed = std::get_if<ListedRecords>(&command.scope);
  auto ids = listed == nullptr ? std::vector<std::string>{} : listed->ids;
  const bool takes_signals = IsSignals(command.scope) && !command.options.dry_run;
  return [this, ids = std::move(ids), takes_signals](
             const StoredPlan& plan,
             const domain::SpecSnapshot& spec) -> Result<std::unique_ptr<SliceSource>> {
    // A taken signal belongs to this plan, also if the planner dies here: the next one finds it again.
    const auto& lane = plan.plan.lane;
    for (int i = 0; takes_signals && i < kSignalTakesMax; ++i) {
      const auto taken = PATRA_TRY(ports_.signals.TakeFor(plan.plan.id, lane.provenance,
                                                          lane.endpoint, kSignalsPerTransaction));
      if (taken.size() < kSignalsPerTransaction) break;
    }
    auto candidates = PATRA_TRY(OpenCandidates(ports_, plan.plan, spec, ids));
    return IdSource(std::move(candidates), plan, limits_.ids_per_slice_max);
  };
}

}  // namespace patra::app
