#include "app/plan/planner.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "app/plan/plan_draft.h"
#include "app/plan/plan_origins.h"
#include "app/plan/plan_wishes.h"
#include "app/plan/trigger_of.h"
#include "app/send/credentials.h"
#include "base/duration.h"
#include "base/moment.h"
#include "domain/spec/dictionary_types.h"

namespace patra::app {
namespace {

using domain::Operation;

// What the command said, for the schedule instance.
Value TriggerParams(const PlanRequest& request) {
  const auto* told = request.options.origin.params.AsObject();
  auto params = told == nullptr ? Value::Object() : *told;
  params["target"] = request.source.target;
  const auto add = [&](const char* name, const std::optional<std::string>& text) {
    if (text) params[name] = *text;
  };
  add("from", request.from);
  add("to", request.to);
  add("until", request.until);
  add("step", request.step);
  add("stale", request.stale);
  add("spread", request.spread);
  add("query", request.source.query);
  add("rate", request.source.rate);
  if (request.source.page_size) params["pageSize"] = *request.source.page_size;
  if (request.options.requests_max) params["maxRequests"] = *request.options.requests_max;
  if (request.options.priority) params["priority"] = std::int64_t{*request.options.priority};
  if (request.options.tasks_at_once)
    params["tasksAtOnce"] = std::int64_t{*request.options.tasks_at_once};
  if (request.parts) params["parts"] = std::int64_t{*request.parts};
  if (request.gaps) params["gaps"] = true;
  if (request.further) params["auto"] = true;
  if (request.signals) params["signals"] = true;
  if (request.expr_changed) params["exprChanged"] = true;
  if (!request.ids.empty()) params["ids"] = static_cast<std::int64_t>(request.ids.size());
  if (request.options.again) params["again"] = true;
  return params;
}

// The registry does not know in which line of which file a value stood. Where the folder's definition makes the same of it,
// its places are those of the plan.
std::vector<domain::Origin> OriginsOf(const ResolvedSource& source, const ResolveRequest& request,
                                      const RegistrySync& folder) {
  auto placed = ResolveSource(folder.definitions, request, folder.scene);
  const bool is_same =
      placed && domain::SpecFingerprint(placed->spec) == domain::SpecFingerprint(source.spec);
  if (!is_same) return source.origins;
  return std::move(placed->origins);
}

PlanOptions OptionsOf(const PlanRequest& request, const ResolvedSource& source) {
  auto options = request.options;
  options.origin.params = TriggerParams(request);
  options.resolution = Value::Object{{"endpoint", source.spec.endpoint},
                                     {"endpointBy", source.found_by},
                                     {"operation", Code(request.source.operation)},
                                     {"operationBy", "EXPLICIT"},
                                     {"trigger", options.origin.type}};
  options.warnings = source.warnings;
  options.compiled_in = source.took;
  options.origins = OriginsJson(source.origins);
  return options;
}

// Who fired, in words that the dictionary has.
Result<void> CheckOrigin(const TriggerOrigin& origin, const ResolveScene& scene) {
  if (!scene.codes) return {};
  PATRA_TRY(scene.codes->Check(std::string(domain::kDictionaryOfTriggers), origin.type));
  return scene.codes->Check(std::string(domain::kDictionaryOfSchedulers), origin.scheduler);
}

}  // namespace

Result<Planner::FirstAsk> Planner::Preview(PlanRequest request) {
  request.options.dry_run = true;
  const auto now = ports_.clock.Now();
  const auto folder = PATRA_TRY(Definitions(request, now));
  if (!folder.problems.empty()) return FirstAsk{.problems = folder.problems};
  const auto source = ResolveSource(folder.definitions, request.source, folder.scene);
  if (!source) {
    FirstAsk refused{.problems = source.error()};
    AddLeftOut(refused.problems, folder.left_out);
    return refused;
  }
  const auto& spec = source->spec;
  CredentialsSeen credentials;
  if (ports_.secrets != nullptr) credentials = LookAtCredentials(spec.auth, *ports_.secrets);
  if (credentials.missing) return FirstAsk{.problems = {*credentials.missing}};
  const auto safe_now = PATRA_TRY(SafeNow(spec, now));
  const auto to = PATRA_TRY(MomentOf(request.to, *source)).value_or(safe_now);
  const auto from = PATRA_TRY(MomentOf(request.from, *source)).value_or(to - spec.window.width);
  const auto window = domain::Window::Between(from, to);
  if (!window) return FirstAsk{.problems = {window.error()}};
  return FirstAsk{.spec = spec, .window = *window, .warnings = std::move(credentials.notes)};
}

Result<PlanReport> Planner::Run(const PlanRequest& request) {
  const auto begun = ports_.clock.Elapsed();
  const auto now = ports_.clock.Now();
  const auto target = domain::TargetOf(request.source.target);
  PlanReport report{.source = target.source, .endpoint = target.endpoint.value_or("")};
  RegistrySync sync;
  if (!request.options.dry_run && !request.reads_registry) {
    sync = PATRA_TRY(SyncRegistry(registry_, files_, request.sources_folder, request.source, now));
    report.applied = std::move(sync.changes);
    report.problems = std::move(sync.problems);
    if (!report.problems.empty()) return Refused(request, std::move(report));
  }

  // Of this moment, not of the one before: another planner may have applied a version of its own in between, and half of
  // it would be valid then.
  auto valid = PATRA_TRY(Definitions(request, ports_.clock.Now()));
  report.problems = std::move(valid.problems);
  if (!report.problems.empty()) return Refused(request, std::move(report));
  auto source = ResolveSource(valid.definitions, request.source, valid.scene);
  sync.scene = valid.scene;
  if (source) source->origins = OriginsOf(*source, request.source, sync);
  if (!source) {
    report.problems = source.error();
    AddLeftOut(report.problems, sync.left_out);
    AddLeftOut(report.problems, valid.left_out);
    return Refused(request, std::move(report));
  }
  if (const auto retired = WhyRetired(report.source, *source)) {
    report.problems = {*retired};
    return Refused(request, std::move(report));
  }
  if (const auto known = CheckOrigin(request.options.origin, valid.scene); !known) {
    report.problems = {known.error()};
    return Refused(request, std::move(report));
  }
  if (const auto refused = WhyUnreachable(request, source->spec)) {
    report.problems = {*refused};
    return Refused(request, std::move(report));
  }
  for (auto& warning : WarningsOf(sync)) source->warnings.push_back(std::move(warning));
  const bool sends = request.options.sends || request.options.asks;
  if (sends && ports_.secrets != nullptr) {
    auto credentials = LookAtCredentials(source->spec.auth, *ports_.secrets);
    if (credentials.missing) {
      report.problems = {*std::move(credentials.missing)};
      return Refused(request, std::move(report));
    }
    source->warnings.insert(source->warnings.end(), credentials.notes.begin(),
                            credentials.notes.end());
  }
  source->took = ports_.clock.Elapsed() - begun;
  report.endpoint = source->spec.endpoint;
  report.found_by = source->found_by;
  report.warnings = source->warnings;

  auto planned = Plan(request, *source);
  if (!planned && planned.error().code == ErrorCode::kInvalidInput) {
    report.problems = {planned.error()};
    return Refused(request, std::move(report));
  }
  if (!planned) return std::unexpected(planned.error());
  report.planned = *std::move(planned);
  return report;
}

// Every slice would fail for it. Behind a proxy it is the proxy that goes there.
std::optional<Error> Planner::WhyUnreachable(const PlanRequest& request,
                                             const domain::SpecSnapshot& spec) const {
  const bool is_sent = request.options.sends || request.options.asks;
  if (!is_sent || ports_.transport == nullptr || spec.http.proxy) return std::nullopt;
  const bool is_update = request.source.operation == Operation::kUpdate;
  const auto& http = is_update && spec.details ? spec.details->http : spec.http;
  const auto allowed = ports_.transport->Check(http.base_url);
  if (allowed) return std::nullopt;
  return Error(allowed.error()).While("http.base_url");
}

Result<Unproven> Planner::WhatIsUnproven(const Planned& planned) {
  auto unproven = PATRA_TRY(planned.asked ? UnprovenIn(*planned.asked) : UnprovenOf(planned.plan));
  if (!planned.answers_for) return unproven;
  std::vector<domain::Window> doubted;
  for (const auto& window : planned.doubted) {
    const auto& [lane, query_hash, whole] = *planned.answers_for;
    const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(lane, query_hash, window));
    std::ranges::move(proven.GapsIn(window), std::back_inserter(doubted));
  }
  if (doubted.empty()) return unproven;
  // Nobody is at it: that is why it is doubted.
  unproven.is_under_way = false;
  unproven.stretches.insert(unproven.stretches.begin(), doubted.begin(), doubted.end());
  return unproven;
}

Result<Unproven> Planner::UnprovenOf(Id plan) {
  Unproven unproven;
  if (plan == 0) return unproven;
  const auto slices = PATRA_TRY(ports_.plans.UnfinishedOf(plan));
  unproven.slices = static_cast<std::int64_t>(slices.size());
  const auto stored = PATRA_TRY(ports_.plans.Find(plan));
  const bool is_given_up = stored && (stored->status == domain::PlanStatus::kCancelled ||
                                      stored->status == domain::PlanStatus::kFailed);
  if (is_given_up) unproven.slices = std::max<std::int64_t>(unproven.slices, 1);
  return unproven;
}

Result<Unproven> Planner::UnprovenIn(const AskedFor& asked) {
  Unproven unproven;
  const auto& [lane, query_hash, window] = asked;
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(lane, query_hash, window));
  const auto gaps = proven.GapsIn(window);
  std::vector<domain::UnfinishedSlice> unfinished;
  for (const auto operation : {Operation::kHarvest, Operation::kBackfill}) {
    if (gaps.empty()) break;
    const domain::Lane other{lane.provenance, lane.endpoint, operation};
    const auto slices = PATRA_TRY(ports_.plans.Unfinished(other, query_hash, window));
    unfinished.insert(unfinished.end(), slices.begin(), slices.end());
  }
  auto due = domain::WithoutEarly(gaps, unfinished);
  unproven.stretches = std::move(due.stretches);
  unproven.not_before = due.not_before;
  auto idle = unproven.stretches;
  for (const auto operation : {Operation::kHarvest, Operation::kBackfill}) {
    const domain::Lane other{lane.provenance, lane.endpoint, operation};
    idle = PATRA_TRY(WithoutOpen(ports_.plans, other, query_hash, std::move(idle)));
  }
  unproven.is_under_way = !unproven.stretches.empty() && idle.empty();
  return unproven;
}

Result<std::int64_t> Planner::CountQuarantined(const PlanReport& report, Operation operation) {
  if (ports_.quarantine == nullptr) return 0;
  const auto& planned = report.planned;
  if (const auto& asked = planned.answers_for)
    return ports_.quarantine->CountOpenIn(asked->lane, asked->query_hash, asked->window);
  const domain::Lane lane{report.source, report.endpoint, operation};
  if (!planned.asked_ids.empty()) return ports_.quarantine->CountOpenAbout(lane, planned.asked_ids);
  return planned.plan == 0 ? 0 : ports_.quarantine->CountOpenOf(lane, planned.plan);
}

// Of the registry, the one source that is meant; of the others the names, where somebody may mean one of them. A dry run writes
// nothing, so it reads the definitions where they are newer than the registry.
Result<RegistrySync> Planner::Definitions(const PlanRequest& request, Instant now) {
  const auto stored =
      PATRA_TRY(registered_.Find(domain::TargetOf(request.source.target).source, now));
  RegistrySync sync;
  if (stored) sync.definitions.push_back(*stored);
  ResolveScene scene{.codes = PATRA_TRY(registered_.Codes(now))};
  if (!stored || !request.source.overrides.empty()) scene.others = PATRA_TRY(registry_.Names(now));
  if (request.options.dry_run && !request.reads_registry)
    sync = PATRA_TRY(
        WithFolder(std::move(sync.definitions), files_, request.sources_folder, request.source));
  sync.scene = std::move(scene);
  return sync;
}

Result<Planned> Planner::Plan(const PlanRequest& request, const ResolvedSource& source) {
  auto options = OptionsOf(request, source);
  if (!options.priority) options.priority = limits_.PriorityOf(request.source.operation);
  if (request.spread) options.spread = PATRA_TRY(SpreadOf(*request.spread));
  switch (request.source.operation) {
    case Operation::kHarvest: {
      const auto from = PATRA_TRY(MomentOf(request.from, source));
      const auto to = PATRA_TRY(MomentOf(request.to, source));
      if (from && to) PATRA_TRY(domain::Window::Between(*from, *to));
      return harvest_.Run(
          {.spec = source.spec, .from = from, .to = to, .options = std::move(options)});
    }
    case Operation::kBackfill: {
      const auto scope = PATRA_TRY(BackfillOf(request, source));
      return backfill_.Run({.spec = source.spec, .scope = scope, .options = std::move(options)});
    }
    case Operation::kUpdate:
      break;
  }
  auto scope = PATRA_TRY(UpdateOf(request, source));
  return update_.Run(
      {.spec = source.spec, .scope = std::move(scope), .options = std::move(options)});
}

Result<BackfillScope> Planner::BackfillOf(const PlanRequest& request,
                                          const ResolvedSource& source) const {
  PATRA_TRY(CheckWishes(request));
  const auto from = PATRA_TRY(MomentOf(request.from, source));
  const auto to = PATRA_TRY(MomentOf(request.to, source));
  if (request.further) {
    BackfillAuto further{.until = PATRA_TRY(MomentOf(request.until, source))};
    if (request.step) further.step = PATRA_TRY(ParseDuration(*request.step));
    if (further.step <= Duration::zero())
      return std::unexpected(
          WrongWish("a step into the past is longer than nothing", "‹wish.step 30d›"));
    return further;
  }
  if (request.gaps) return BackfillGaps{from, to};
  return BackfillRange{*from, *to};
}

Result<UpdateScope> Planner::UpdateOf(const PlanRequest& request,
                                      const ResolvedSource& source) const {
  PATRA_TRY(CheckWishes(request));
  if (!request.ids.empty()) return ListedRecords{request.ids};
  if (request.expr_changed) return ChangedRecords{source.prototypes};
  if (request.signals) return SignalledRecords{};
  const auto& target = source.spec.freshness;
  if (request.stale->empty() && !target)
    return std::unexpected(
        WrongWish(fmt::format("{}/{} does not say how fresh its records should be",
                              source.spec.provenance, source.spec.endpoint),
                  "‹wish.stale 30d›, or `freshness: 30d` in the definition"));
  const auto age =
      request.stale->empty() ? target->within : PATRA_TRY(ParseDuration(*request.stale));
  if (age < Duration::zero())
    return std::unexpected(
        WrongWish(fmt::format("no record is {} old", *request.stale), "‹wish.stale 30d›"));
  return StaleRecords{.older_than = age,
                      .buckets = request.parts.value_or(target ? target->parts : 1)};
}

Result<Planned> Planner::TakeRest(Id plan, const PlanRequest& request) {
  const auto stored = PATRA_TRY(ports_.plans.Find(plan));
  if (!stored) return Fail(ErrorCode::kNotFound, fmt::format("there is no plan {}", plan));
  const auto& lane = stored->plan.lane;
  for (const auto& hold : PATRA_TRY(ports_.holds.Holds(domain::Role::kPlanner))) {
    if (!hold.Covers(lane.provenance, lane.endpoint)) continue;
    return Planned{.kind = Planned::Kind::kHeld,
                   .plan = plan,
                   .is_partial = true,
                   .reason = hold.Describe(),
                   .hint = hold.Release(),
                   .is_fused = hold.is_fuse};
  }
  auto options = request.options;
  options.origin.params = TriggerParams(request);
  if (request.spread) options.spread = PATRA_TRY(SpreadOf(*request.spread));
  return lane.operation == Operation::kUpdate
             ? update_.TakeRest(*stored, options)
             : PlanWriter(ports_, limits_).TakeRest(*stored, options, OpenTime);
}

Result<std::optional<Instant>> Planner::MomentOf(const std::optional<std::string>& text,
                                                 const ResolvedSource& source) const {
  if (!text) return std::nullopt;
  const auto zone = PATRA_TRY(TimeZone::Find(source.spec.window.timezone));
  return PATRA_TRY(ParseMoment(*text, ports_.clock.Now(), zone));
}

Result<PlanReport> Planner::Refused(const PlanRequest& request, PlanReport report) {
  if (request.options.dry_run) return report;
  auto origin = request.options.origin;
  origin.params = TriggerParams(request);
  const auto trigger = TriggerOf(origin, ports_.ids.Next(), ports_.clock.Now(),
                                 {.provenance = report.source,
                                  .endpoint = report.endpoint,
                                  .operation = request.source.operation});
  PATRA_TRY(ports_.plans.RecordTrigger(trigger));
  Value::Array errors;
  for (const auto& problem : report.problems) errors.push_back(problem.Describe());
  PATRA_TRY(ports_.plans.RemarkOnTrigger(trigger.id, Value::Object{{"errors", std::move(errors)}}));
  return report;
}

}  // namespace patra::app
