#include "app/execute/execute_task.h"

#include <algorithm>
#include <new>
#include <set>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "app/execute/clock_watch.h"
#include "app/execute/fetch_ahead.h"
#include "app/execute/next_step.h"
#include "app/execute/outside_window.h"
#include "app/execute/page_ids.h"
#include "domain/heal/failing_batches.h"
#include "domain/heal/should_recut.h"
#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"
#include "domain/walk/isolated_page.h"
#include "domain/walk/page_size.h"
#include "domain/walk/proof.h"
#include "domain/walk/walk.h"

namespace patra::app {
namespace {

// When so many ids in a row cannot be had one by one, it is not the ids.
constexpr int kBadIdsInARowMax = 10;
constexpr int kBatchesAhead = 20;
// How many of them are tried one by one before the provider is taken for being down, and how often each.
constexpr int kProofsMax = 4;
constexpr std::int64_t kAttemptsAlone = 2;
constexpr int kSecondLooksMax = 3;
constexpr int kKnownIdsMax = 20;
// A list that moves while it is read is read again at once so often before it is cut, or left for later.
constexpr int kWalksAtOnce = 3;
// How long a bad moment of a provider may last that would be taken for its word otherwise.
constexpr Duration kMoment = std::chrono::seconds(1);
// What the rest of a slice waits for whose run has used up its budget.
constexpr std::string_view kBudget = "BUDGET";
constexpr std::string_view kTotalMayBeWrong =
    "; if the total is what is wrong, the definition may say `total: {is: estimate}` or leave it "
    "out";
constexpr std::string_view kEstimateMayBeWorse =
    "; if the estimate is no better, the definition may say so: `within` of `total`";

// Whether a list that is sorted, but not filtered, has left the window: nothing that follows belongs to it.
bool HasLeftWindow(const domain::SpecSnapshot& spec, const domain::Window& window,
                   const PageContent& page) {
  if (spec.window.filter != domain::WindowFilter::kClient || page.records.empty()) return false;
  const auto last = page.records.back().date();
  return spec.order.direction == domain::SortDirection::kDesc ? last < window.from()
                                                              : last >= window.to();
}

// A list that is filtered by a time that lags behind nothing, and that nobody keeps still, may have grown
// while its last page was read (seed 4.5).
bool DeservesSecondLook(const domain::SpecSnapshot& spec, const Position& at) {
  return spec.window.safety_lag == Duration::zero() && !spec.order.stable &&
         spec.window.filter == domain::WindowFilter::kServer && spec.paging.replayable &&
         at.token_is_position;
}

// Of the page after an empty one. Many providers refuse what lies beyond the end.
bool ShowsNothing(const Fetched& beyond) {
  if (const auto* none = std::get_if<NoPage>(&beyond)) return none->kind == NoPage::Kind::kWrong;
  const auto facts = FactsOf(std::get<FetchedPage>(beyond).content);
  return facts.size() == 0 && !facts.is_isolated;
}

// Which of the ids an answer of the second phase deals with, and which it lacks. A record that nobody asked
// for is kept; it makes up for none that is missing.
std::pair<Answers, std::vector<std::string>> Match(const std::vector<std::string>& ids,
                                                   const PageContent& page) {
  std::unordered_set<std::string> open(ids.begin(), ids.end());
  Answers answers;
  for (const auto& id : IdsOf(page)) {
    if (open.erase(id) > 0) {
      answers.ids.push_back(id);
    } else {
      ++answers.repeated;
    }
  }
  std::vector<std::string> missing;
  for (const auto& id : ids) {
    if (open.contains(id)) missing.push_back(id);
  }
  return {std::move(answers), std::move(missing)};
}

// A walk by page numbers goes on in pages of the size it began with; others may change it at any time. One that read
// pages shorter than it asked for is repeated in their size.
std::int64_t PageSizeOf(const domain::SpecSnapshot& spec, const LeasedTask& task,
                        const RunOpened& run) {
  const auto own = spec.paging.size;
  if (run.is_resumed && run.start.size) return *run.start.size;
  const bool is_counted = spec.paging.style == domain::PagingStyle::kPage;
  const bool is_ours = domain::CanChoosePageSize(spec, task.slice);
  if (!is_ours || (run.is_resumed && is_counted)) return own;
  const auto found =
      run.walk.earlier ? domain::PageSizeFound(spec, task.slice, *run.walk.earlier) : std::nullopt;
  return std::clamp<std::int64_t>(std::min(found.value_or(own), run.page_size_max.value_or(own)), 1,
                                  own);
}

// One record of a page, another one each time; none where they cannot be had apart.
std::optional<Position> AnyRecordOf(const domain::SpecSnapshot& spec, const Position& page,
                                    Random& random) {
  std::optional<Position> record;
  for (auto parts = domain::PartsOfPage(spec, page); !parts.empty();
       parts = domain::PartsOfPage(spec, *record))
    record = parts[random.Below(parts.size())];
  return record;
}

// Of a walk in one phase, as far as the provider tells; ids that are listed do not tell how many of them are done.
std::optional<std::int64_t> RequestsLeft(const domain::SpecSnapshot& spec,
                                         std::optional<std::int64_t> announced,
                                         std::int64_t received, bool goes_on) {
  if (!announced || spec.details) return std::nullopt;
  const auto records = std::max<std::int64_t>(*announced - received, 0);
  return goes_on && records > 0 ? domain::RequestsFor(spec, records) : 0;
}

// Whether a walk can go on where it was left so long ago.
bool CanComeBack(const domain::SpecSnapshot& spec, Duration pause) {
  const auto& lifetime = spec.paging.token_lifetime;
  return spec.paging.replayable && (!lifetime || pause < *lifetime);
}

NoPage EndOfLastRun(const RunOpened& run, Instant now) {
  if (!run.met_breaker) return {};
  return {.kind = NoPage::Kind::kParked,
          .reason = std::string(Name(domain::WaitReason::kBreaker)),
          .until = now,
          .waits_for = domain::WaitReason::kBreaker};
}

std::string TakeAny(std::deque<std::vector<std::string>>& batches, Random& random) {
  const auto batch = batches.begin() + static_cast<std::ptrdiff_t>(random.Below(batches.size()));
  const auto id = batch->begin() + static_cast<std::ptrdiff_t>(random.Below(batch->size()));
  auto taken = std::move(*id);
  batch->erase(id);
  if (batch->empty()) batches.erase(batch);
  return taken;
}

NoPage WithEvidence(NoPage why, const NoPage& newer) {
  why.reason = newer.reason;
  why.body = newer.body;
  why.request = newer.request;
  return why;
}

// `why` still holds, and there is more trouble: not before both have had their time.
NoPage Later(const NoPage& trouble, const NoPage& why, Instant earliest) {
  if (trouble.kind == NoPage::Kind::kStopped) return trouble;
  auto later = why;
  later.until = std::max(later.until, earliest);
  if (trouble.kind == NoPage::Kind::kParked) later.until = std::max(later.until, trouble.until);
  later.requests += trouble.requests;
  later.throttled += trouble.throttled;
  return later;
}

}  // namespace

// One task on its way.
struct ExecuteTask::Course {
  const std::int64_t own_page_size;  // the snapshot's, which self-healing may have made smaller
  const LeasedTask& task;
  const OnBatch& on_batch;
  const domain::SpecSnapshot spec;
  RunOpened run;
  RunTally tally;
  FetchScope scope;
  std::optional<domain::Walk> walk;
  Position position;
  int batch_no = 1;
  domain::RecordCounts counts;
  std::optional<Instant> observed_max{};
  Duration started{};                          // on the clock that only runs forward
  int failing_pages = 0;                       // the last ones, which came only after failures
  int isolated_in_a_row = 0;                   // pages, by a rule of the source
  domain::BatchesSeen batches{};               // in this run
  std::optional<std::string> reslice{};        // why
  std::optional<std::int64_t> cut_off_at{};    // pages of the provider, where that is why
  std::optional<Instant> rest_from{};          // when what is cut off may begin; else at once
  std::optional<domain::WalkVerdict> doubt{};  // why the walk proves nothing
  std::optional<HealRequest> request{};
  ClockWatch clocks{};
  std::optional<Instant> provable_to{};  // where the window reaches beyond the provider's now

  static domain::SpecSnapshot Adjusted(domain::SpecSnapshot snapshot, const LeasedTask& task,
                                       const RunOpened& run) {
    snapshot.paging.size = PageSizeOf(snapshot, task, run);
    return snapshot;
  }

  Course(const LeasedTask& leased, const OnBatch& tell, const OnGateWait& on_wait,
         const HoldsLease& holds_lease, domain::SpecSnapshot snapshot, RunOpened opened,
         std::int64_t failures_max)
      : own_page_size(snapshot.paging.size),
        task(leased),
        on_batch(tell),
        spec(Adjusted(std::move(snapshot), leased, opened)),
        run(std::move(opened)),
        scope{.task = leased,
              .spec = spec,
              .lineage = run.lineage,
              .random = SeededRandom(static_cast<std::uint64_t>(run.lineage.run)),
              .tally = tally,
              .on_wait = on_wait,
              .concurrency_max = run.concurrency_max,
              .runs_max = failures_max,
              .is_first_use = run.is_first_use,
              .holds_lease = holds_lease},
        position(run.start),
        batch_no(run.batch_no),
        counts(run.so_far),
        request(run.request),
        clocks(run.clock),
        provable_to(run.provable_to) {
    walk.emplace(spec, task.slice, run.walk, run.walked);
  }
};

Result<TaskOutcome> ExecuteTask::Run(const LeasedTask& task, const OnBatch& on_batch,
                                     const OnGateWait& on_wait, const HoldsLease& holds_lease) {
  if (!task.damage.empty()) return Fail(ErrorCode::kCorruption, task.damage);
  if (task.fruitless_claims > policy_.fruitless_claims_max) {
    return Fail(
        ErrorCode::kLimit,
        fmt::format("it was claimed {} times and got nowhere: it may have ended its process "
                    "each time",
                    task.fruitless_claims - 1));
  }
  const auto snapshot = PATRA_TRY(ParseJson(task.plan_snapshot));
  auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
  if (const auto wait = PATRA_TRY(sender_.LongWaitAhead(spec)))
    return TaskOutcome{.status = domain::TaskStatus::kQueued, .parked = wait};

  const auto first =
      task.is_update() ? Position{.is_detail = true} : domain::Walk(spec, task.slice).Start();
  auto run = PATRA_TRY(ledger_.Open(task, first));
  log_.Write(LogLevel::kInfo, "run.opened", run.lineage,
             {{"window", task.window().Describe()},
              {"start", Describe(run.start)},
              {"resumed", run.is_resumed}});
  Course course(task, on_batch, on_wait, holds_lease, std::move(spec), std::move(run),
                policy_.failures_max);
  course.started = clock_.Elapsed();
  auto outcome = FollowWithinMemory(course);
  if (outcome) {
    outcome->tally = course.tally;
    outcome->counts = course.counts;
    course.clocks.Tell(task.partition, course.run.lineage, course.observed_max, clock_.Now(), log_);
  }
  return outcome;
}

// The store and the gate say kUnavailable where they cannot be reached, and a store that is damaged as a whole refuses
// to have the task given up, too.
bool ExecuteTask::IsOfTask(const Error& error) {
  return error.code == ErrorCode::kCorruption || error.code == ErrorCode::kInvalidInput ||
         error.code == ErrorCode::kLimit || error.code == ErrorCode::kNotFound;
}

Result<TaskOutcome> ExecuteTask::GiveUp(const LeasedTask& task, const Error& error) {
  const auto reason = error.Describe();
  PATRA_TRY(ledger_.GiveUp(task, reason));
  log_.Write(LogLevel::kError, "task.given_up", task.lineage,
             {{"source", task.partition.provenance},
              {"endpoint", task.partition.endpoint},
              {"reason", reason}});
  return TaskOutcome{.status = domain::TaskStatus::kFailed, .error = error};
}

// What there is no memory for fails this run, as often as others may fail, and leaves everybody else alone.
Result<TaskOutcome> ExecuteTask::FollowWithinMemory(Course& course) {
  try {
    return Follow(course);
  } catch (const std::bad_alloc&) {
    return TryLater(course, {.reason = "this machine ran out of memory"},
                    !course.position.token_is_position);
  }
}

Result<TaskOutcome> ExecuteTask::Follow(Course& course) {
  // An earlier run read everything and died before it could say what that proves.
  if (course.run.is_at_end) course.doubt = JudgeWalk(course);
  if (!course.run.is_at_end && !course.position.is_detail) {
    auto broken = PATRA_TRY(Honour(course));
    if (!broken && !course.reslice) broken = PATRA_TRY(WalkPages(course));
    if (course.reslice) return Reslice(course, *course.reslice);
    if (broken) return Break(course, *broken);
  }
  // A page in quarantine keeps the slice from being proven, whatever else the walk saw.
  if (course.doubt && course.counts.isolated_pages == 0) {
    if (course.doubt->kind == domain::WalkVerdict::Kind::kGap)
      return Unbalanced(course, course.doubt->reason);
    if (course.doubt->kind == domain::WalkVerdict::Kind::kWalkAgain)
      return WalkAgain(course, course.doubt->reason);
  }
  if (course.spec.details && (course.position.is_detail || course.run.is_at_end)) {
    if (const auto broken = PATRA_TRY(FetchDetails(course))) return Break(course, *broken);
  }
  if (const auto why = domain::WhyUnproven(course.spec, course.counts, course.walk->announced()))
    return LeaveUnproven(course, *why);
  return Succeed(course);
}

Result<ExecuteTask::Broken> ExecuteTask::WalkPages(Course& course) {
  using Kind = domain::Step::Kind;
  FetchAhead ahead(policy_.fetch_ahead);
  const auto begin = [&](const Position& at, int batch_no) {
    ahead.Begin([&, at, batch_no] { return fetch_.At(course.scope, at, batch_no); });
  };
  int second_looks = 0;
  const auto last_run = EndOfLastRun(course.run, clock_.Now());
  Fetched fetched = last_run;
  bool is_checked = !course.run.is_resumed;
  if (!IsStuck(course, last_run)) {
    begin(course.position, course.batch_no);
    fetched = PATRA_TRY(ahead.Take());
  }
  while (true) {
    if (const auto* none = std::get_if<NoPage>(&fetched)) {
      fetched = PATRA_TRY(Sidestep(course, NoPage(*none)));
      if (const auto* still = std::get_if<NoPage>(&fetched)) {
        // A list that has become shorter may refuse a page that it had a moment ago.
        const bool may_have_moved =
            still->kind == NoPage::Kind::kWrong && course.walk->memory().edge;
        if (may_have_moved) PATRA_TRY(LookBack(course));
        if (course.doubt) return std::nullopt;
        return *still;
      }
    }
    auto& page = std::get<FetchedPage>(fetched);
    ++course.tally.pages;
    if (auto changed = ChangeIn(page, {course.spec.response, course.spec.fields})) return changed;
    if (!page.content.records.empty()) course.scope.is_first_use = false;
    if (!is_checked) {
      if (auto broken = PATRA_TRY(LookBack(course)); broken || course.doubt) return broken;
      is_checked = true;
    }
    auto facts = FactsOf(page.content);
    facts.read_at = page.response.received_at;
    course.isolated_in_a_row = facts.is_isolated ? course.isolated_in_a_row + 1 : 0;
    if (facts.is_isolated) {
      facts.is_end = !domain::LeadsOn(course.spec, course.isolated_in_a_row);
      if (facts.is_end && PATRA_TRY(CanCut(course))) {
        course.reslice = page.content.bad_records.front().reason;
        return std::nullopt;
      }
    } else if (HasLeftWindow(course.spec, course.task.window(), page.content)) {
      facts.is_end = true;
    }
    auto step = course.walk->After(course.position, facts);
    const bool look_again = step.kind == Kind::kEnd && facts.size() > 0 && !facts.is_end &&
                            second_looks < kSecondLooksMax &&
                            DeservesSecondLook(course.spec, course.position);
    if (step.kind == Kind::kAgain || look_again) {
      begin(course.position, course.batch_no);
      auto again = PATRA_TRY(ahead.Take());
      const auto* second = std::get_if<FetchedPage>(&again);
      const bool is_news = second == nullptr || step.kind == Kind::kAgain ||
                           FactsOf(second->content).ids != facts.ids;
      if (is_news) {
        if (look_again) {
          ++second_looks;
          course.walk->TakeBack();
        }
        fetched = std::move(again);
        continue;
      }
    }
    if (step.kind == Kind::kLost)
      return NoPage{.kind = NoPage::Kind::kStartOver, .reason = step.reason};
    std::optional<Fetched> glanced;
    if (!step.glances.empty()) {
      glanced = PATRA_TRY(GlanceBeyond(course, step.glances));
      if (!glanced) {
        course.walk->End();
        step.kind = Kind::kEnd;
      }
    }
    if (step.kind == Kind::kReslice) {
      course.reslice = step.reason;
      course.cut_off_at = step.cut_off_at;
      return std::nullopt;
    }
    if (auto why = course.walk->WhyCutToSee(); why && PATRA_TRY(CanCut(course))) {
      course.reslice = *std::move(why);
      return std::nullopt;
    }

    if (facts.newest)
      course.observed_max = std::max(course.observed_max.value_or(*facts.newest), *facts.newest);
    const bool is_last = step.kind == Kind::kEnd;
    course.tally.has_next = !is_last;
    std::optional<Position> after;
    if (!is_last) after = step.to;
    if (after && course.spec.paging.size != course.own_page_size)
      after->size = course.spec.paging.size;
    if (is_last) {
      if (const auto rest = course.walk->PageToProbe()) {
        const auto seen = PATRA_TRY(GlanceBeyond(course, {*rest}));
        const bool is_page = seen && std::holds_alternative<FetchedPage>(*seen);
        if (is_page) course.walk->FindCutOff();
        if (seen && !is_page) course.walk->LeaveUnchecked();
      }
      course.doubt = JudgeWalk(course);
      const bool is_proven = course.doubt->kind == domain::WalkVerdict::Kind::kProven;
      // What a page in quarantine holds explains what is missing, once everything else is here.
      const bool is_isolated = facts.is_isolated || course.counts.isolated_pages > 0;
      if (course.spec.details && (is_proven || is_isolated)) after = Position{.is_detail = true};
    }

    // The next one is on its way while this page is written. It adds to the tally meanwhile, so what is judged
    // below is the tally of now.
    const auto tally = course.tally;
    const auto spent = is_last ? Broken() : PATRA_TRY(WhySpent(course, facts.size()));
    if (!is_last && !glanced && !spent && !stop_.asked()) begin(step.to, course.batch_no + 1);
    const auto page_bytes = static_cast<std::int64_t>(page.response.body.size());
    const auto page_records = facts.size();
    course.failing_pages = page.retries > 0 ? course.failing_pages + 1 : 0;
    const auto goes_on =
        PATRA_TRY(Commit(course, page, after,
                         {.repeated = page_records - step.fresh,
                          .walked = WalkedPage{course.walk->memory(), std::move(facts.ids)}}));
    const bool is_elsewhere = goes_on != after;
    if (is_elsewhere) {
      // The batch was there already, and its walk is ours from here on.
      ahead.Forget();
      glanced.reset();
      course.doubt.reset();
      if (!goes_on) course.doubt = JudgeWalk(course);
    }
    if (!goes_on) return std::nullopt;
    course.position = *goes_on;
    if (is_elsewhere ? goes_on->is_detail : is_last) return std::nullopt;
    if (auto asked = PATRA_TRY(Honour(course)); asked || course.reslice) return asked;
    if (spent && !CanComeBack(course.spec, course.task.slice.budget.pause)) {
      course.reslice = spent->reason;
      course.rest_from = spent->until;
      return std::nullopt;
    }
    if (spent) return spent;
    course.reslice = PATRA_TRY(WhyRecut(course, tally, page_bytes, page_records));
    if (course.reslice) return std::nullopt;
    if (const auto why = domain::TooManyFail(course.batches, policy_.failing))
      return NoPage{.kind = NoPage::Kind::kFailing, .reason = *why};
    if (stop_.asked()) return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
    if (!glanced && !ahead.is_under_way()) begin(course.position, course.batch_no);
    fetched = glanced ? *std::move(glanced) : PATRA_TRY(ahead.Take());
    course.scope.lineage = course.run.lineage;
  }
}

// A list that is empty where none was before, or that lacks half of what another walk has just seen, may be a bad moment of
// the provider, whatever it announces: a little later it has to be the same.
domain::WalkVerdict ExecuteTask::JudgeWalk(const Course& course) const {
  using Kind = domain::WalkVerdict::Kind;
  auto verdict = course.walk->Judge();
  const auto& [walks, account, earlier, edge] = course.walk->memory();
  const auto& usual = course.run.usual;
  const bool are_many_usual =
      usual && usual->mean > policy_.recut.deviations_max * usual->deviation;
  const bool is_odd = account.rows == 0 && (are_many_usual || !course.run.was_any_empty) &&
                      !(earlier && earlier->rows == 0);
  const bool is_half = earlier && 2 * account.records < earlier->records;
  const bool has_half_vanished = 2 * account.total.value_or(0) < account.total_first.value_or(0);
  verdict.is_for_later = verdict.kind == Kind::kWalkAgain && has_half_vanished;
  if (verdict.kind != Kind::kProven || (!is_odd && !is_half)) return verdict;
  verdict.kind = Kind::kWalkAgain;
  verdict.is_for_later = true;
  verdict.reason =
      is_half ? fmt::format("{} records came, and {} a moment before", account.records,
                            earlier->records)
      : are_many_usual
          ? fmt::format("nothing came where about {:.0f} records are usual", usual->mean)
          : "nothing came, for the first time";
  return verdict;
}

// Pages beyond what looks like the end: the first of them, if any shows that the list goes on.
Result<std::optional<Fetched>> ExecuteTask::GlanceBeyond(Course& course,
                                                         const std::vector<Position>& pages) {
  std::optional<Fetched> first;
  for (const auto& at : pages) {
    auto page = PATRA_TRY(fetch_.At(course.scope, at, course.batch_no + 1));
    const bool is_refused = std::holds_alternative<NoPage>(page);
    const bool shows_nothing = ShowsNothing(page);
    if (!first) first = std::move(page);
    if (!shows_nothing) return first;
    if (is_refused) break;
  }
  return std::nullopt;
}

// Whether the list stood still while nobody read it: the page before the pause is asked for once more. Where that
// cannot be told, the walk goes on, and another one has to confirm it.
Result<ExecuteTask::Broken> ExecuteTask::LookBack(Course& course) {
  using enum NoPage::Kind;
  const auto& edge = course.walk->memory().edge;
  if (!edge) {
    course.walk->LeaveUnchecked();
    return std::nullopt;
  }
  const auto fetched = PATRA_TRY(fetch_.AtPatiently(course.scope, edge->at, course.batch_no));
  if (const auto* none = std::get_if<NoPage>(&fetched)) {
    const bool may_be_the_page =
        none->kind == kExhausted || none->kind == kWrong || none->kind == kTooLarge;
    // A page that came in spite of an open breaker came hard: it is not thrown away.
    const bool is_shut = none->kind == kParked && none->waits_for == domain::WaitReason::kBreaker;
    if (!may_be_the_page && !is_shut) return *none;
    course.walk->LeaveUnchecked();
    return std::nullopt;
  }
  if (!course.walk->StandsStill(FactsOf(std::get<FetchedPage>(fetched).content))) {
    course.doubt = domain::WalkVerdict{
        domain::WalkVerdict::Kind::kWalkAgain,
        fmt::format("the list has moved since {} was read", Describe(edge->at))};
  } else if (course.walk->WasLeftLong(clock_.Now())) {
    course.walk->LeaveUnchecked();
  }
  return std::nullopt;
}

Result<std::optional<Position>> ExecuteTask::Commit(Course& course, FetchedPage& fetched,
                                                    const std::optional<Position>& after,
                                                    Answers answers) {
  auto& page = fetched.content;
  const auto taken_out = TakeOutOutside(course.spec, course.task.window(), page);
  const auto received = course.counts.received + static_cast<std::int64_t>(page.size());
  BatchCommit batch{.task = course.task,
                    .lineage = course.run.lineage,
                    .batch_no = course.batch_no,
                    .before = course.position,
                    .after = after,
                    .filtered = taken_out.records,
                    .outside = taken_out.outside,
                    .repeated = answers.repeated,
                    .found_ids = std::move(page.ids),
                    .answered_ids = std::move(answers.ids),
                    .bad_ids = std::move(answers.bad),
                    .announced = course.walk->announced(),
                    .walked = std::move(answers.walked),
                    .requests_left = RequestsLeft(course.spec, course.walk->announced(), received,
                                                  after.has_value()),
                    .request_digest = std::move(fetched.request_digest),
                    .response_digest = std::move(fetched.response_digest),
                    .latency_ms = fetched.response.latency / std::chrono::milliseconds(1),
                    .status = fetched.response.status,
                    .retries = fetched.retries,
                    .throttled = fetched.throttled};
  course.clocks.Note(fetched.response);
  course.provable_to =
      course.clocks.ProvableTo(course.task.window().to(), course.spec.window.safety_lag,
                               course.run.provable_to, course.observed_max, clock_.Now());
  if (course.provable_to) {
    const auto grid = PATRA_TRY(domain::CutPolicy::Of(course.spec)).grid;
    course.provable_to = grid.Floor(*course.provable_to);
  }
  batch.provable_to = course.provable_to;
  batch.records = std::move(page.records);
  batch.bad_records = std::move(page.bad_records);
  // A record that came after its id was listed is as new as the list. Both times are ours: the provider's
  // clock, or a window of its time, would say nothing about when we looked.
  if (course.spec.details) batch.fresh_since = fetched.response.received_at;
  if (policy_.keep_raw_pages && course.spec.keep_raw_pages && !fetched.response.body.empty()) {
    batch.raw_page = RawPage{fetched.response.content_type, std::move(fetched.response.body),
                             fetched.response.received_at, std::move(fetched.body_hash)};
  }
  const auto stored = ledger_.Commit(batch);
  if (!stored && stored.error().code == ErrorCode::kCorruption) {
    log_.Write(LogLevel::kError, "ledger.contradiction", course.run.lineage,
               {{"source", course.task.partition.provenance},
                {"endpoint", course.task.partition.endpoint},
                {"reason", stored.error().message}});
  }
  const auto committed = PATRA_TRY(stored);
  if (batch.walked && committed.walk)
    course.walk.emplace(course.spec, course.task.slice, *committed.walk, committed.walked);
  course.counts += committed.counts;
  course.batches.Count(fetched.retries > fetched.throttled);
  course.request = committed.request;
  course.run.lineage.batch = committed.next_batch;
  ++course.batch_no;
  const bool is_first = batch.batch_no == 1 && !course.run.is_resumed;
  course.on_batch({.counts = committed.counts,
                   .announced = is_first ? batch.announced : std::nullopt,
                   .waited = fetched.waited,
                   .latency = fetched.response.latency,
                   .requests = 1 + fetched.retries,
                   .retries = fetched.retries,
                   .throttled = fetched.throttled,
                   .begins_walk = is_first});
  return committed.after;
}

Result<std::optional<std::string>> ExecuteTask::WhyRecut(const Course& course,
                                                         const RunTally& tally,
                                                         std::int64_t page_bytes,
                                                         std::int64_t page_records) const {
  const auto& paging = course.spec.paging;
  const bool is_size_ours =
      paging.style == domain::PagingStyle::kPage || paging.style == domain::PagingStyle::kOffset;
  // Without history the planner expects at least one request, which is no estimate; and where the provider told
  // how much there is, the rest is known and would only be read twice.
  const auto& slice = course.task.slice;
  const bool is_estimate = slice.expected_records && !course.walk->announced();
  // A slice of a few pages is read sooner than it is cut.
  const auto announced = course.walk->announced();
  const auto pages = announced ? *announced / std::max<std::int64_t>(paging.size, 1)
                               : static_cast<std::int64_t>(tally.pages);
  const bool is_worth_it = course.run.usual && pages >= policy_.recut.requests_min;
  auto why = domain::ShouldRecut(
      {.elapsed = clock_.Elapsed() - course.started,
       .requests = tally.requests,
       .throttled = tally.throttled,
       .failures_in_a_row = course.failing_pages,
       .pages = tally.pages,
       .pages_expected = is_estimate ? slice.expected_requests : std::nullopt,
       .page_bytes = page_bytes,
       .page_records = page_records,
       .page_size = is_size_ours ? paging.size : 0,
       .records = announced.value_or(course.counts.received),
       .records_mean = is_worth_it ? std::optional(course.run.usual->mean) : std::nullopt,
       .records_deviation = is_worth_it ? course.run.usual->deviation : 0},
      policy_.recut);
  if (!why || !PATRA_TRY(CanCut(course))) return std::nullopt;
  return why;
}

// Where nobody can come back to a page, the run would begin anew each time and never end: there the budget has to be kept by
// smaller slices, and what cannot be cut is read to its end.
Result<ExecuteTask::Broken> ExecuteTask::WhySpent(const Course& course,
                                                  std::int64_t page_records) const {
  const auto& budget = course.task.slice.budget;
  const auto used_up = domain::WhatIsUsedUp(
      budget, {.requests = course.tally.requests,
               .records = course.counts.received - course.run.so_far.received + page_records,
               .elapsed = clock_.Elapsed() - course.started});
  if (!used_up) return std::nullopt;
  const auto reason = fmt::format("{}: {} in one run", kBudget, *used_up);
  const bool is_lost = !course.position.is_detail && !CanComeBack(course.spec, budget.pause);
  if (is_lost && !PATRA_TRY(CanCut(course))) return std::nullopt;
  return NoPage{
      .kind = NoPage::Kind::kSpent, .reason = reason, .until = clock_.Now() + budget.pause};
}

Result<bool> ExecuteTask::CanCut(const Course& course) const {
  const auto& window = course.task.window();
  if (window.to() - window.from() < 2 * course.spec.window.width_min) return false;
  const auto cut = PATRA_TRY(domain::CutPolicy::Of(course.spec));
  return !domain::CutRest(course.task.slice, window, cut).empty();
}

Result<ExecuteTask::Broken> ExecuteTask::Honour(Course& course) const {
  if (!course.request) return std::nullopt;
  if (course.request->what == domain::SliceRequest::kFail)
    return NoPage{.kind = NoPage::Kind::kWrong, .reason = course.request->reason};
  if (PATRA_TRY(CanCut(course))) course.reslice = course.request->reason;
  return std::nullopt;
}

Result<Fetched> ExecuteTask::Sidestep(Course& course, const NoPage& why) {
  using enum NoPage::Kind;
  const bool can_cut = PATRA_TRY(CanCut(course));
  if (why.kind == kTooLarge && can_cut) course.reslice = why.reason;
  const bool is_last_chance = course.task.failures + 1 >= policy_.failures_max;
  // A request that is wrong from the first page on is wrong in all its parts.
  const bool is_begun = course.batch_no > 1 || course.run.is_resumed;
  const bool is_stuck = IsStuck(course, why);
  const bool may_be_the_page = (why.kind == kExhausted && is_last_chance) ||
                               (why.kind == kWrong && is_begun) ||
                               (why.kind == kTooLarge && !can_cut);
  const bool has_parts = !domain::PartsOfPage(course.spec, course.position).empty();
  if (may_be_the_page && has_parts)
    return take_apart_.Run(course.scope, course.position, why, course.batch_no);
  const bool may_be_the_slice =
      ((why.kind == kExhausted || why.kind == kStartOver) && is_last_chance) || is_stuck;
  if (!may_be_the_slice) return why;
  const auto elsewhere = PATRA_TRY(AskElsewhere(course));
  if (const auto* trouble = std::get_if<NoPage>(&elsewhere))
    return is_stuck ? Later(*trouble, why, clock_.Now() + policy_.first_retry) : why;
  // The provider is well. Perhaps it has become so just now; if not, it counts as the slice's own failure from here on.
  course.run.met_breaker = false;
  auto own = why;
  if (is_stuck) own.kind = kExhausted;
  if (course.spec.paging.replayable || !course.position.token) {
    auto once = course.scope;
    once.attempts_max = 1;
    auto again = PATRA_TRY(fetch_.AtPatiently(once, course.position, course.batch_no));
    const auto* none = std::get_if<NoPage>(&again);
    if (none == nullptr || none->kind == kStopped || none->kind == kFatal) return again;
    if (!none->request.empty()) own = WithEvidence(own, *none);
  }
  if (has_parts) {
    auto apart = PATRA_TRY(take_apart_.Run(course.scope, course.position, own, course.batch_no));
    const auto* none = std::get_if<NoPage>(&apart);
    if (none == nullptr || none->kind == kStopped || none->kind == kFatal) return apart;
  }
  if (can_cut) course.reslice = own.reason;
  return own;
}

// Whether the breaker is open over what this page did, and that again and again. The page that an earlier run ended
// with may be what opened it: then the one request that a breaker lets through after its pause is better spent on
// something else.
bool ExecuteTask::IsStuck(const Course& course, const NoPage& why) const {
  return why.kind == NoPage::Kind::kParked && why.waits_for == domain::WaitReason::kBreaker &&
         (why.requests > 0 || course.run.met_breaker) &&
         course.task.runs_so_far >= policy_.failures_max;
}

// A provider that is down answers nothing else either, and taking apart and cutting would only make more requests of
// it. What is asked for are a record of the page, the parts of the slice and its neighbours in time, beginning
// anywhere: where a breaker lets only one of them through in a run, it is not always the same.
Result<Fetched> ExecuteTask::AskElsewhere(Course& course) {
  struct Question {
    domain::SliceSpec slice;
    Position at;
  };
  const auto cut = PATRA_TRY(domain::CutPolicy::Of(course.spec));
  const auto& slice = course.task.slice;
  auto others = domain::CutRest(slice, slice.window, cut);
  for (const auto step : {-slice.window.width(), slice.window.width()}) {
    const auto beside =
        domain::Window::Between(slice.window.from() + step, slice.window.to() + step);
    if (!beside) continue;
    others.push_back(slice);
    others.back().window = *beside;
  }
  std::vector<Question> questions;
  for (const auto& other : others)
    questions.push_back({other, domain::Walk(course.spec, other).Start()});
  if (auto record = AnyRecordOf(course.spec, course.position, course.scope.random))
    questions.push_back({slice, *std::move(record)});
  const auto begin = course.scope.random.Below(std::max<std::size_t>(questions.size(), 1));
  std::ranges::rotate(questions, questions.begin() + static_cast<std::ptrdiff_t>(begin));

  auto task = course.task;
  FetchScope scope{.task = task,
                   .spec = course.spec,
                   .lineage = course.run.lineage,
                   .random = course.scope.random,
                   .tally = course.tally,
                   .on_wait = course.scope.on_wait,
                   .concurrency_max = course.scope.concurrency_max,
                   .attempts_max = 1,
                   .holds_lease = course.scope.holds_lease};
  Fetched answer = NoPage{.reason = "there is nothing else to ask for"};
  for (const auto& question : questions) {
    task.slice = question.slice;
    answer = PATRA_TRY(fetch_.AtPatiently(scope, question.at, course.batch_no));
    const auto* none = std::get_if<NoPage>(&answer);
    // Where nobody is let in, nobody else is either.
    const bool is_shut = none != nullptr && none->kind == NoPage::Kind::kParked;
    if (none == nullptr || is_shut || stop_.asked()) break;
  }
  return answer;
}

// A page whose records fail all alike is one piece of news: the provider answers in another shape.
ExecuteTask::Broken ExecuteTask::ChangeIn(const FetchedPage& page,
                                          const domain::RecordPaths& paths) const {
  const auto& content = page.content;
  const auto change = domain::FindChange(paths, static_cast<std::int64_t>(content.records.size()),
                                         content.bad_records, policy_.change);
  if (!change) return std::nullopt;
  return NoPage{
      .kind = NoPage::Kind::kFatal, .reason = change->Describe(), .body = page.response.body};
}

// The second phase. A batch that fails for good is halved until the bad id stands alone; an id that the
// answer lacks is asked for once more, and then listed as bad.
//
// A batch that fails in every run may hold such an id, or the provider is down: then a record that it gave before, or any
// id that works, tells; until one does, none is given up.
Result<ExecuteTask::Broken> ExecuteTask::FetchDetails(Course& course) {
  const auto batch_size = static_cast<std::size_t>(course.spec.details->id_batch_size);
  const bool is_last_chance = course.task.failures + 1 >= policy_.failures_max;
  std::deque<std::vector<std::string>> open;
  std::set<std::string> asked_twice;
  int bad_in_a_row = 0;
  std::optional<NoPage> trouble;  // that may be an id's
  bool is_proven = false;         // because others work
  int failed_proofs = 0;
  const auto doubt = [&](NoPage why) -> Result<void> {
    trouble = std::move(why);
    is_proven = PATRA_TRY(GivesKnown(course)).value_or(false);
    return {};
  };
  if (auto last_run = EndOfLastRun(course.run, clock_.Now()); IsStuck(course, last_run))
    PATRA_TRY(doubt(std::move(last_run)));
  const auto refill = [&]() -> Result<void> {
    const auto ids = PATRA_TRY(
        ids_.NextOpen(course.task.lineage.slice, static_cast<int>(batch_size) * kBatchesAhead));
    for (std::size_t first = 0; first < ids.size(); first += batch_size) {
      const auto end = std::min(first + batch_size, ids.size());
      open.emplace_back(ids.begin() + static_cast<std::ptrdiff_t>(first),
                        ids.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return {};
  };
  std::vector<std::string> asked;  // outlives the fetch that reads it
  FetchAhead ahead(policy_.fetch_ahead);
  const auto begin = [&](int batch_no) {
    if (trouble && !is_proven) {
      asked = {TakeAny(open, course.scope.random)};
    } else {
      asked = std::move(open.front());
      open.pop_front();
    }
    if (!trouble)
      return ahead.Begin([&, batch_no] { return fetch_.Details(course.scope, asked, batch_no); });
    course.scope.attempts_max = asked.size() == 1 ? kAttemptsAlone : 1;
    ahead.Begin([&, batch_no] { return fetch_.DetailsPatiently(course.scope, asked, batch_no); });
  };
  while (true) {
    if (!ahead.is_under_way()) {
      if (open.empty()) PATRA_TRY(refill());
      if (open.empty()) return std::nullopt;
      begin(course.batch_no);
    }
    auto fetched = PATRA_TRY(ahead.Take());
    const auto ids = std::exchange(asked, {});
    const auto* none = std::get_if<NoPage>(&fetched);
    const bool is_exhausted = none != nullptr && none->kind == NoPage::Kind::kExhausted;
    if (none != nullptr && !trouble &&
        ((is_exhausted && is_last_chance) || IsStuck(course, *none))) {
      open.push_front(ids);
      PATRA_TRY(doubt(*none));
      continue;
    }
    if (is_exhausted && trouble && !is_proven) {
      open.push_back(ids);
      if (++failed_proofs < kProofsMax) continue;
      return Later(*none, *trouble, clock_.Now() + policy_.first_retry);
    }
    const bool is_hopeless =
        none != nullptr &&
        (none->kind == NoPage::Kind::kWrong || none->kind == NoPage::Kind::kIsolated ||
         none->kind == NoPage::Kind::kTooLarge || (is_exhausted && trouble));
    const bool is_isolated = none != nullptr && none->kind == NoPage::Kind::kIsolated;
    // Something good between two failures also tells the breaker that it is the ids and not the provider.
    if (is_hopeless && (trouble || bad_in_a_row == kBadIdsInARowMax)) {
      const auto gives_known = PATRA_TRY(GivesKnown(course));
      is_proven = gives_known.value_or(is_proven);
      if (gives_known.value_or(false)) bad_in_a_row = 0;
    }
    if (is_hopeless && ids.size() > 1) {
      const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
      open.emplace_front(middle, ids.end());
      open.emplace_front(ids.begin(), middle);
      continue;
    }
    const bool is_counted = none != nullptr && !is_isolated;
    if (is_counted && (!is_hopeless || ++bad_in_a_row > kBadIdsInARowMax)) return *none;

    FetchedPage page;
    Answers answers;
    std::vector<std::string> missing;
    if (is_hopeless) {
      answers.bad.push_back({ids.front(), none->reason});
    } else {
      page = std::move(std::get<FetchedPage>(fetched));
      const auto& details = *course.spec.details;
      if (auto changed = ChangeIn(page, {details.response, details.fields})) return changed;
      bad_in_a_row = 0;
      if (!page.content.records.empty()) course.scope.is_first_use = false;
      is_proven = trouble.has_value();
      std::tie(answers, missing) = Match(ids, page.content);
    }
    ++course.tally.pages;
    for (auto& id : missing) {
      if (asked_twice.insert(id).second) continue;
      answers.bad.push_back({id, "the provider gives no details"});
    }
    std::erase_if(missing, [&](const std::string& id) {
      return std::ranges::find(answers.bad, id, &BadId::id) != answers.bad.end();
    });
    for (const auto& bad : answers.bad) {
      page.content.bad_records.push_back(
          {.id = bad.id,
           .path = "",
           .rule = is_isolated ? std::string(domain::kIsolatedByRule) : "no_details",
           .reason = bad.reason,
           .bytes = is_isolated ? none->body : bad.id});
    }
    if (!missing.empty()) open.push_front(std::move(missing));

    const auto after = PATRA_TRY(FirstOpenAfter(course, open, answers));
    course.scope.lineage = course.run.lineage;
    const auto spent =
        after ? PATRA_TRY(WhySpent(course, static_cast<std::int64_t>(page.content.size())))
              : Broken();
    if (!open.empty() && !spent && !stop_.asked()) begin(course.batch_no + 1);
    const auto goes_on = PATRA_TRY(Commit(course, page, after, std::move(answers)));
    if (!goes_on) return std::nullopt;
    if (goes_on != after) {
      ahead.Forget();
      open.clear();
    }
    course.position = *goes_on;
    if (spent) return spent;
    if (const auto why = domain::TooManyFail(course.batches, policy_.failing))
      return NoPage{.kind = NoPage::Kind::kFailing, .reason = *why};
    if (stop_.asked()) return NoPage{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
  }
}

// Whether the provider still gives what it gave before; nothing where that cannot be asked.
Result<std::optional<bool>> ExecuteTask::GivesKnown(Course& course) {
  const auto known = PATRA_TRY(ids_.Known(course.task.partition, kKnownIdsMax));
  if (known.empty()) return std::nullopt;
  const std::vector asked{known[course.scope.random.Below(known.size())]};
  auto once = course.scope;
  once.attempts_max = 1;
  const auto answer = PATRA_TRY(fetch_.DetailsPatiently(once, asked, course.batch_no));
  const auto* page = std::get_if<FetchedPage>(&answer);
  return page != nullptr && Match(asked, page->content).second.empty();
}

// Where the second phase goes on once these answers are committed.
Result<std::optional<Position>> ExecuteTask::FirstOpenAfter(
    const Course& course, const std::deque<std::vector<std::string>>& open,
    const Answers& answers) {
  if (!open.empty()) return Position{.token = open.front().front(), .is_detail = true};
  const auto answered = answers.ids.size() + answers.bad.size();
  const auto left =
      PATRA_TRY(ids_.NextOpen(course.task.lineage.slice, static_cast<int>(answered) + 1));
  for (const auto& id : left) {
    const bool is_answered = std::ranges::find(answers.ids, id) != answers.ids.end() ||
                             std::ranges::find(answers.bad, id, &BadId::id) != answers.bad.end();
    if (!is_answered) return Position{.token = id, .is_detail = true};
  }
  return std::nullopt;
}

// Reading it again would bring the same: people have to look.
Result<TaskOutcome> ExecuteTask::LeaveUnproven(Course& course, const std::string& reason) {
  log_.Write(LogLevel::kWarn, "slice.unproven", course.run.lineage,
             {{"source", course.task.partition.provenance},
              {"endpoint", course.task.partition.endpoint},
              {"window", course.task.window().Describe()},
              {"reason", reason}});
  const NoPage why{.kind = NoPage::Kind::kUnproven, .reason = reason};
  return Close(course, domain::TaskStatus::kPartial, &why);
}

Result<TaskOutcome> ExecuteTask::Succeed(Course& course) {
  const auto& window = course.task.window();
  if (course.provable_to && *course.provable_to < window.to() && !course.task.is_update()) {
    const NoPage why{.kind = NoPage::Kind::kEarly,
                     .reason = fmt::format("the window reaches beyond the provider's now: nothing "
                                           "from {} on is proven, and it is planned again",
                                           FormatRfc3339(*course.provable_to))};
    return Close(course, domain::TaskStatus::kPartial, &why,
                 domain::PartBefore(window, *course.provable_to));
  }
  return Close(course, domain::TaskStatus::kSucceeded, nullptr);
}

Result<TaskOutcome> ExecuteTask::Break(Course& course, const NoPage& why) {
  using enum NoPage::Kind;
  switch (why.kind) {
    case kParked:
      // Where part of the slice is proven, the rest begins there when there is quota again; else it would be left for so long
      // that a second walk had to confirm it.
      if (why.waits_for == domain::WaitReason::kQuota && PATRA_TRY(ProvenEdge(course))) {
        course.rest_from = why.until;
        return Reslice(course, "QUOTA: there is too little for the rest");
      }
      [[fallthrough]];
    case kStopped: {
      const bool has_progress = course.batch_no > course.run.batch_no;
      RunEnd end{
          .task = course.task,
          .lineage = course.run.lineage,
          .status = has_progress ? domain::RunStatus::kPartial : domain::RunStatus::kCancelled,
          .reason = why.reason,
          .again_at = why.kind == kParked ? why.until : clock_.Now(),
          .requests = why.requests,
          .throttled = why.throttled};
      auto outcome = PATRA_TRY(GiveBack(course, end));
      if (why.kind == kParked)
        outcome.parked = GateWait{why.waits_for.value_or(domain::WaitReason::kCoolDown), why.until};
      if (!why.cause.empty()) outcome.error = Error{ErrorCode::kUnavailable, why.cause, {}, {}};
      return outcome;
    }
    case kSpent: {
      auto outcome = PATRA_TRY(GiveBack(course, {.task = course.task,
                                                 .lineage = course.run.lineage,
                                                 .status = domain::RunStatus::kPartial,
                                                 .reason = why.reason,
                                                 .again_at = why.until}));
      outcome.is_spent = true;
      return outcome;
    }
    case kExhausted:
    case kFailing:
      return TryLater(course, why, !course.position.token_is_position);
    case kStartOver:
      return TryLater(course, why, true);
    case kTooLarge:
      // A provider whose pages stay as large whatever is asked for would have it cut without end.
      if (PATRA_TRY(CanCut(course))) return Reslice(course, why.reason);
      break;
    case kFatal:
      PATRA_TRY(BlowFuse(course, why));
      return Close(course, domain::TaskStatus::kFailed, &why);
    case kWrong:
    case kIsolated:
    case kUnproven:
    case kEarly:
      break;
  }
  return Close(course, domain::TaskStatus::kFailed, &why);
}

Result<TaskOutcome> ExecuteTask::TryLater(Course& course, const NoPage& last, bool start_over) {
  const auto& reason = last.reason;
  const int failures = course.task.failures + 1;
  const bool is_failing = last.kind == NoPage::Kind::kFailing;
  if (failures >= policy_.failures_max) {
    const NoPage why{.kind = last.kind,
                     .reason = fmt::format("{} (after {} runs)", reason, failures),
                     .body = last.body,
                     .request = last.request,
                     .requests = last.requests,
                     .throttled = last.throttled};
    return Close(course, is_failing ? domain::TaskStatus::kPartial : domain::TaskStatus::kFailed,
                 &why);
  }
  const auto wait =
      std::min(policy_.first_retry * (1 << std::min(failures - 1, 10)), policy_.retry_max);
  auto outcome = PATRA_TRY(GiveBack(
      course, {.task = course.task,
               .lineage = course.run.lineage,
               .status = is_failing ? domain::RunStatus::kPartial : domain::RunStatus::kFailed,
               .reason = reason,
               .level = domain::ErrorLevel::kL1,
               .again_at = clock_.Now() + wait,
               .start_over = start_over,
               .requests = last.requests,
               .throttled = last.throttled}));
  outcome.error = Error{ErrorCode::kUnavailable, reason, {}, {}};
  return outcome;
}

Result<TaskOutcome> ExecuteTask::GiveBack(Course& course, RunEnd end) {
  end.stats = course.tally.Stats(course.counts, end.reason);
  PATRA_TRY(ledger_.GiveBack(end));
  log_.Write(end.level ? LogLevel::kWarn : LogLevel::kInfo, "run.given_back", end.lineage,
             {{"reason", end.reason},
              {"againAt", FormatRfc3339(end.again_at)},
              {"startOver", end.start_over}});
  return TaskOutcome{.status = domain::TaskStatus::kQueued};
}

// Announced and received differ. Where this run resumed another one, or the list was read at a bad moment, a
// fresh walk settles it; what stays different after that is a gap that people see.
Result<TaskOutcome> ExecuteTask::Unbalanced(Course& course, const std::string& gap) {
  NoPage why{.kind = NoPage::Kind::kExhausted, .reason = gap};
  if (course.task.failures + 1 < policy_.failures_max) return TryLater(course, why, true);
  if (course.doubt && course.doubt->is_total) {
    const bool is_exact = course.spec.response.total_kind == domain::TotalKind::kExact;
    why.reason += is_exact ? kTotalMayBeWrong : kEstimateMayBeWorse;
  }
  return Close(course, domain::TaskStatus::kPartial, &why);
}

// The list moved while it was read, or may have. A shorter walk has a better chance to find it standing still.
Result<TaskOutcome> ExecuteTask::WalkAgain(Course& course, const std::string& reason) {
  const auto walks = course.walk->memory().walks;
  const bool is_for_later = course.doubt && course.doubt->is_for_later;
  log_.Write(LogLevel::kInfo, "walk.again", course.run.lineage,
             {{"reason", reason}, {"walks", walks}});
  if (walks < kWalksAtOnce) {
    return GiveBack(course, {.task = course.task,
                             .lineage = course.run.lineage,
                             .status = domain::RunStatus::kPartial,
                             .reason = reason,
                             .again_at = clock_.Now() + (is_for_later ? kMoment : Duration::zero()),
                             .start_over = true});
  }
  // Between two ranges of pages records would slip as they do between two pages.
  const bool may_cut = !course.task.slice.pages && PATRA_TRY(CanCut(course));
  return may_cut ? Reslice(course, reason) : Unbalanced(course, reason);
}

// In a list that is sorted by the time it is filtered by, everything before the last record is there.
Result<std::optional<Instant>> ExecuteTask::ProvenEdge(const Course& course) const {
  const auto& window = course.task.window();
  const bool is_sorted = course.spec.paging.style == domain::PagingStyle::kTime ||
                         (course.spec.order.direction == domain::SortDirection::kAsc &&
                          course.spec.order.stable && course.spec.window.updated_is_filtered);
  if (!is_sorted || !course.walk->is_sound() || !course.observed_max || course.batch_no <= 1 ||
      !course.task.slice.split.empty())
    return std::nullopt;
  const auto grid = PATRA_TRY(domain::CutPolicy::Of(course.spec)).grid;
  const auto edge =
      grid.Floor(std::min(*course.observed_max, course.provable_to.value_or(Instant::max())));
  if (window.from() < edge && edge < window.to()) return edge;
  return std::nullopt;
}

Result<TaskOutcome> ExecuteTask::Reslice(Course& course, const std::string& reason) {
  auto policy = PATRA_TRY(domain::CutPolicy::Of(course.spec));
  const auto announced = course.walk->announced();
  const auto reach = course.spec.paging.reach.value_or(course.spec.paging.pages_max.value_or(1) *
                                                       course.spec.paging.size);
  if (announced && !course.walk->WhyCutToSee())
    policy.pieces = domain::PiecesFor(*announced, reach);

  const auto& window = course.task.window();
  std::optional<domain::Window> proven;
  auto rest = window;
  if (const auto edge = PATRA_TRY(ProvenEdge(course))) {
    proven = PATRA_TRY(domain::Window::Between(window.from(), *edge));
    rest = PATRA_TRY(domain::Window::Between(*edge, window.to()));
  }
  auto children = domain::CutRest(course.task.slice, rest, policy);
  if (children.empty()) {
    const NoPage why{.kind = NoPage::Kind::kWrong,
                     .reason = reason + "; the slice cannot be cut any further"};
    return Close(course, domain::TaskStatus::kFailed, &why);
  }
  const auto wall = course.spec.paging.reach;
  for (auto& child : children) {
    child.counts_beyond_reach = child.counts_beyond_reach || (wall && announced > wall);
    child.total_of_whole = announced;
    if (course.cut_off_at) child.cut_off_at = course.cut_off_at;
  }
  const auto count = static_cast<int>(children.size());
  const bool has_records = course.counts.received > 0;
  SliceClose close{
      .task = course.task,
      .lineage = course.run.lineage,
      .status = has_records ? domain::TaskStatus::kPartial : domain::TaskStatus::kCancelled,
      .counts = course.counts,
      .announced = announced,
      .gap = fmt::format("{}: {} smaller slices take over", reason, count),
      .proven = proven,
      .children = std::move(children),
      .children_at = course.rest_from,
      .observed_max = course.observed_max,
      .stats = course.tally.Stats(course.counts, "online-reslice: " + reason),
      .clock = course.clocks.reading()};
  const auto closed = ledger_.Close(close);
  if (!closed && closed.error().code == ErrorCode::kLimit) {
    const NoPage why{.kind = NoPage::Kind::kWrong,
                     .reason = fmt::format("{}; {}", reason, closed.error().message)};
    return Close(course, domain::TaskStatus::kFailed, &why);
  }
  if (!closed) return std::unexpected(closed.error());
  log_.Write(LogLevel::kInfo, "slice.recut", course.run.lineage,
             {{"reason", reason}, {"children", count}});
  return TaskOutcome{.status = close.status, .watermark = closed->watermark, .children = count};
}

Result<TaskOutcome> ExecuteTask::Close(Course& course, domain::TaskStatus status, const NoPage* why,
                                       const std::optional<domain::Window>& proven) {
  using enum NoPage::Kind;
  SliceClose close{.task = course.task,
                   .lineage = course.run.lineage,
                   .status = status,
                   .counts = course.counts,
                   .announced = course.walk->announced(),
                   .proven = proven,
                   .observed_max = course.observed_max,
                   .clock = course.clocks.reading()};
  TaskOutcome outcome{.status = status, .is_early = why != nullptr && why->kind == kEarly};
  if (why != nullptr) {
    const auto code = why->kind == kFatal ? ErrorCode::kRefused : ErrorCode::kUnavailable;
    const bool is_refused = !why->wrong_parameter.empty() && !why->request.empty();
    const auto reason =
        is_refused ? fmt::format("the provider refuses '{}': {}", why->wrong_parameter, why->reason)
                   : why->reason;
    if (!outcome.is_early) outcome.error = Error{code, reason, {}, {}};
    close.error = reason;
    close.wrong_parameter = why->wrong_parameter;
    close.requests = why->requests;
    close.throttled = why->throttled;
    close.level = why->kind == kFatal      ? domain::ErrorLevel::kL4
                  : why->kind == kUnproven ? domain::ErrorLevel::kL3
                  : why->kind == kWrong    ? domain::ErrorLevel::kL2
                  : why->kind == kEarly    ? domain::ErrorLevel::kNone
                                           : domain::ErrorLevel::kL1;
    close.gap = status == domain::TaskStatus::kPartial
                    ? reason
                    : fmt::format("stopped at {}: {}", Describe(course.position), reason);
    const auto& evidence = why->body.empty() ? why->request : why->body;
    if (!evidence.empty()) close.bad_page = BadPage{course.batch_no, reason, evidence};
  }
  close.stats = course.tally.Stats(course.counts, why == nullptr ? "" : why->reason);
  const auto closed = PATRA_TRY(ledger_.Close(close));
  outcome.watermark = closed.watermark;
  const bool is_well = why == nullptr || outcome.is_early;
  log_.Write(is_well ? LogLevel::kInfo : LogLevel::kError, "slice.closed", course.run.lineage,
             {{"status", std::string(Code(status))},
              {"received", course.counts.received},
              {"reason", why == nullptr ? "" : why->reason}});
  if (status == domain::TaskStatus::kFailed) {
    log_.Write(LogLevel::kError, "slice.failed", course.run.lineage,
               {{"source", course.task.partition.provenance},
                {"endpoint", course.task.partition.endpoint},
                {"window", course.task.window().Describe()},
                {"reason", why == nullptr ? "" : why->reason}});
  }
  // Whatever it had to wait for is over.
  if (is_well && course.task.runs_so_far > 0) {
    log_.Write(LogLevel::kInfo, "slice.recovered", course.run.lineage,
               {{"source", course.task.partition.provenance},
                {"endpoint", course.task.partition.endpoint}});
  }
  return outcome;
}

Result<void> ExecuteTask::BlowFuse(const Course& course, const NoPage& why) {
  const auto& partition = course.task.partition;
  log_.Write(LogLevel::kError, "fuse.blown", course.run.lineage, {{"reason", why.reason}});
  return holds_.Blow({.provenance = partition.provenance,
                      .endpoint = partition.endpoint,
                      .reason = why.reason,
                      .is_fuse = true},
                     CanonicalJson(Value::Object{{"run", fmt::to_string(course.run.lineage.run)},
                                                 {"position", Describe(course.position)},
                                                 {"reason", why.reason}}));
}

}  // namespace patra::app
