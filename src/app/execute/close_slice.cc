#include "app/execute/close_slice.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/execute/failure_code.h"
#include "app/execute/smaller_slices.h"
#include "domain/error/back_off.h"
#include "domain/plan/cut_rest.h"
#include "domain/plan/sum_of_parts.h"
#include "domain/plan/wide_slice.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/ask_again.h"
#include "domain/walk/page_size.h"
#include "domain/walk/proof.h"

namespace patra::app {
namespace {

// A list that moves while it is read is read again at once so often before it is cut, or left for later.
constexpr int kWalksAtOnce = 3;
// And so often where the list has to stay as it is for a while, but does not.
constexpr int kWalksMax = 12;
constexpr std::string_view kTotalMayBeWrong =
    "; if the total is what is wrong, the definition may say `total: {is: estimate}` or leave it "
    "out";
constexpr std::string_view kEstimateMayBeWorse =
    "; if the estimate is no better, the definition may say so: `within` of `total`";

Result<std::optional<Instant>> EdgeOf(const SliceRun& run) {
  return domain::ProvenEdge(run.spec, {.slice = run.task.slice,
                                       .is_sound = run.walk->is_sound(),
                                       .has_batches = run.batch_no > 1,
                                       .newest = run.observed_max,
                                       .provable_to = run.provable_to});
}

Value::Object WhatIsUnproven(const SliceRun& run, const std::string& reason) {
  return {{"source", run.task.lane.provenance},
          {"endpoint", run.task.lane.endpoint},
          {"window", run.task.window().Describe()},
          {"reason", reason}};
}

Result<std::optional<domain::UnseenEnds>> EndsToSee(const SliceRun& run) {
  if (run.task.is_update() || !run.observed_min || !run.observed_max) return std::nullopt;
  const auto policy = PATRA_TRY(domain::CutPolicy::Of(run.spec));
  if (!policy.by_time) return std::nullopt;
  // A run that goes on where another left off has not seen the dates of what came before.
  const auto records = run.opened.is_resumed ? 0 : run.walk->memory().account.records;
  return domain::EndsToSee(
      run.spec, run.task.slice, policy.grid,
      {.oldest = *run.observed_min, .newest = *run.observed_max, .records = records});
}

// It will never come, and that is no trouble of the provider as a whole.
bool IsRefusal(const NoPage& why) {
  using enum NoPage::Kind;
  constexpr auto kOthers =
      std::to_array({kParked, kStopped, kExhausted, kFailing, kStartOver, kFatal});
  return std::ranges::find(kOthers, why.kind) == kOthers.end();
}

std::string ReasonFor(const NoPage& why) {
  const bool is_refused = !why.wrong_parameter.empty() && !why.evidence.request.empty();
  if (!is_refused) return why.reason;
  return fmt::format("the provider refuses '{}': {}", why.wrong_parameter, why.reason);
}

}  // namespace

Result<TaskOutcome> CloseSlice::Succeed(SliceRun& run) const {
  tell_.FinerDates(run);
  const auto& window = run.task.window();
  if (run.provable_to && *run.provable_to < window.to() && !run.task.is_update()) {
    const NoPage why{.kind = NoPage::Kind::kEarly,
                     .reason = fmt::format("the window reaches beyond the provider's now: nothing "
                                           "from {} on is proven, and it is planned again",
                                           FormatRfc3339(*run.provable_to))};
    return Close(run, domain::TaskStatus::kPartial, &why,
                 domain::PartBefore(window, *run.provable_to));
  }
  if (auto otherwise = PATRA_TRY(DoubtEmptiness(run))) return *std::move(otherwise);
  if (const auto unseen = PATRA_TRY(EndsToSee(run))) {
    std::vector<domain::SliceSpec> children;
    for (const auto& end : unseen->ends) {
      auto& child = children.emplace_back(run.task.slice);
      child.window = end;
      child.expected_records.reset();
      child.expected_requests.reset();
      child.total_of_whole = run.walk->announced();
      child.answered_for = unseen->answered_for;
    }
    return HandOver(run, "no record lies near its ends, which are asked for alone",
                    {.proven = unseen->seen, .children = std::move(children)});
  }
  return Close(run, domain::TaskStatus::kSucceeded, nullptr);
}

Result<TaskOutcome> CloseSlice::LeaveUnproven(SliceRun& run, const std::string& reason) const {
  const auto details = WhatIsUnproven(run, reason);
  ports_.log.Write(LogLevel::kWarn, "slice.unproven", run.opened.lineage, details);
  if (domain::IgnoresWindow(run.spec.window, run.counts))
    ports_.log.Write(LogLevel::kWarn, "window.ignored", run.opened.lineage, details);
  const NoPage why{.kind = NoPage::Kind::kUnproven, .reason = reason};
  return Close(run, domain::TaskStatus::kPartial, &why);
}

Result<TaskOutcome> CloseSlice::LeaveGap(SliceRun& run, const std::string& gap) const {
  NoPage why{.kind = NoPage::Kind::kGap, .reason = gap};
  if (run.echo)
    ports_.log.Write(LogLevel::kWarn, "window.ignored", run.opened.lineage,
                     WhatIsUnproven(run, gap));
  const bool is_final = run.doubt && run.doubt->is_final;
  if (!is_final && !policy_.IsLastChance(run.task)) return TryLater(run, why, true);
  if (run.doubt && run.doubt->is_total) {
    const bool is_exact = run.spec.response.total_kind == domain::TotalKind::kExact;
    why.reason += is_exact ? kTotalMayBeWrong : kEstimateMayBeWorse;
    if (run.counts.passed_over > 0)
      why.reason +=
          fmt::format("; it may count the {} records that the filter of `items` does not mean",
                      run.counts.passed_over);
  }
  return Close(run, domain::TaskStatus::kPartial, &why);
}

Result<TaskOutcome> CloseSlice::WalkAgain(SliceRun& run, const std::string& reason) const {
  const auto walks = run.walk->memory().walks;
  const auto again_after = run.doubt ? run.doubt->again_after : Duration::zero();
  ports_.log.Write(LogLevel::kInfo, "walk.again", run.opened.lineage,
                   {{"reason", reason}, {"walks", walks}});
  const bool may_wait = again_after > Duration::zero() && walks < kWalksMax;
  if (walks < kWalksAtOnce || may_wait) {
    return GiveBack(run,
                    {.task = run.task,
                     .lineage = run.opened.lineage,
                     .status = domain::RunStatus::kPartial,
                     .reason = reason,
                     .again_at = ports_.clock.Now() + again_after,
                     .start_over = true},
                    nullptr);
  }
  // Between two ranges of pages records would slip as they do between two pages.
  const bool may_cut = !run.task.slice.pages && PATRA_TRY(domain::CanCut(run.spec, run.task.slice));
  return may_cut ? Recut(run, reason) : LeaveGap(run, reason);
}

Result<TaskOutcome> CloseSlice::Recut(SliceRun& run, const std::string& reason) const {
  const auto& window = run.task.window();
  std::optional<domain::Window> proven;
  auto rest = window;
  if (const auto edge = PATRA_TRY(EdgeOf(run))) {
    proven = PATRA_TRY(domain::Window::Between(window.from(), *edge));
    rest = PATRA_TRY(domain::Window::Between(*edge, window.to()));
  }
  auto children = PATRA_TRY(SmallerSlices(run, rest));
  if (children.empty()) {
    const NoPage why{.kind = NoPage::Kind::kWrong,
                     .reason = reason + "; the slice cannot be cut any further"};
    return Close(run, domain::TaskStatus::kFailed, &why);
  }
  // What it said last: its parts say what they have now.
  auto owed = domain::OwedByParts(run.spec, run.task.slice, run.walk->memory().account.total,
                                  children.size());
  if (!owed && children.size() > 1) owed = run.shown_alike;
  return HandOver(run, reason,
                  {.proven = proven, .children = std::move(children), .owed_by_children = owed});
}

// Smaller slices take over from this one, but for what is proven of it.
Result<TaskOutcome> CloseSlice::HandOver(SliceRun& run, const std::string& reason,
                                         Heirs heirs) const {
  const auto count = static_cast<int>(heirs.children.size());
  const bool has_records = run.counts.received > 0;
  SliceClose close{
      .task = run.task,
      .lineage = run.opened.lineage,
      .status = has_records ? domain::TaskStatus::kPartial : domain::TaskStatus::kCancelled,
      .counts = run.counts,
      .announced = run.walk->announced(),
      .gap = fmt::format("{}: {} smaller slices take over", reason, count),
      .proven = heirs.proven,
      .children = std::move(heirs.children),
      .children_at = run.rest_from,
      .owed_by_children = heirs.owed_by_children,
      .observed_max = run.observed_max,
      .evidence = run.EvidenceAtEnd(nullptr),
      .clock = run.clocks.reading()};
  close.evidence.is_recut = true;
  close.stats = run.tally.Stats(run.counts, "online-reslice: " + reason, close.evidence);
  const auto closed = ports_.ledger.Close(close);
  if (!closed && closed.error().code == ErrorCode::kLimit) {
    const NoPage why{.kind = NoPage::Kind::kWrong,
                     .reason = fmt::format("{}; {}", reason, closed.error().message)};
    return Close(run, domain::TaskStatus::kFailed, &why);
  }
  if (!closed) return std::unexpected(closed.error());
  ports_.log.Write(LogLevel::kInfo, "slice.recut", run.opened.lineage,
                   {{"reason", reason}, {"children", count}});
  return TaskOutcome{.status = close.status,
                     .watermark = closed->watermark,
                     .children = count,
                     .keeps_part = heirs.proven.has_value(),
                     .unmet_fields = tell_.UnmetFields(run)};
}

Result<TaskOutcome> CloseSlice::BreakOff(SliceRun& run, const NoPage& why) const {
  using enum NoPage::Kind;
  switch (why.kind) {
    case kParked:
      // Where part of the slice is proven, the rest begins there when there is quota again; else it would be left for so long
      // that a second walk had to confirm it.
      if (why.waits_for == domain::WaitReason::kQuota && PATRA_TRY(EdgeOf(run))) {
        run.rest_from = why.until;
        return Recut(run, "QUOTA: there is too little for the rest");
      }
      return Park(run, why);
    case kStopped: {
      // Who has to begin anew each time it is stopped never gets to the end of what takes longer than that.
      const bool has_progress = run.batch_no > run.opened.batch_no;
      const bool is_lost = has_progress && !domain::CanComeBack(run.spec, Duration::zero());
      if (is_lost && PATRA_TRY(domain::CanCut(run.spec, run.task.slice)))
        return Recut(run, "stopped, and the provider does not let us go on from here");
      return Park(run, why);
    }
    case kSpent: {
      auto outcome = PATRA_TRY(GiveBack(run,
                                        {.task = run.task,
                                         .lineage = run.opened.lineage,
                                         .status = domain::RunStatus::kPartial,
                                         .reason = why.reason,
                                         .again_at = why.until},
                                        &why));
      outcome.is_spent = true;
      return outcome;
    }
    case kExhausted:
    case kFailing:
      return TryLater(run, why, !run.position.token_is_position);
    case kStartOver:
      return TryLater(run, why, true);
    case kTooLarge:
      // A provider whose pages stay as large whatever is asked for would have it cut without end.
      if (PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) return Recut(run, why.reason);
      break;
    case kFatal:
      PATRA_TRY(BlowFuse(run, why));
      break;
    case kWrong:
    case kIsolated:
    case kUnproven:
    case kGap:
    case kEarly:
      break;
  }
  return Close(run, domain::TaskStatus::kFailed, &why);
}

// Nothing failed: the task waits for its time, or for somebody who takes it up.
Result<TaskOutcome> CloseSlice::Park(SliceRun& run, const NoPage& why) const {
  const bool is_parked = why.kind == NoPage::Kind::kParked;
  const bool has_progress = run.batch_no > run.opened.batch_no;
  auto outcome = PATRA_TRY(GiveBack(
      run,
      {.task = run.task,
       .lineage = run.opened.lineage,
       .status = has_progress ? domain::RunStatus::kPartial : domain::RunStatus::kCancelled,
       .reason = why.reason,
       .waits_for = is_parked ? why.waits_for : std::nullopt,
       .again_at = is_parked ? why.until : ports_.clock.Now()},
      &why));
  if (is_parked)
    outcome.parked =
        domain::GateWait{why.waits_for.value_or(domain::WaitReason::kCoolDown), why.until};
  if (!why.cause.empty()) outcome.error = Error{ErrorCode::kUnavailable, why.cause, {}, {}};
  return outcome;
}

Result<TaskOutcome> CloseSlice::TryLater(SliceRun& run, const NoPage& last, bool start_over) const {
  const auto& reason = last.reason;
  const int failures = run.task.failures + 1;
  const bool is_failing = last.kind == NoPage::Kind::kFailing;
  if (policy_.IsLastChance(run.task)) {
    const NoPage why{.kind = last.kind,
                     .reason = fmt::format("{} (after {} runs)", reason, failures),
                     .body = last.body,
                     .evidence = last.evidence};
    return Close(run, is_failing ? domain::TaskStatus::kPartial : domain::TaskStatus::kFailed,
                 &why);
  }
  const auto wait =
      domain::Growth{.first = policy_.first_retry, .most = policy_.retry_max}.After(failures);
  auto outcome = PATRA_TRY(
      GiveBack(run,
               {.task = run.task,
                .lineage = run.opened.lineage,
                .status = is_failing ? domain::RunStatus::kPartial : domain::RunStatus::kFailed,
                .reason = reason,
                .code = FailureCode(last.kind),
                .level = domain::ErrorLevel::kL1,
                .again_at = ports_.clock.Now() + wait,
                .start_over = start_over},
               &last));
  outcome.error = Error{ErrorCode::kUnavailable, reason, {}, {}};
  return outcome;
}

Result<TaskOutcome> CloseSlice::GiveBack(SliceRun& run, RunEnd end, const NoPage* why) const {
  end.page_size = domain::AskedPageSize(run.spec, run.position);
  end.evidence = run.EvidenceAtEnd(why);
  end.stats = run.tally.Stats(run.counts, end.reason, end.evidence);
  PATRA_TRY(ports_.ledger.GiveBack(end));
  ports_.log.Write(end.level ? LogLevel::kWarn : LogLevel::kInfo, "run.given_back", end.lineage,
                   {{"reason", end.reason},
                    {"againAt", FormatRfc3339(end.again_at)},
                    {"startOver", end.start_over}});
  return TaskOutcome{.status = domain::TaskStatus::kQueued, .unmet_fields = tell_.UnmetFields(run)};
}

Result<TaskOutcome> CloseSlice::Close(SliceRun& run, domain::TaskStatus status, const NoPage* why,
                                      const std::optional<domain::Window>& proven) const {
  using enum NoPage::Kind;
  SliceClose close{.task = run.task,
                   .lineage = run.opened.lineage,
                   .status = status,
                   .counts = run.counts,
                   .announced = run.walk->announced(),
                   .proven = proven,
                   .may_gain = !run.spec.window.settles,
                   .is_announced = domain::EnumerationOf(run.spec).is_counted,
                   .wholes = run.wholes,
                   .observed_max = run.observed_max,
                   .last_batch_no = run.batch_no - 1,
                   .evidence = run.EvidenceAtEnd(why),
                   .clock = run.clocks.reading()};
  TaskOutcome outcome{.status = status, .is_early = why != nullptr && why->kind == kEarly};
  close.is_read = status == domain::TaskStatus::kSucceeded || outcome.is_early;
  if (why != nullptr) {
    const auto code = why->kind == kFatal      ? ErrorCode::kRefused
                      : why->blames_definition ? ErrorCode::kInvalidInput
                                               : ErrorCode::kUnavailable;
    const auto reason = ReasonFor(*why);
    if (!outcome.is_early) outcome.error = Error{code, reason, {}, {}};
    close.error = reason;
    close.code = FailureCode(why->kind);
    close.wrong_parameter = why->wrong_parameter;
    close.page_size = domain::AskedPageSize(run.spec, run.position);
    close.level = LevelOf(why->kind);
    close.gap = status == domain::TaskStatus::kPartial
                    ? reason
                    : fmt::format("stopped at {}: {}", Describe(run.position), reason);
    const auto& evidence = why->body.empty() ? why->evidence.request : why->body;
    // Once the definition is put right, it asks again: there is nothing to decide about an answer that it misread.
    if (!evidence.empty() && !why->blames_definition)
      close.bad_page = BadPage{run.batch_no, reason, evidence};
  }
  const auto told = why == nullptr ? "" : why->reason;
  close.stats = run.tally.Stats(run.counts, told, close.evidence);
  const auto closed = PATRA_TRY(ports_.ledger.Close(close));
  if (closed.short_whole) {
    auto other_end = PATRA_TRY(HoldAgainst(run, *closed.short_whole));
    return other_end ? *std::move(other_end) : Close(run, status, why, proven);
  }
  outcome.watermark = closed.watermark;
  outcome.gone = closed.gone;
  outcome.gone_doubt = closed.gone_doubt;
  tell_.Closed(run, status, told, why == nullptr || outcome.is_early);
  tell_.Moved(run, closed);
  tell_.Gone(run, closed);
  tell_.Doubted(run, closed);
  outcome.unmet_fields = tell_.UnmetFields(run);
  return outcome;
}

Result<std::optional<TaskOutcome>> CloseSlice::HoldAgainst(SliceRun& run,
                                                           const ShortWhole& whole) const {
  if (whole.verdict == domain::PartsVerdict::kFallShort)
    return PATRA_TRY(LeaveUnproven(run, domain::WhyShort(run.spec, whole.sum)));
  const auto answer = PATRA_TRY(whole_.Run(run, whole));
  std::erase_if(run.wholes, [&](const WholeAsked& old) { return old.slice == whole.slice; });
  if (const auto* asked = std::get_if<WholeAsked>(&answer)) {
    run.wholes.push_back(*asked);
    return std::nullopt;
  }
  const auto& none = std::get<NoPage>(answer);
  // Then what it announced when it was cut stands.
  if (IsRefusal(none)) run.wholes.push_back({whole.slice, whole.sum.announced, whole.sum.parts});
  return PATRA_TRY(EndUnasked(run, none));
}

Result<std::optional<TaskOutcome>> CloseSlice::DoubtEmptiness(SliceRun& run) const {
  const bool is_empty = run.walk->memory().account.filled == 0 && run.counts.received == 0;
  if (run.task.is_update() || !is_empty) return std::nullopt;
  const auto grid = PATRA_TRY(domain::CutPolicy::Of(run.spec)).grid;
  const auto windows = domain::WindowsToTry(run.spec, run.task.slice, grid);
  if (windows.empty() || !PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) return std::nullopt;
  const auto answer = PATRA_TRY(whole_.FirstWithRecords(run, windows));
  if (const auto* none = std::get_if<NoPage>(&answer)) return PATRA_TRY(EndUnasked(run, *none));
  const auto& shown = std::get<std::optional<domain::Window>>(answer);
  if (!shown) return std::nullopt;
  const auto cut = domain::CutOfDenied(run.spec, run.task.slice, *shown);
  run.pieces = cut.pieces;
  run.answered_for = domain::VouchedFor(run.spec);
  return PATRA_TRY(Recut(run, cut.why));
}

Result<TaskOutcome> CloseSlice::EndUnasked(SliceRun& run, const NoPage& why) const {
  using enum NoPage::Kind;
  switch (why.kind) {
    case kParked:
    case kStopped:
      return Park(run, why);
    case kExhausted:
    case kFailing:
    case kStartOver:
      return TryLater(run, why, false);
    case kFatal:
      return BreakOff(run, why);
    default:
      return LeaveUnproven(run, why.reason);
  }
}

Result<void> CloseSlice::BlowFuse(const SliceRun& run, const NoPage& why) const {
  const auto& lane = run.task.lane;
  ports_.log.Write(LogLevel::kError, "fuse.blown", run.opened.lineage, {{"reason", why.reason}});
  return ports_.holds.Blow(
      {.provenance = lane.provenance,
       .endpoint = lane.endpoint,
       .reason = why.reason,
       .is_fuse = true},
      CanonicalJson(Value::Object{{"run", fmt::to_string(run.opened.lineage.run)},
                                  {"batch", fmt::to_string(run.opened.lineage.batch)},
                                  {"credential", why.evidence.credential},
                                  {"status", why.evidence.status},
                                  {"position", Describe(run.position)},
                                  {"reason", why.reason}}));
}

}  // namespace patra::app
