#include "app/plan/plan_writer.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/gate/allowance.h"
#include "app/plan/plan_draft.h"
#include "app/plan/replace_older.h"
#include "app/plan/slice_budget.h"
#include "app/plan/tell_planning.h"
#include "app/plan/trigger_of.h"
#include "app/send/credentials.h"
#include "base/canonical_json.h"
#include "domain/plan/id_batches.h"
#include "domain/plan/price.h"
#include "domain/spec/enumerator.h"

namespace patra::app {
namespace {

using domain::Enumerator;
using domain::PlanStatus;
using domain::SliceSpec;

constexpr int kShownSlices = 20;
constexpr std::size_t kShortHash = 12;

domain::SlicePagination FirstPosition(const domain::PagingSpec& paging) {
  domain::SlicePagination first{.style = paging.style};
  if (paging.style == domain::PagingStyle::kOffset) first.offset = 0;
  if (paging.style == domain::PagingStyle::kPage) first.page = paging.first_page;
  first.token = paging.first_token;
  return first;
}

// A window of a finished plan needs no planner any more.
bool NeedsNoPlanner(const StoredPlan& stored) {
  switch (stored.status) {
    case PlanStatus::kDraft:
    case PlanStatus::kSlicing:
      return false;
    case PlanStatus::kPartial:
      return stored.is_wholly_cut();
    default:
      return true;
  }
}

std::string WhyNotAgain(const StoredPlan& stored) {
  switch (stored.status) {
    case PlanStatus::kCancelled:
      return fmt::format("plan {} had this and was withdrawn", stored.plan.id);
    case PlanStatus::kFailed:
      return fmt::format("plan {} had this and could not be cut", stored.plan.id);
    case PlanStatus::kCompleted:
      return fmt::format("plan {} has this already", stored.plan.id);
    default:
      return fmt::format("plan {} has this and is not finished: this command joins in",
                         stored.plan.id);
  }
}

// How many slices the plan was expected to have when it was made.
std::int64_t SlicesOf(const domain::Plan& plan) {
  const auto* member = plan.remarks.Find("sliceCount");
  const auto* count = member == nullptr ? nullptr : member->AsInteger();
  return count == nullptr ? std::numeric_limits<std::int64_t>::max() : *count;
}

// In which most requests of the plan are made.
domain::Phase PhaseOf(const domain::SpecSnapshot& spec) {
  const auto enumeration = domain::EnumerationOf(spec);
  const bool asks_by_id = enumeration.kind == Enumerator::kExistingSet && enumeration.gives_ids;
  return asks_by_id ? domain::Phase::kDetail : domain::Phase::kSearch;
}

bool IsOurFault(const Error& error) {
  return error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kCorruption;
}

}  // namespace

// One round of cutting: the plan, what it may cost, and how far it has come.
struct PlanWriter::Cutting {
  const StoredPlan& stored;
  domain::Plan plan;  // the stored one, and whose allowance it spends
  const PlanOptions& options;
  domain::SpecSnapshot spec;
  std::optional<domain::SliceHistory> history;
  std::optional<domain::GateEstimate> estimate;
  std::vector<std::string> credentials{};
  std::int64_t open_tasks_max = 0;  // of the source, endpoint and operation
  std::int64_t room = 0;            // tasks that the queue still takes
  std::int64_t requests_left = 0;   // that this trigger may plan
  std::int64_t allowance = 0;       // requests that the provider allows and nobody has planned
  bool is_first = true;             // nobody else has planned any
  std::string stopped{};            // why there is no room for the next slice
  std::int64_t seen = 0;            // slices of this round, for the spread
  std::int64_t records = 0;         // of UPDATE: ids
  int added = 0;
  std::optional<std::string> position{};  // how far the plan is cut, where time does not tell
};

Result<Id> PlanWriter::RecordTrigger(const domain::Lane& lane, const PlanOptions& options) {
  const auto trigger = TriggerOf(options.origin, ports_.ids.Next(), ports_.clock.Now(), lane);
  PATRA_TRY(ports_.plans.RecordTrigger(trigger));
  return trigger.id;
}

Result<Planned> PlanWriter::Write(domain::Plan plan, const PlanOptions& options,
                                  const OpenSource& open) {
  const auto begun = ports_.clock.Elapsed() - options.compiled_in;
  const auto added = PATRA_TRY(Add(plan, options));
  const auto stored = PATRA_TRY(ports_.plans.Find(added.id));
  PATRA_ASSERT(stored.has_value());
  if (!added.is_new) TellMet(ports_.log, stored->plan, "plan", 1);
  auto planned = PATRA_TRY(Cut(*stored, options, open));
  planned.is_continued = !added.is_new;
  if (added.is_new) TellPlanned(ports_, stored->plan, planned, options.compiled_in, begun);
  return planned;
}

Result<PlanAdded> PlanWriter::Add(domain::Plan& plan, const PlanOptions& options) {
  // Two planners may get here for one window. The plan key decides; the second goes on with the first's.
  plan.correlation = domain::CorrelationOf(plan.trigger_id, options.origin.log_id);
  plan.origins = options.origins;
  if (options.again) plan.key += fmt::format("/again-{}", plan.trigger_id);
  const auto key = plan.key;
  auto added = PATRA_TRY(ports_.plans.AddIfAbsent(plan));
  if (added.is_new) return added;
  auto stored = PATRA_TRY(ports_.plans.Find(added.id));
  PATRA_ASSERT(stored.has_value());
  // Each repetition has its key by the one before it, so that of two planners again only one makes it. One that is under way
  // is joined, and what failed in one is tried again instead, as often as commands may.
  while (PATRA_TRY(MayRepeat(*stored, options, ports_.cursors))) {
    plan.key = fmt::format("{}/after-{}", key, added.id);
    added = PATRA_TRY(ports_.plans.AddIfAbsent(plan));
    if (added.is_new) return added;
    stored = PATRA_TRY(ports_.plans.Find(added.id));
    PATRA_ASSERT(stored.has_value());
  }
  const bool is_other = stored->plan.snapshot_hash != plan.snapshot_hash;
  if (!is_other || !NeedsNoPlanner(*stored)) return added;
  // What failed may have failed for the definition's sake.
  if (PATRA_TRY(ports_.plans.UnfinishedOf(added.id)).empty()) return added;
  plan.key += fmt::format("/spec-{}", plan.snapshot_hash.substr(0, kShortHash));
  return ports_.plans.AddIfAbsent(plan);
}

Result<Planned> PlanWriter::Continue(Id plan, const domain::SpecSnapshot& wished,
                                     const PlanOptions& options, const OpenSource& open) {
  const auto stored = PATRA_TRY(ports_.plans.Find(plan));
  if (!stored) return Fail(ErrorCode::kNotFound, fmt::format("there is no plan {}", plan));
  const bool keeps_wishes = stored->plan.snapshot_hash != domain::SpecFingerprint(wished);
  if (options.dry_run) {
    const auto snapshot = PATRA_TRY(ParseJson(stored->plan.snapshot));
    const auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
    auto preview = PATRA_TRY(Preview(*stored, spec, options, open));
    preview.plan = plan;
    preview.is_continued = true;
    preview.keeps_wishes = keeps_wishes;
    return preview;
  }
  const auto trigger = PATRA_TRY(RecordTrigger(stored->plan.lane, options));
  PATRA_TRY(ports_.plans.RemarkOnTrigger(
      trigger, Value::Object{{"continues", fmt::to_string(stored->plan.id)}}));
  auto planned = PATRA_TRY(Cut(*stored, options, open));
  planned.is_continued = true;
  planned.keeps_wishes = keeps_wishes;
  if (planned.kind != Planned::Kind::kCreated) return planned;
  return With(std::move(planned), PATRA_TRY(try_again_.OfPlan(*stored, options)));
}

Result<Planned> PlanWriter::TakeRest(const StoredPlan& stored, const PlanOptions& options,
                                     const OpenSource& open) {
  if (NeedsNoPlanner(stored))
    return Planned{.kind = Planned::Kind::kAlreadyPlanned,
                   .plan = stored.plan.id,
                   .reason = WhyNotAgain(stored)};
  auto planned = PATRA_TRY(Cut(stored, options, open));
  planned.is_continued = true;
  if (planned.slices == 0) return planned;
  const auto trigger = PATRA_TRY(RecordTrigger(stored.plan.lane, options));
  PATRA_TRY(ports_.plans.RemarkOnTrigger(
      trigger, Value::Object{{"continues", fmt::to_string(stored.plan.id)}}));
  return planned;
}

Result<Planned> PlanWriter::Preview(const StoredPlan& stored, const domain::SpecSnapshot& spec,
                                    const PlanOptions& options, const OpenSource& open) {
  auto cutting = PATRA_TRY(Prepare(stored, options));
  Planned preview{.kind = Planned::Kind::kPriced, .window = stored.plan.window};
  const auto source = PATRA_TRY(open(stored, spec));
  std::int64_t slices = 0;
  std::int64_t ids = 0;
  Duration covered{};
  while (auto next = PATRA_TRY(source->Next())) {
    if (cutting.stopped.empty() && !HasRoomFor(cutting, *next)) {
      preview.stops_after = static_cast<int>(slices);
      preview.reason = cutting.stopped;
    }
    if (slices++ < kShownSlices) preview.stretches.push_back(next->spec.window);
    ids += static_cast<std::int64_t>(next->ids.size());
    covered += next->spec.window.width();
  }
  preview.slices = static_cast<int>(slices);
  const auto history = PATRA_TRY(ports_.history.Of(stored.plan.lane, stored.plan.query_hash));
  const auto& plan = stored.plan;
  const auto enumeration = domain::EnumerationOf(spec);
  if (enumeration.kind == Enumerator::kExistingSet) {
    preview.price = domain::PriceOfIds(spec, slices, ids, history);
  } else if (!enumeration.knows_time) {
    const auto size = PATRA_TRY(ports_.history.ListSize(plan.lane, plan.query_hash));
    preview.price = domain::PriceOfList(spec, slices, size, history);
  } else {
    preview.price = domain::PriceOf(spec, slices, covered, history);
  }
  return preview;
}

Result<Planned> PlanWriter::Cut(const StoredPlan& stored, const PlanOptions& options,
                                const OpenSource& open) {
  Planned planned{.plan = stored.plan.id, .window = stored.plan.window};
  if (NeedsNoPlanner(stored) || !PATRA_TRY(StartSlicing(stored))) {
    planned.kind = Planned::Kind::kAlreadyPlanned;
    planned.reason = WhyNotAgain(stored);
    return With(std::move(planned), PATRA_TRY(try_again_.OfPlan(stored, options)));
  }

  auto cutting = PATRA_TRY(Prepare(stored, options));
  planned.kind = Planned::Kind::kCreated;
  const auto source = open(stored, cutting.spec);
  if (!source) {
    if (IsOurFault(source.error())) {
      PATRA_TRY(
          ports_.plans.Remark(stored.plan.id, Value::Object{{"error", source.error().message}}));
      PATRA_TRY(ports_.plans.Move(stored.plan.id, PlanStatus::kFailed));
    }
    return std::unexpected(source.error());
  }

  std::vector<NextSlice> group;
  while (auto next = PATRA_TRY((*source)->Next())) {
    if (!HasRoomFor(cutting, *next)) break;
    group.push_back(*std::move(next));
    const bool is_full =
        group.size() >= limits_.slices_per_transaction || !group.back().ids.empty();
    if (is_full) PATRA_TRY(AddGroup(cutting, group));
    if (!cutting.stopped.empty()) break;
  }
  PATRA_TRY(AddGroup(cutting, group));
  planned.reason = cutting.stopped;
  planned.slices = cutting.added;
  planned.is_partial = !planned.reason.empty();
  PATRA_TRY(Finish(cutting, planned));
  return planned;
}

bool PlanWriter::HasRoomFor(Cutting& cutting, NextSlice& next) const {
  if (cutting.room <= 0) {
    cutting.stopped = fmt::format("the queue holds {} tasks of {} already", cutting.open_tasks_max,
                                  cutting.stored.plan.lane.Key());
    return false;
  }
  if (cutting.requests_left <= 0) {
    cutting.stopped =
        fmt::format("‹wish.max_requests {}› are planned", cutting.options.requests_max.value_or(0));
    return false;
  }
  next.spec = WholeSpecOf(cutting, next);
  const auto requests = next.spec.expected_requests.value_or(1);
  if (!Takes(cutting, requests)) return false;
  cutting.requests_left -= requests;
  --cutting.room;
  return true;
}

// False where another planner has finished it in the meantime.
Result<bool> PlanWriter::StartSlicing(const StoredPlan& stored) {
  if (stored.status == PlanStatus::kSlicing) return true;
  const auto moved = ports_.plans.Move(stored.plan.id, PlanStatus::kSlicing);
  if (moved) return true;
  if (moved.error().code != ErrorCode::kConflict) return std::unexpected(moved.error());
  const auto current = PATRA_TRY(ports_.plans.Find(stored.plan.id));
  return current && current->status == PlanStatus::kSlicing;
}

Result<PlanWriter::Cutting> PlanWriter::Prepare(const StoredPlan& stored,
                                                const PlanOptions& options) {
  const auto& plan = stored.plan;
  const auto snapshot = PATRA_TRY(ParseJson(plan.snapshot));
  auto spec =
      PATRA_TRY(WithAdjustments(PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot)), ports_));
  const auto history = PATRA_TRY(ports_.history.Of(plan.lane, plan.query_hash));
  Cutting cutting{
      .stored = stored,
      .plan = plan,
      .options = options,
      .spec = std::move(spec),
      .history = history,
      .open_tasks_max = limits_.open_tasks_max,
      .requests_left = options.requests_max.value_or(std::numeric_limits<std::int64_t>::max()),
      .position = stored.position};
  cutting.plan.expression = domain::ExpressionPrototype::Of(cutting.spec);
  cutting.plan.at_once = options.tasks_at_once;
  cutting.plan.wishes = options.origin.params;
  cutting.plan.rate_key = RateKeyOf(cutting.spec, PhaseOf(cutting.spec));
  if (cutting.spec.budget && cutting.spec.budget->open_tasks_max)
    cutting.open_tasks_max = *cutting.spec.budget->open_tasks_max;
  cutting.room = cutting.open_tasks_max - PATRA_TRY(ports_.queue.CountOpen(plan.lane));
  if (ports_.secrets != nullptr)
    cutting.credentials = NamesOfSet(cutting.spec.auth, *ports_.secrets);
  PATRA_TRY(CountAllowance(cutting));
  return cutting;
}

Result<void> PlanWriter::CountAllowance(Cutting& cutting) {
  if (ports_.gate == nullptr) return {};
  const auto& plan = cutting.plan;
  cutting.estimate = PATRA_TRY(AllowanceOf(*ports_.gate, cutting.spec, PhaseOf(cutting.spec),
                                           {domain::UrgencyOf(plan.priority), ports_.clock.Now()},
                                           cutting.credentials, limits_.gate_horizon));
  const auto open = PATRA_TRY(ports_.queue.CountRequests(plan.rate_key, plan.priority));
  cutting.allowance = cutting.estimate->permits - open.ahead;
  cutting.is_first = open.ahead == 0;
  return {};
}

// A slice that is larger than all that is allowed would never be planned, so one is taken as it is where there is anything
// left at all: its run waits in between.
bool PlanWriter::Takes(Cutting& cutting, std::int64_t requests) const {
  if (!cutting.estimate) return true;
  const bool fits = requests <= cutting.allowance || (cutting.is_first && cutting.allowance > 0);
  if (!fits) {
    cutting.stopped = fmt::format(
        "the provider allows {} more requests within the next {} hours than are planned already",
        std::max<std::int64_t>(cutting.allowance, 0),
        std::chrono::floor<std::chrono::hours>(limits_.gate_horizon).count());
    return false;
  }
  cutting.allowance -= requests;
  cutting.is_first = false;
  return true;
}

SliceSpec PlanWriter::WholeSpecOf(const Cutting& cutting, const NextSlice& next) const {
  auto slice = next.spec;
  const auto& spec = cutting.spec;
  const auto& plan = cutting.stored.plan;
  slice.pagination = FirstPosition(spec.paging);
  if (slice.pages && slice.pagination.offset) slice.pagination.offset = slice.pages->from;
  if (slice.pages && slice.pagination.page) slice.pagination.page = slice.pages->from;
  const auto enumeration = domain::EnumerationOf(spec);
  if (enumeration.gives_ids)
    slice.phase = {.two_phase = true, .id_batch_size = spec.details->id_batch_size};
  if (plan.lane.operation == domain::Operation::kHarvest) {
    slice.safety_lag = spec.window.safety_lag;
    slice.watermark_key = spec.window.watermark_key;
  }
  slice.budget = BudgetOf(spec, cutting.options, plan.priority);
  if (enumeration.kind == Enumerator::kExistingSet && spec.details) {
    slice.expected_records = static_cast<std::int64_t>(next.ids.size());
    slice.expected_requests = domain::RequestsForIds(*spec.details, *slice.expected_records);
  } else if (slice.expected_records) {
    slice.expected_requests = domain::RequestsFor(spec, *slice.expected_records);
  } else if (cutting.history && !slice.pages) {
    const std::chrono::duration<double, std::ratio<3600>> hours = slice.window.width();
    slice.expected_records =
        static_cast<std::int64_t>(cutting.history->records_per_hour * hours.count());
    slice.expected_requests = domain::RequestsFor(spec, *slice.expected_records);
  } else {
    slice.expected_requests = 1;
  }
  if (cutting.estimate) {
    slice.budget_hint = domain::BudgetHint{.permits = cutting.estimate->permits,
                                           .concurrency = cutting.estimate->concurrency,
                                           .horizon = limits_.gate_horizon};
  }
  return slice;
}

Result<void> PlanWriter::AddGroup(Cutting& cutting, std::vector<NextSlice>& group) {
  if (group.empty()) return {};
  const auto& plan = cutting.plan;
  const auto now = ports_.clock.Now();
  const auto starts = std::clamp<std::int64_t>(SlicesOf(plan), 1, limits_.open_tasks_max);
  const auto step = cutting.options.spread / starts;
  std::vector<IdSlice> slices;
  for (auto& next : group) {
    auto work = domain::MakeSlice(plan, next.spec, 0, now + step * cutting.seen++);
    work.slice.id = ports_.ids.Next();
    work.task.id = ports_.ids.Next();
    slices.push_back({.work = std::move(work), .ids = std::move(next.ids)});
  }
  while (true) {
    std::optional<RequestRoom> room;
    if (cutting.estimate)
      room = RequestRoom{cutting.estimate->permits, cutting.estimate->more_from};
    const auto added = ports_.plans.AddIdSlices(plan, slices, group.back().after, room);
    if (added) {
      cutting.added += *added;
      TellSlices(ports_.log, plan, slices, *added);
      break;
    }
    if (added.error().code != ErrorCode::kLimit) return std::unexpected(added.error());
    // Another planner was faster, or the gate has given some of it away meanwhile: what still fits is planned. Each round
    // has fewer slices.
    PATRA_TRY(CountAllowance(cutting));
    std::size_t fitting = 0;
    while (fitting < slices.size() && Takes(cutting, slices[fitting].work.task.requests_left))
      ++fitting;
    if (fitting == slices.size()) --fitting;
    if (cutting.stopped.empty())
      cutting.stopped = "other planners have taken what the provider allows";
    slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(fitting), slices.end());
    group.erase(group.begin() + static_cast<std::ptrdiff_t>(fitting), group.end());
    if (group.empty()) return {};
  }
  for (const auto& next : group) cutting.records += next.spec.expected_records.value_or(0);
  cutting.position = group.back().after.position;
  group.clear();
  return CountAllowance(cutting);
}

Result<void> PlanWriter::Finish(Cutting& cutting, const Planned& planned) {
  const auto& plan = cutting.stored.plan;
  Value::Object remarks{{"stopped", planned.reason.empty() ? Value() : Value(planned.reason)}};
  if (domain::EnumerationOf(cutting.spec).kind == Enumerator::kExistingSet) {
    const auto price =
        domain::PriceOfIds(cutting.spec, cutting.added, cutting.records, cutting.history);
    remarks["totalEstimated"] = cutting.records;
    remarks["sliceCount"] = std::int64_t{cutting.added};
    remarks["price"] = price.ToValue();
  }
  PATRA_TRY(ports_.plans.Remark(plan.id, remarks));
  // Whatever the last slice said, there is nothing after it.
  if (!planned.is_partial)
    PATRA_TRY(ports_.plans.AddSlices(plan, {}, {plan.window.to(), cutting.position}));
  const auto moved =
      ports_.plans.Move(plan.id, planned.is_partial ? PlanStatus::kPartial : PlanStatus::kReady);
  // Another planner may have closed it, or a person withdrawn it: both know better.
  if (!moved && moved.error().code != ErrorCode::kConflict) return std::unexpected(moved.error());
  return {};
}

}  // namespace patra::app
