#include "app/work/work.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "app/work/closed_lanes.h"
#include "app/work/holds_over.h"
#include "app/work/lane_bounds.h"
#include "app/work/lost_claims.h"
#include "app/work/reach_of_slices.h"
#include "app/work/repeater.h"
#include "app/work/request_budget.h"
#include "app/work/stall.h"
#include "app/work/untold.h"

namespace patra::app {
namespace {

constexpr Duration kLookAgainAfter = std::chrono::milliseconds(200);
constexpr Duration kForgottenAfter = std::chrono::hours(1);
constexpr Duration kTellParkedEvery = std::chrono::seconds(1);
// Beside those that were asked for: each serves a lane that nobody here works at, while all others are busy.
constexpr int kSpareWorkers = 8;

StallBounds BoundsOf(const WorkOptions& options) {
  return {.at_once = options.drain ? std::optional(options.stall_max) : std::nullopt,
          .in_all = options.wait_max};
}

}  // namespace

// What the workers of one Run share.
struct Work::Shift {
  const WorkOptions& options;
  const OnProgress& on_progress;
  std::mutex mutex{};
  Stall stall{BoundsOf(options)};
  std::map<Id, Error> overcome{};  // by slice that is not over: what went wrong with it last
  WorkSummary summary{};
  std::optional<Error> failure{};
  std::optional<Duration> told_parked_at{};
  ClosedLanes closed{};
  std::map<Id, domain::RecordCounts> isolated{};  // by slice that is not over: in its newest walk
  LaneBounds& bounds;
  std::atomic<Duration> renewed_at{Duration::zero()};  // on the clock that never jumps
  std::atomic<int> at_work{0};                         // workers that have not left
  std::mutex spare_looks{};                            // one spare worker at a time
  RequestBudget budget{options.requests_max};

  bool IsAllowed(int place, const StoreWatch* store) const {
    return options.workers == 0 || store == nullptr || place < store->allowed();
  }

  bool AreAllBusy() {
    const std::lock_guard lock(mutex);
    return summary.totals.running >= options.workers;
  }

  ReachOfSlices reach{};

  template <typename Change>
  void Tell(Change change) {
    const std::lock_guard lock(mutex);
    change(summary.totals);
    on_progress(summary.totals);
  }
};

Result<WorkSummary> Work::Run(const WorkOptions& options, const OnProgress& on_progress) {
  LaneBounds bounds(company_.at_once, execute_, queue_, company_.executors,
                    options.workers + kSpareWorkers);
  Shift shift{.options = options, .on_progress = on_progress, .bounds = bounds};
  if (options.workers == 0) {
    const auto worked = WorkOff(shift, 0);
    if (!worked) shift.failure = worked.error();
  } else {
    if (company_.executors != nullptr)
      (void)company_.executors->Forget(kForgottenAfter).has_value();
    if (company_.store != nullptr) company_.store->Begin(options.workers);
    KeepAlive(shift);
    const Repeater keeper(options.lease / 3, [&] { KeepAlive(shift); });
    const Repeater watcher(kLookAgainAfter, [&] { EndIfStalled(shift); });
    std::optional<Repeater> healer;
    if (company_.heal != nullptr)
      healer.emplace(company_.heal->interval(), [&] { company_.heal->RunIfDue(); });
    shift.at_work = options.workers;
    std::vector<std::thread> workers;
    const auto end = [&](const Result<void>& worked) {
      if (worked) return;
      const std::lock_guard lock(shift.mutex);
      if (!shift.failure) shift.failure = worked.error();
      // This work is over; whatever else the process does goes on.
      stop_.Enough();
    };
    for (int i = 0; i < options.workers; ++i) {
      workers.emplace_back([&, place = i] {
        const auto worked = WorkOff(shift, place);
        --shift.at_work;
        end(worked);
      });
    }
    for (int i = 0; i < (options.only ? 0 : kSpareWorkers); ++i)
      workers.emplace_back([&, i] { end(WorkBeside(shift, options.workers + i)); });
    for (auto& worker : workers) worker.join();
  }
  // Whoever comes next has not waited yet.
  stop_.BeginAnew();
  if (company_.executors != nullptr && options.workers > 0)
    (void)company_.executors->Leave(owner_).has_value();
  if (shift.failure) return std::unexpected(*shift.failure);
  if (company_.heal != nullptr) company_.heal->RunAtEnd();
  shift.summary.is_stopped = stop_.is_asked_by_others();
  const auto open = PATRA_TRY(queue_.LookAt(options.only, {}));
  shift.summary.left = open.open();
  shift.summary.is_at_limit = shift.budget.is_spent() && shift.summary.left > 0;
  shift.summary.running = static_cast<int>(open.running);
  shift.summary.holds = PATRA_TRY(HoldsOver(company_.holds, options.only));
  if (shift.summary.left > 0) shift.summary.waits = PATRA_TRY(queue_.FirstParked(options.only));
  // What was overcome decided nothing.
  if (!shift.summary.first_error && shift.summary.left > 0 && !shift.overcome.empty())
    shift.summary.first_error = shift.overcome.begin()->second;
  return shift.summary;
}

void Work::MeetTrouble(Shift& shift, std::string what) {
  {
    const std::lock_guard lock(shift.mutex);
    shift.stall.MeetTrouble(clock_.Elapsed(), std::move(what));
  }
  EndIfStalled(shift);
}

void Work::MeetShutDoor(Shift& shift, domain::WaitReason reason, std::optional<Instant> until) {
  {
    const std::lock_guard lock(shift.mutex);
    shift.stall.MeetShutDoor(clock_.Elapsed(), std::string(Name(reason)));
  }
  // Alone, nobody looks while this one waits.
  const bool is_alone = shift.options.workers == 0;
  EndIfStalled(shift, is_alone && until ? std::max(*until - clock_.Now(), Duration::zero())
                                        : Duration::zero());
}

void Work::MeetFailure(Shift& shift, const domain::GateWait& wait) {
  {
    const std::lock_guard lock(shift.mutex);
    shift.stall.MeetFailure(clock_.Elapsed() - wait.lost, wait.failure);
  }
  const bool is_alone = shift.options.workers == 0;
  EndIfStalled(shift,
               is_alone ? std::max(wait.until - clock_.Now(), Duration::zero()) : Duration::zero());
}

void Work::EndIfStalled(Shift& shift, Duration ahead) {
  const std::lock_guard lock(shift.mutex);
  const auto now = clock_.Elapsed();
  if (shift.summary.tired || !shift.stall.IsEnough(now + ahead)) return;
  shift.summary.tired = TiredOf{.waited = shift.stall.InAll(now), .what = shift.stall.what()};
  stop_.Enough();
}

// One statement renews the leases of all workers, three times per lease. A renewal that fails is tried again a third
// of a lease later. If none succeeds, the workers stop before the lease has run out, and should they be late with
// that, the fence keeps whatever is still under way from being committed. That an executor is not seen for a while
// harms nobody.
void Work::KeepAlive(Shift& shift) {
  const auto asked_at = clock_.Elapsed();
  const auto renewed = queue_.Renew(owner_, shift.options.lease);
  if (renewed) shift.renewed_at = asked_at;
  if (company_.store != nullptr) {
    const auto took = clock_.Elapsed() - asked_at;
    company_.store->Note(renewed ? std::optional(took) : std::nullopt);
  }
  shift.bounds.Refresh();
  if (company_.gate != nullptr) company_.gate->Look();
  // Where the store is away, it is tried again.
  if (company_.rates != nullptr) (void)company_.rates->WriteIfDue().has_value();
  if (company_.executors == nullptr) return;
  int running = 0;
  {
    const std::lock_guard lock(shift.mutex);
    running = shift.summary.totals.running;
  }
  (void)company_.executors->Beat(owner_, company_.host, running).has_value();
}

Result<std::optional<LeasedTask>> Work::Claim(Shift& shift, int running_per_lane_max) {
  auto claimed = PATRA_TRY(queue_.Claim({.owner = owner_,
                                         .tasks_max = 1,
                                         .lease = shift.options.lease,
                                         .running_per_lane_max = running_per_lane_max,
                                         .at_once = shift.bounds.Now(),
                                         .only = shift.options.only,
                                         .shut = shift.closed.Now()}));
  TellLostClaims(queue_, company_.log);
  return claimed.empty() ? std::nullopt : std::optional(std::move(claimed.front()));
}

// A provider that answers a few bytes a second would keep every worker, and all others would wait for it.
Result<void> Work::WorkBeside(Shift& shift, int place) {
  while (!stop_.asked() && shift.at_work > 0) {
    const auto claimed_at = clock_.Elapsed();
    std::optional<LeasedTask> task;
    RequestBudget::Share share;
    if (const std::unique_lock looks(shift.spare_looks, std::try_to_lock);
        looks && shift.AreAllBusy() && shift.IsAllowed(shift.options.workers - 1, company_.store)) {
      share = shift.budget.Take();
      if (share) task = PATRA_TRY(Claim(shift, 1));
    }
    if (task) {
      PATRA_TRY(RunOne(shift, {*task, claimed_at, place + 1}));
    } else {
      share.reset();
      // In real time, as leases are renewed: who only looks on moves no clock.
      std::this_thread::sleep_for(kLookAgainAfter);
    }
  }
  return {};
}

Result<void> Work::WorkOff(Shift& shift, int place) {
  const auto& options = shift.options;
  while (!stop_.asked()) {
    const auto share = shift.budget.Take();
    if (!share || !shift.IsAllowed(place, company_.store)) {
      clock_.SleepFor(kLookAgainAfter);
      continue;
    }
    if (company_.heal != nullptr && options.workers == 0) company_.heal->RunIfDue();
    PATRA_TRY(queue_.RescueExpired());
    const auto claimed_at = clock_.Elapsed();
    if (const auto task = PATRA_TRY(Claim(shift, std::max(options.workers, 1)))) {
      PATRA_TRY(RunOne(shift, {*task, claimed_at, place + 1}));
    } else if (PATRA_TRY(IsDone(shift))) {
      return {};
    } else {
      TellParked(shift);
      EndIfStalled(shift);
      clock_.SleepFor(kLookAgainAfter);
    }
  }
  return {};
}

// Whoever looks on sees for what and until when nothing happens. That nobody can be told harms nobody.
void Work::TellParked(Shift& shift) {
  const auto now = clock_.Elapsed();
  {
    const std::lock_guard lock(shift.mutex);
    const bool is_told = shift.told_parked_at && now - *shift.told_parked_at < kTellParkedEvery;
    if (shift.summary.totals.running > 0 || is_told) return;
    shift.told_parked_at = now;
  }
  const auto wait = queue_.FirstParked(shift.options.only);
  if (!wait) return;
  shift.Tell([&](WorkProgress& totals) { totals.parked = *wait; });
}

// Nothing to claim is not nothing to do: another executor may be at it, or have died over it, or it is
// parked for a while.
Result<bool> Work::IsDone(Shift& shift) {
  if (!shift.options.drain) return false;
  const auto open = PATRA_TRY(queue_.LookAt(shift.options.only, shift.closed.InTheEnd()));
  if (open.open() == 0) return true;
  if (open.running > 0) return false;
  if (!open.next_due) return true;  // held back by a pause or a fuse
  return *open.next_due > clock_.Now() + shift.options.patience;
}

void Work::TellBatch(Shift& shift, Id slice, const BatchReport& batch) {
  shift.Tell([&](WorkProgress& totals) {
    shift.stall.Recover(clock_.Elapsed());
    totals.counts += batch.counts;
    // Whatever a slice has in quarantine, or passes over, stands there once, however often it is walked over.
    auto& isolated = shift.isolated[slice];
    if (batch.begins_walk) {
      totals.counts.received -= isolated.quarantined;
      totals.counts.quarantined -= isolated.quarantined;
      totals.counts.isolated_pages -= isolated.isolated_pages;
      totals.counts.passed_over -= isolated.passed_over;
      isolated = {};
    }
    isolated.quarantined += batch.counts.quarantined;
    isolated.isolated_pages += batch.counts.isolated_pages;
    isolated.passed_over += batch.counts.passed_over;
    totals.announced += batch.announced.value_or(0);
    // The total of a slice may have come with an earlier run.
    totals.is_announced = totals.is_announced || batch.announced || batch.slice_announced;
    shift.reach.Note(slice, batch, totals.reached);
    totals.requests += batch.requests;
    totals.retries += batch.retries;
    totals.throttled += batch.throttled;
    totals.waited += batch.waited;
    totals.waiting.reset();
    if (shift.budget.Note(totals.requests)) stop_.Enough();
  });
}

void Work::Tell(LogLevel level, std::string_view event, const Shift& shift, const HeldTask& held,
                Value::Object details) const {
  if (company_.log == nullptr) return;
  const auto lease_end = LeaseEnd(held, shift.renewed_at, shift.options.lease, clock_);
  TellTask(level, event, held, owner_, lease_end, std::move(details), *company_.log);
}

Result<void> Work::RunOne(Shift& shift, const HeldTask& held) {
  const auto& task = held.task;
  int running = 0;
  shift.Tell([&](WorkProgress& totals) {
    running = ++totals.running;
    totals.parked.reset();
  });
  Tell(LogLevel::kInfo, "task.claimed", shift, held,
       {{"running", std::int64_t{running}},
        {"priority", std::int64_t{task.priority}},
        {"run", std::int64_t{task.runs_so_far + 1}}});
  shift.bounds.Learn(task);
  RunTally told;
  const auto on_batch = [&](const BatchReport& batch) {
    told.requests += batch.requests;
    told.retries += batch.retries;
    told.throttled += batch.throttled;
    told.waited += batch.waited;
    TellBatch(shift, task.lineage.slice, batch);
  };
  const auto on_wait = [&](const domain::GateWait& wait) {
    if (!wait.failure.empty()) return MeetFailure(shift, wait);
    shift.Tell([&](WorkProgress& totals) { totals.waiting = wait; });
    if (domain::IsTrouble(wait.reason)) MeetShutDoor(shift, wait.reason, wait.until);
  };
  const auto holds_lease = [&] {
    const auto since = std::max(held.claimed_at, shift.renewed_at.load());
    return clock_.Elapsed() - since < shift.options.lease / 5 * 4;
  };
  const bool is_renewed = shift.options.workers > 0;
  RunTally sent;
  auto outcome =
      execute_.Run(task, on_batch, on_wait, is_renewed ? holds_lease : HoldsLease(), &sent);
  if (!outcome && outcome.error().code == ErrorCode::kLeaseLost) {
    // A lost lease is nobody's failure and nobody's success: whoever holds the task now decides. If that is still this
    // executor, its renewals would keep the task from everybody.
    PATRA_TRY(GiveBack(task, {domain::WaitReason::kNone, clock_.Now()}));
    Tell(LogLevel::kWarn, "task.lease_lost", shift, held, {});
    shift.Tell([&](WorkProgress& totals) {
      AddUntold(totals, sent, told);
      --totals.running;
      ++shift.summary.leases_lost;
    });
    return {};
  }
  if (!outcome && ExecuteTask::IsOfTask(outcome.error())) {
    const auto why = outcome.error();
    outcome = execute_.GiveUp(task, why);
    if (!outcome) return std::unexpected(why);
    outcome->tally = sent;
  }
  if (!outcome) return std::unexpected(outcome.error());
  const bool is_unopened = outcome->status == domain::TaskStatus::kQueued && outcome->parked &&
                           outcome->tally.requests == 0;
  // Others may be able to read what this program cannot.
  const bool is_for_others =
      is_unopened && outcome->parked->reason == domain::WaitReason::kNewerPatra;
  if (is_unopened) {
    auto wait = *outcome->parked;
    if (is_for_others) wait.until = clock_.Now();
    PATRA_TRY(GiveBack(task, wait));
    shift.closed.Close(task.lane.Key(), *outcome->parked);
  } else {
    shift.closed.Open(task.lane.Key());
  }
  if (outcome->status != domain::TaskStatus::kQueued) {
    const std::lock_guard lock(shift.mutex);
    shift.isolated.erase(task.lineage.slice);
  }
  Count(shift, task.lineage.slice, *outcome, told);
  Tell(LogLevel::kInfo, "task.released", shift, held,
       {{"status", std::string(Code(outcome->status))},
        {"tookMs", (clock_.Elapsed() - held.claimed_at) / std::chrono::milliseconds(1)}});
  if (outcome->status != domain::TaskStatus::kQueued || is_for_others) return {};
  if (outcome->error) {
    MeetTrouble(shift, outcome->error->message);
  } else if (outcome->parked && domain::IsTrouble(outcome->parked->reason)) {
    MeetShutDoor(shift, outcome->parked->reason);
  }
  return {};
}

// Nothing where somebody else has it by now.
Result<void> Work::GiveBack(const LeasedTask& task, const domain::GateWait& wait) {
  const auto released = queue_.Release(task, wait.until, std::string(Name(wait.reason)));
  if (!released && released.error().code != ErrorCode::kLeaseLost)
    return std::unexpected(released.error());
  return {};
}

void Work::Count(Shift& shift, Id slice, const TaskOutcome& outcome, const RunTally& told) {
  shift.Tell([&](WorkProgress& totals) {
    AddUntold(totals, outcome.tally, told);
    if (shift.budget.Note(totals.requests)) stop_.Enough();
    totals.gone += outcome.gone;
    auto& summary = shift.summary;
    if (!outcome.unmet_fields.empty()) summary.unmet_fields = outcome.unmet_fields;
    if (!outcome.gone_doubt.empty()) summary.gone_doubt = outcome.gone_doubt;
    --totals.running;
    totals.waiting.reset();
    if (outcome.status == domain::TaskStatus::kQueued) {
      ++summary.given_back;
      if (outcome.is_spent) ++summary.spent;
      summary.parked = outcome.parked;
    } else {
      ++totals.slices_done;
      summary.parked.reset();
    }
    if (outcome.children > 0) {
      ++summary.recut;
      shift.reach.Cut(slice, totals.reached);
    } else if (outcome.status == domain::TaskStatus::kSucceeded) {
      ++summary.succeeded;
    } else if (outcome.is_early) {
      ++summary.early;
    } else if (outcome.status == domain::TaskStatus::kPartial) {
      ++summary.partial;
    } else if (outcome.status == domain::TaskStatus::kFailed) {
      ++summary.failed;
    }
    const bool is_over = outcome.status != domain::TaskStatus::kQueued;
    if (is_over && outcome.error && !summary.first_error) summary.first_error = outcome.error;
    if (!is_over && outcome.error) shift.overcome.insert_or_assign(slice, *outcome.error);
    if (is_over) shift.overcome.erase(slice);
    if (outcome.error && outcome.error->code == ErrorCode::kRefused) summary.is_refused = true;
    if (outcome.error && outcome.error->code == ErrorCode::kInvalidInput)
      summary.is_misdefined = true;
    if (outcome.watermark && (!summary.watermark || *outcome.watermark > *summary.watermark)) {
      summary.watermark = outcome.watermark;
    }
  });
}

}  // namespace patra::app
