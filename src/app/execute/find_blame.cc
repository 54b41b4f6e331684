#include "app/execute/find_blame.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/duration.h"
#include "domain/plan/cut_rest.h"
#include "domain/plan/wide_slice.h"
#include "domain/walk/page_size.h"
#include "domain/walk/walk.h"

namespace patra::app {
namespace {

// A record of the page, the parts of the slice and its neighbours in time, beginning anywhere: where a breaker lets
// only one of them through in a run, it is not always the same.
Result<std::vector<FindBlame::Question>> QuestionsBeside(SliceRun& run) {
  const auto cut = PATRA_TRY(domain::CutPolicy::Of(run.spec));
  const auto& slice = run.task.slice;
  auto others = domain::CutRest(slice, slice.window, cut);
  for (const auto step : {-slice.window.width(), slice.window.width()}) {
    const auto beside =
        domain::Window::Between(slice.window.from() + step, slice.window.to() + step);
    if (!beside) continue;
    others.push_back(slice);
    others.back().window = *beside;
  }
  std::vector<FindBlame::Question> questions;
  for (const auto& other : others)
    questions.push_back({other, domain::Walk(run.spec, other).Start()});
  if (auto record = domain::AnyRecordOf(run.spec, run.position, run.scope.random))
    questions.push_back({slice, *std::move(record)});
  const auto begin = run.scope.random.Below(std::max<std::size_t>(questions.size(), 1));
  std::ranges::rotate(questions, questions.begin() + static_cast<std::ptrdiff_t>(begin));
  return questions;
}

NoPage WithEvidence(NoPage why, const NoPage& newer) {
  why.reason = newer.reason;
  why.body = newer.body;
  why.evidence.Append(newer.evidence);
  return why;
}

// Whether that settles the matter: a page, or something that nothing else can change.
bool IsFinal(const Fetched& fetched) {
  const auto* none = std::get_if<NoPage>(&fetched);
  return none == nullptr || none->kind == NoPage::Kind::kStopped ||
         none->kind == NoPage::Kind::kFatal;
}

// Smaller slices have smaller answers, unless what makes them large has nothing to do with the slice. Where no answer ever
// fitted, cutting on and on would only be more requests.
bool IsCutForNothing(const SliceRun& run) {
  constexpr int kPiecesThatTell = 64;
  return run.scope.is_first_use &&
         run.task.window().width() * kPiecesThatTell <= run.task.plan_window.width();
}

}  // namespace

Result<Fetched> FindBlame::RescuePage(SliceRun& run, const NoPage& why) {
  using enum NoPage::Kind;
  if (why.kind == kTooLarge && IsCutForNothing(run)) {
    auto given_up = why;
    given_up.kind = kWrong;
    given_up.reason += ", as every answer so far";
    return given_up;
  }
  const bool can_cut = PATRA_TRY(domain::CanCut(run.spec, run.task.slice));
  if (why.kind == kTooLarge && can_cut) run.reslice = why.reason;
  const bool is_last_chance = policy_.IsLastChance(run.task);
  // A request that is wrong from the first page on is wrong in all its parts.
  const bool is_begun = run.batch_no > 1 || run.opened.is_resumed;
  if (why.kind == kWrong && !is_begun && can_cut && PATRA_TRY(AnswersForLess(run))) {
    run.reslice = fmt::format("the provider refuses a window of {}, and answers for less: {}",
                              FormatDuration(run.task.window().width()), why.reason);
    run.pieces = domain::kPiecesMax;
    return why;
  }
  const bool is_stuck = IsStuckAtBreaker(run, why);
  const bool may_be_the_page = (why.kind == kExhausted && is_last_chance) ||
                               (why.kind == kWrong && is_begun) ||
                               (why.kind == kTooLarge && !can_cut);
  const bool has_parts = !domain::PartsOfPage(run.spec, run.position).empty();
  if (may_be_the_page && has_parts)
    return take_apart_.Run(run.scope, run.position, why, run.batch_no);
  const bool may_be_the_slice =
      ((why.kind == kExhausted || why.kind == kStartOver) && is_last_chance) || is_stuck;
  if (!may_be_the_slice) return why;
  const auto elsewhere = PATRA_TRY(AskForSomethingElse(run));
  if (const auto* trouble = std::get_if<NoPage>(&elsewhere))
    return is_stuck ? Postpone(why, *trouble) : why;
  // Perhaps the provider has become well just now; if not, it counts as the slice's own failure from here on.
  run.opened.met_breaker = false;
  auto own = why;
  if (is_stuck) own.kind = kExhausted;
  return BlamePage(run, std::move(own), has_parts, can_cut);
}

Result<Fetched> FindBlame::BlamePage(SliceRun& run, NoPage own, bool has_parts, bool can_cut) {
  if (run.spec.paging.replayable || !run.position.token) {
    auto once = run.scope;
    once.attempts_max = 1;
    auto again = PATRA_TRY(fetch_.AtPatiently(once, run.position, run.batch_no));
    if (IsFinal(again)) return again;
    const auto& none = std::get<NoPage>(again);
    if (!none.evidence.request.empty()) own = WithEvidence(own, none);
  }
  if (has_parts) {
    auto apart = PATRA_TRY(take_apart_.Run(run.scope, run.position, own, run.batch_no));
    if (IsFinal(apart)) return apart;
  }
  if (can_cut) run.reslice = own.reason;
  return own;
}

bool FindBlame::IsStuckAtBreaker(const SliceRun& run, const NoPage& why) const {
  return why.kind == NoPage::Kind::kParked && why.waits_for == domain::WaitReason::kBreaker &&
         (why.evidence.sent.requests > 0 || run.opened.met_breaker) &&
         run.task.runs_so_far >= policy_.failures_max;
}

BrokenOff FindBlame::BreakerOfLastRun(const SliceRun& run) const {
  if (!run.opened.met_breaker) return std::nullopt;
  NoPage parked{.kind = NoPage::Kind::kParked,
                .reason = std::string(Name(domain::WaitReason::kBreaker)),
                .until = ports_.clock.Now(),
                .waits_for = domain::WaitReason::kBreaker};
  if (!IsStuckAtBreaker(run, parked)) return std::nullopt;
  return parked;
}

Result<bool> FindBlame::AnswersForLess(SliceRun& run) {
  const auto& slice = run.task.slice;
  if (run.task.is_update() || slice.dimension != domain::SliceDimension::kTime ||
      !domain::IsWide(run.spec, slice.window.width()))
    return false;
  auto narrow = slice;
  const auto to = slice.window.to();
  narrow.window = PATRA_TRY(domain::Window::Between(to - run.spec.window.width, to));
  const auto answer = PATRA_TRY(AskBeside(run, {{narrow, domain::Walk(run.spec, narrow).Start()}}));
  return std::holds_alternative<FetchedPage>(answer);
}

// A provider that is down answers nothing else either, and taking apart and cutting would only make more requests of
// it.
Result<Fetched> FindBlame::AskForSomethingElse(SliceRun& run) {
  return AskBeside(run, PATRA_TRY(QuestionsBeside(run)));
}

Result<Fetched> FindBlame::AskBeside(SliceRun& run, const std::vector<Question>& questions) {
  auto task = run.task;
  FetchScope scope{.task = task,
                   .source = run.source,
                   .lineage = run.opened.lineage,
                   .random = run.scope.random,
                   .tally = run.tally,
                   .on_wait = run.scope.on_wait,
                   .concurrency_max = run.scope.concurrency_max,
                   .attempts_max = 1,
                   .holds_lease = run.scope.holds_lease};
  Fetched answer = NoPage{.reason = "there is nothing else to ask for"};
  for (const auto& question : questions) {
    task.slice = question.slice;
    task.values.reset();
    answer = PATRA_TRY(fetch_.AtPatiently(scope, question.at, run.batch_no));
    const auto* none = std::get_if<NoPage>(&answer);
    // Where nobody is let in, nobody else is either.
    const bool is_shut = none != nullptr && none->kind == NoPage::Kind::kParked;
    if (none == nullptr || is_shut || ports_.stop.asked()) break;
  }
  return answer;
}

BrokenOff FindBlame::WhyChanged(SliceRun& run, const FetchedPage& page,
                                const domain::RecordPaths& paths) const {
  const auto& content = page.content;
  const auto change = domain::FindChange(paths, static_cast<std::int64_t>(content.records.size()),
                                         content.bad_records, policy_.change);
  if (!change) return std::nullopt;
  return fetch_.NoPageAfterAll(run.scope, page, change->Describe(), run.batch_no);
}

NoPage FindBlame::Postpone(const NoPage& why, const NoPage& trouble) const {
  if (trouble.kind == NoPage::Kind::kStopped) return trouble;
  auto later = why;
  later.until = std::max(later.until, ports_.clock.Now() + policy_.first_retry);
  if (trouble.kind == NoPage::Kind::kParked) later.until = std::max(later.until, trouble.until);
  later.evidence.sent += trouble.evidence.sent;
  later.evidence.failures.Append(trouble.evidence.failures);
  return later;
}

}  // namespace patra::app
