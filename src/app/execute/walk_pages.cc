#include "app/execute/walk_pages.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/execute/fetch_ahead.h"
#include "app/execute/next_step.h"
#include "app/execute/outside_window.h"
#include "domain/plan/cut_rest.h"
#include "domain/plan/wide_slice.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/ask_again.h"
#include "domain/walk/isolated_page.h"
#include "domain/walk/judge_walk.h"

namespace patra::app {
namespace {

constexpr int kSecondLooksMax = 3;

// Of the page after an empty one. Many providers refuse what lies beyond the end.
bool ShowsNothing(const Fetched& beyond) {
  if (const auto* none = std::get_if<NoPage>(&beyond)) return none->kind == NoPage::Kind::kWrong;
  const auto facts = FactsOf(std::get<FetchedPage>(beyond).content);
  return facts.shown() == 0 && !facts.is_isolated;
}

// Parts of a slice with that total have brought more.
// Of records of which there may be more.
const char* HowTold(const SliceRun& run) {
  return run.walk->announced() ? "are announced" : "came";
}

bool IsKnownCap(const SliceRun& run) {
  const auto total = run.walk->TotalThatMayBeCap();
  return total && std::ranges::find(run.opened.caps, *total) != run.opened.caps.end();
}

}  // namespace

// What is carried from page to page.
struct WalkPages::Reading {
  SliceRun& run;
  FetchAhead ahead;
  Fetched fetched{};        // the page that came last, or why there is none
  bool is_checked = false;  // whether the list stood still while nobody read it
  int second_looks = 0;
};

// One page on its way from its arrival to the next one.
struct WalkPages::PageAtHand {
  FetchedPage& fetched;
  domain::PageFacts facts{};
  domain::Step step{};
  std::optional<Fetched> glanced{};  // the next page, where it had to be looked at already
  std::optional<Position> after{};   // where the run goes on
  RunTally tally{};                  // of when the page came
  BrokenOff spent{};                 // the run's budget, with this page
  PageSeen seen{};

  bool is_last() const { return step.kind == domain::Step::Kind::kEnd; }
};

Result<BrokenOff> WalkPages::Run(SliceRun& run) {
  Reading reading{
      .run = run, .ahead = FetchAhead(policy_.fetch_ahead), .is_checked = !run.opened.is_resumed};
  auto broken = ReadAll(reading);
  NoteDropped(reading);
  return broken;
}

Result<BrokenOff> WalkPages::ReadAll(Reading& reading) {
  auto& run = reading.run;
  PATRA_TRY(FetchFirst(reading));
  while (true) {
    if (const auto leave = PATRA_TRY(SecurePage(reading))) return leave->broken;
    PageAtHand page{.fetched = std::get<FetchedPage>(reading.fetched)};
    if (const auto leave = PATRA_TRY(SeeWhetherItEnds(reading, page))) return leave->broken;
    page.step = run.walk->After(run.position, page.facts);
    if (PATRA_TRY(ReadAgain(reading, page))) continue;
    if (const auto leave = PATRA_TRY(LookBeyond(reading, page))) return leave->broken;
    PATRA_TRY(ChooseNext(reading, page));
    if (const auto leave = PATRA_TRY(Commit(reading, page))) return leave->broken;
    if (const auto leave = PATRA_TRY(SeeWhetherToGoOn(reading, page))) return leave->broken;
    PATRA_TRY(FetchNext(reading, page));
  }
}

// Of the page that was at hand, or on its way: one that was committed has taken its evidence along.
void WalkPages::NoteDropped(Reading& reading) {
  auto fetched = reading.ahead.Drop();
  auto& last = fetched && *fetched ? **fetched : reading.fetched;
  std::visit([&](auto& outcome) { reading.run.dropped = std::move(outcome.evidence); }, last);
}

domain::WalkVerdict WalkPages::Judge(const SliceRun& run) const {
  if (run.echo)
    return {.kind = domain::WalkVerdict::Kind::kGap, .reason = *run.echo, .is_final = true};
  auto verdict = domain::JudgeWalk(*run.walk, {.usual = run.opened.usual,
                                               .was_any_empty = run.opened.was_any_empty,
                                               .deviations_max = policy_.recut.deviations_max});
  // Smaller slices would tell, and there are none.
  if (verdict.kind == domain::WalkVerdict::Kind::kProven && IsKnownCap(run)) {
    return {.kind = domain::WalkVerdict::Kind::kGap,
            .reason = fmt::format(
                "exactly {} records {}, where the provider stops: parts of another slice that had "
                "as many brought more; if it goes on, the definition may say how far, as in "
                "`paging: {{reach: {}}}`",
                *run.walk->TotalThatMayBeCap(), HowTold(run), 10 * *run.walk->TotalThatMayBeCap()),
            .is_final = true};
  }
  return verdict;
}

void WalkPages::Begin(Reading& reading, const Position& at, int batch_no) {
  auto& run = reading.run;
  reading.ahead.Begin([this, &run, at, batch_no] { return fetch_.At(run.scope, at, batch_no); });
}

Result<void> WalkPages::FetchFirst(Reading& reading) {
  const auto& run = reading.run;
  if (auto parked = blame_.BreakerOfLastRun(run)) {
    reading.fetched = *std::move(parked);
    return {};
  }
  auto dead =
      domain::WhyTokenIsDead(run.spec, run.position, run.walk->memory().edge, ports_.clock.Now());
  if (dead) {
    reading.fetched = NoPage{.kind = NoPage::Kind::kStartOver, .reason = *std::move(dead)};
    return {};
  }
  if (const auto& edge = run.walk->memory().edge; edge && edge->read_at != Instant())
    reading.run.scope.last_page_at = ports_.clock.Elapsed() - (ports_.clock.Now() - edge->read_at);
  Begin(reading, run.position, run.batch_no);
  reading.fetched = PATRA_TRY(reading.ahead.Take());
  return {};
}

// A page that is one, of a list that did not move behind our back.
Result<std::optional<WalkPages::Leave>> WalkPages::SecurePage(Reading& reading) {
  auto& run = reading.run;
  if (const auto* none = std::get_if<NoPage>(&reading.fetched)) {
    reading.fetched = PATRA_TRY(blame_.RescuePage(run, NoPage(*none)));
    if (const auto* still = std::get_if<NoPage>(&reading.fetched)) {
      // A list that has become shorter may refuse a page that it had a moment ago.
      const bool may_have_moved = still->kind == NoPage::Kind::kWrong && run.walk->memory().edge;
      BrokenOff broken;
      if (may_have_moved) broken = PATRA_TRY(LookBack(run, Next::kRefused));
      if (run.doubt) return Leave{};
      return Leave{broken ? std::move(broken) : *still};
    }
  }
  const auto& page = std::get<FetchedPage>(reading.fetched);
  ++run.tally.pages;
  if (auto changed = blame_.WhyChanged(run, page, {run.spec.response, run.spec.fields}))
    return Leave{std::move(changed)};
  if (!page.content.records.empty()) run.scope.is_first_use = false;
  run.scope.is_first_read = false;
  if (!reading.is_checked) {
    auto broken = PATRA_TRY(LookBack(run, Next::kRead));
    if (broken || run.doubt) return Leave{std::move(broken)};
    reading.is_checked = true;
  }
  return std::nullopt;
}

// What the page itself says about the end of the list, and what we know about it beside that.
Result<std::optional<WalkPages::Leave>> WalkPages::SeeWhetherItEnds(Reading& reading,
                                                                    PageAtHand& page) {
  auto& run = reading.run;
  const auto& content = page.fetched.content;
  auto& facts = page.facts = FactsOf(content);
  facts.read_at = page.fetched.response.received_at;
  run.isolated_in_a_row = facts.is_isolated ? run.isolated_in_a_row + 1 : 0;
  if (facts.is_isolated) {
    facts.is_end = !domain::LeadsOn(run.spec, run.isolated_in_a_row);
    if (facts.is_end && PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) {
      run.reslice = content.bad_records.front().reason;
      return Leave{};
    }
  } else if (HasLeftWindow(run.spec, run.task.window(), content)) {
    facts.is_end = true;
    facts.is_beyond = true;
  }
  return std::nullopt;
}

// Whether the page was asked for once more, and what came is news.
Result<bool> WalkPages::ReadAgain(Reading& reading, const PageAtHand& page) {
  auto& run = reading.run;
  const bool is_doubted = page.step.kind == domain::Step::Kind::kAgain;
  const bool looks_again = page.is_last() && page.facts.size() > 0 && !page.facts.is_end &&
                           reading.second_looks < kSecondLooksMax &&
                           domain::DeservesSecondLook(run.spec, run.position);
  if (!is_doubted && !looks_again) return false;
  Begin(reading, run.position, run.batch_no);
  auto again = PATRA_TRY(reading.ahead.Take());
  const auto* second = std::get_if<FetchedPage>(&again);
  const bool is_news =
      second == nullptr || is_doubted || FactsOf(second->content).ids != page.facts.ids;
  if (!is_news) return false;
  if (looks_again) {
    ++reading.second_looks;
    run.walk->TakeBack();
  }
  reading.fetched = std::move(again);
  return true;
}

// Where the step leads, if it leads anywhere within this slice.
Result<std::optional<WalkPages::Leave>> WalkPages::LookBeyond(Reading& reading, PageAtHand& page) {
  using Kind = domain::Step::Kind;
  auto& run = reading.run;
  auto& step = page.step;
  if (step.kind == Kind::kLost)
    return Leave{NoPage{.kind = NoPage::Kind::kStartOver, .reason = step.reason}};
  if (!step.glances.empty()) {
    page.glanced = PATRA_TRY(GlanceBeyond(run, step.glances));
    // What may be missing at the end of a list is not missing in its midst.
    const bool may_be_missing =
        run.spec.response.items_missing == domain::ItemsMissing::kEmpty && page.facts.shown() == 0;
    if (page.glanced && may_be_missing && std::holds_alternative<FetchedPage>(*page.glanced)) {
      return Leave{NoPage{.kind = NoPage::Kind::kStartOver,
                          .reason = "a page lacks the list, which `missing: empty` takes for the "
                                    "end, and one behind it has records: if the provider leaves "
                                    "it out in a bad moment, a rule of `errors` can tell by that "
                                    "answer and say `then: retry`; without `missing`, such a "
                                    "page is an error"}};
    }
    if (!page.glanced) {
      run.walk->End();
      step.kind = Kind::kEnd;
    }
  }
  if (PATRA_TRY(CutByFirstPage(run, page))) return Leave{};
  if (step.kind == Kind::kReslice) {
    run.reslice = step.reason;
    run.cut_off_at = step.cut_off_at;
    return Leave{};
  }
  if (auto why = PATRA_TRY(WhyCutToSee(run))) {
    run.reslice = *std::move(why);
    return Leave{};
  }
  return std::nullopt;
}

// What is doubted is seen by smaller slices, however narrow this one is, or not at all.
Result<std::optional<std::string>> WalkPages::WhyCutToSee(SliceRun& run) {
  auto why = run.walk->WhyCutToSee();
  if (!why) {
    why = WhyLikeOthers(run);
    if (why) run.shown_alike = run.walk->TotalThatMayBeCap();
  }
  if (!why || run.echo) return std::nullopt;
  const bool can_cut = run.walk->IsDoubtGrave()
                           ? PATRA_TRY(domain::CanCutAtAll(run.spec, run.task.slice))
                           : PATRA_TRY(domain::CanCut(run.spec, run.task.slice));
  if (!can_cut) return std::nullopt;
  const auto& shown = run.walk->memory().account;
  const std::lock_guard lock(echoes_mutex_);
  const auto other = echoes_.Find(run.opened.lineage.plan, run.task.window(), shown);
  if (!other) return why;
  run.echo = fmt::format(
      "the same {} records came for {}: the provider does not keep to the window, and smaller ones "
      "tell nothing new; `‹source.preview›` shows what is asked for and what comes. If the window "
      "is in no request, the definition says `window: {{filter: client}}`",
      shown.records, other->Describe());
  return std::nullopt;
}

std::optional<std::string> WalkPages::WhyLikeOthers(const SliceRun& run) {
  const auto total = run.walk->TotalThatMayBeCap();
  if (!total) return std::nullopt;
  if (IsKnownCap(run)) {
    return fmt::format(
        "{} records {}, as many as for a slice whose parts brought more: the provider counts no "
        "further",
        *total, HowTold(run));
  }
  // Of parts of a whole that counts further, the sum tells.
  const auto& whole = run.task.slice.total_of_whole;
  if (whole && *whole > *total) return std::nullopt;
  const std::lock_guard lock(echoes_mutex_);
  if (!totals_.IsToldBy(run.opened.lineage.plan, run.task.window(), *total)) return std::nullopt;
  return fmt::format(
      "{} records {}, as many as for another window: the provider may count no further", *total,
      HowTold(run));
}

// A slice that was planned before anybody knew how much it holds learns it from its first page, which its pieces read anew.
Result<bool> WalkPages::CutByFirstPage(SliceRun& run, const PageAtHand& page) {
  if (run.walk->memory().account.pages != 1) return false;
  const auto cut = domain::CutOfWide(run.spec, run.task.slice,
                                     {.announced = run.walk->announced(),
                                      .leads_on = !page.is_last(),
                                      .records = page.facts.size()});
  if (!cut || !PATRA_TRY(domain::CanCut(run.spec, run.task.slice))) return false;
  run.reslice = cut->why;
  run.pieces = cut->pieces;
  return true;
}

// Where the run goes on once this page is committed; at the end of the list, what the walk is worth decides.
Result<void> WalkPages::ChooseNext(Reading& reading, PageAtHand& page) {
  auto& run = reading.run;
  const auto& newest = page.facts.newest;
  const auto& oldest = page.facts.oldest;
  if (newest) run.observed_max = std::max(run.observed_max.value_or(*newest), *newest);
  if (oldest) run.observed_min = std::min(run.observed_min.value_or(*oldest), *oldest);
  run.tally.has_next = !page.is_last();
  if (!page.is_last()) {
    page.after = page.step.to;
    if (run.spec.paging.size != run.own_page_size) page.after->size = run.spec.paging.size;
    return {};
  }
  if (const auto rest = run.walk->PageToProbe()) {
    const auto seen = PATRA_TRY(GlanceBeyond(run, {*rest}));
    const bool is_page = seen && std::holds_alternative<FetchedPage>(*seen);
    if (is_page) run.walk->FindCutOff();
    if (seen && !is_page) run.walk->LeaveUnchecked();
  }
  run.doubt = Judge(run);
  const bool is_proven = run.doubt->kind == domain::WalkVerdict::Kind::kProven;
  // What a page in quarantine holds explains what is missing, once everything else is here.
  const bool is_isolated = page.facts.is_isolated || run.counts.isolated_pages > 0;
  if (domain::EnumerationOf(run.spec).gives_ids && (is_proven || is_isolated))
    page.after = Position{.is_detail = true};
  return {};
}

// The next one is on its way while this page is written. It adds to the tally meanwhile, so what is judged afterwards is the
// tally of now.
Result<std::optional<WalkPages::Leave>> WalkPages::Commit(Reading& reading, PageAtHand& page) {
  auto& run = reading.run;
  page.tally = run.tally;
  page.seen = {.bytes = static_cast<std::int64_t>(page.fetched.response.body.size()),
               .records = page.facts.size()};
  if (!page.is_last()) page.spent = PATRA_TRY(commit_.WhySpent(run, page.seen.records));
  if (!page.is_last() && !page.glanced && !page.spent && !ports_.stop.asked())
    Begin(reading, page.step.to, run.batch_no + 1);
  run.failing_pages = page.fetched.retries > 0 ? run.failing_pages + 1 : 0;
  const auto goes_on =
      PATRA_TRY(commit_.Run(run, page.fetched, page.after,
                            {.repeated = page.seen.records - page.step.fresh,
                             .walked = WalkedPage{run.walk->memory(), std::move(page.facts.ids)}}));
  const bool is_elsewhere = goes_on != page.after;
  if (is_elsewhere) {
    // The batch was there already, and its walk is ours from here on.
    reading.ahead.Forget();
    page.glanced.reset();
    run.doubt.reset();
    if (!goes_on) run.doubt = Judge(run);
  }
  if (!goes_on) return Leave{};
  run.position = *goes_on;
  const bool is_over = is_elsewhere ? goes_on->is_detail : page.is_last();
  return is_over ? std::optional(Leave{}) : std::nullopt;
}

Result<std::optional<WalkPages::Leave>> WalkPages::SeeWhetherToGoOn(Reading& reading,
                                                                    const PageAtHand& page) {
  auto& run = reading.run;
  auto asked = PATRA_TRY(commit_.ObeySelfHealing(run));
  if (asked || run.reslice) return Leave{std::move(asked)};
  if (page.spent && !domain::CanComeBack(run.spec, run.task.slice.budget.pause)) {
    run.reslice = page.spent->reason;
    run.rest_from = page.spent->until;
    return Leave{};
  }
  if (page.spent) return Leave{page.spent};
  run.reslice = PATRA_TRY(commit_.WhyRecut(run, page.tally, page.seen));
  if (run.reslice) return Leave{};
  if (auto enough = commit_.WhyEnough(run)) return Leave{std::move(enough)};
  return std::nullopt;
}

Result<void> WalkPages::FetchNext(Reading& reading, PageAtHand& page) {
  auto& run = reading.run;
  if (!page.glanced && !reading.ahead.is_under_way()) Begin(reading, run.position, run.batch_no);
  // `page` is of what is replaced here.
  auto next = page.glanced ? *std::move(page.glanced) : PATRA_TRY(reading.ahead.Take());
  reading.fetched = std::move(next);
  run.scope.lineage = run.opened.lineage;
  return {};
}

Result<std::optional<Fetched>> WalkPages::GlanceBeyond(SliceRun& run,
                                                       const std::vector<Position>& pages) {
  std::optional<Fetched> first;
  for (const auto& at : pages) {
    auto page = PATRA_TRY(fetch_.At(run.scope, at, run.batch_no + 1));
    const bool is_refused = std::holds_alternative<NoPage>(page);
    const bool shows_nothing = ShowsNothing(page);
    if (!first) first = std::move(page);
    if (!shows_nothing) return first;
    if (is_refused) break;
  }
  return std::nullopt;
}

Result<BrokenOff> WalkPages::LookBack(SliceRun& run, Next next) {
  using enum NoPage::Kind;
  const auto& edge = run.walk->memory().edge;
  if (!edge) {
    run.walk->LeaveUnchecked();
    return std::nullopt;
  }
  const auto fetched = PATRA_TRY(fetch_.AtPatiently(run.scope, edge->at, run.batch_no));
  if (const auto* none = std::get_if<NoPage>(&fetched)) {
    const bool may_be_the_page =
        none->kind == kExhausted || none->kind == kWrong || none->kind == kTooLarge;
    // A page that came in spite of an open breaker came hard: it is not thrown away.
    const bool is_shut = none->kind == kParked && none->waits_for == domain::WaitReason::kBreaker;
    if (next == Next::kRefused) {
      if (none->kind != kWrong) return *none;
      run.doubt = domain::WalkVerdict{
          domain::WalkVerdict::Kind::kWalkAgain,
          fmt::format("the provider refuses {}, which it had before", Describe(edge->at))};
      return std::nullopt;
    }
    if (!may_be_the_page && !is_shut) return *none;
    run.walk->LeaveUnchecked();
    return std::nullopt;
  }
  const auto facts = FactsOf(std::get<FetchedPage>(fetched).content);
  const bool is_beyond_end = next == Next::kRefused && facts.shown() == 0;
  if (!run.walk->StandsStill(facts) || is_beyond_end) {
    run.doubt = domain::WalkVerdict{
        domain::WalkVerdict::Kind::kWalkAgain,
        fmt::format("the list has moved since {} was read", Describe(edge->at))};
  } else if (run.walk->WasLeftLong(ports_.clock.Now())) {
    run.walk->LeaveUnchecked();
  }
  return std::nullopt;
}

}  // namespace patra::app
