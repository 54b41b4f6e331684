#include "app/execute/execute_task.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "domain/item/elsewhere.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/proof.h"
#include "domain/walk/walk.h"

namespace patra::app {
namespace {

// Of a lane whose next task needs a newer program: that finds it ready, and this one does not ask for it all the time.
constexpr Duration kLeftToNewerFor = std::chrono::minutes(1);
constexpr std::size_t kPlansLeftMax = 1000;

}  // namespace

Result<TaskOutcome> ExecuteTask::Run(const LeasedTask& task, const OnBatch& on_batch,
                                     const OnGateWait& on_wait, const HoldsLease& holds_lease,
                                     RunLeft* left) {
  PATRA_TRY(RefuseFruitless(task));
  const auto read = sources_.Of(task.plan_snapshot);
  // Of a snapshot that is at hand, nothing else is unavailable. Its slice may be of a kind that is not known here, either.
  if (!read && read.error().code == ErrorCode::kUnavailable)
    return LeaveToNewer(task, read.error());
  if (!task.damage.empty()) return Fail(ErrorCode::kCorruption, task.damage);
  const auto source = PATRA_TRY(read);
  if (task.waited_for == Name(domain::WaitReason::kNewerPatra)) {
    ports_.log.Write(LogLevel::kInfo, "task.readable", task.lineage,
                     {{"source", task.lane.provenance}, {"endpoint", task.lane.endpoint}});
  }
  if (const auto wait = PATRA_TRY(sender_.LongWaitAhead(*source)))
    return TaskOutcome{.status = domain::TaskStatus::kQueued, .parked = wait};

  const auto first = task.is_update() ? Position{.is_detail = true}
                                      : domain::Walk(source->spec(), task.slice).Start();
  auto opened = PATRA_TRY(ports_.ledger.Open(task, first));
  ports_.log.Write(LogLevel::kInfo, "run.opened", opened.lineage,
                   {{"window", task.window().Describe()},
                    {"start", Describe(opened.start)},
                    {"resumed", opened.is_resumed}});
  SliceRun run(task, on_batch, on_wait, holds_lease, *source, std::move(opened),
               policy_.failures_max);
  run.started = ports_.clock.Elapsed();
  auto outcome = FollowWithinMemory(run);
  if (left != nullptr) *left = {true, run.tally, run.counts, run.EvidenceAtEnd(nullptr)};
  if (outcome) {
    outcome->tally = run.tally;
    outcome->counts = run.counts;
    run.clocks.Tell(task.lane, run.opened.lineage, run.observed_max, ports_.clock.Now(),
                    ports_.log);
  }
  return outcome;
}

std::optional<domain::GateRules> ExecuteTask::RulesOf(const LeasedTask& task) const {
  const auto source = sources_.Of(task.plan_snapshot);
  if (!source) return std::nullopt;
  const bool is_of_details = task.is_update() && (*source)->spec().details;
  return (*source)->RulesFor(is_of_details ? domain::Phase::kDetail : domain::Phase::kSearch,
                             {.now = ports_.clock.Now()});
}

// The store and the gate say kUnavailable where they cannot be reached, and a store that is damaged as a whole refuses
// to have the task given up, too.
bool ExecuteTask::IsOfTask(const Error& error) {
  return error.code == ErrorCode::kCorruption || error.code == ErrorCode::kInvalidInput ||
         error.code == ErrorCode::kLimit || error.code == ErrorCode::kNotFound ||
         error.code == ErrorCode::kConflict || error.code == ErrorCode::kDuplicate;
}

Result<TaskOutcome> ExecuteTask::GiveUp(const LeasedTask& task, const Error& error, RunLeft left) {
  const auto reason = error.Describe();
  RunGivenUp given_up{.task = task, .reason = reason, .evidence = std::move(left.evidence)};
  if (left.has_begun) given_up.stats = left.tally.Stats(left.counts, reason, given_up.evidence);
  PATRA_TRY(ports_.ledger.GiveUp(given_up));
  ports_.log.Write(
      LogLevel::kError, "task.given_up", task.lineage,
      {{"source", task.lane.provenance}, {"endpoint", task.lane.endpoint}, {"reason", reason}});
  return TaskOutcome{
      .status = domain::TaskStatus::kFailed, .tally = std::move(left.tally), .error = error};
}

// It is nobody's failure, so it is told once and the task is left as it is.
TaskOutcome ExecuteTask::LeaveToNewer(const LeasedTask& task, const Error& error) {
  const bool is_new = [&] {
    const std::lock_guard lock(mutex_);
    if (plans_left_.size() >= kPlansLeftMax) plans_left_.clear();
    return plans_left_.insert(task.lineage.plan).second;
  }();
  if (is_new) {
    ports_.log.Write(LogLevel::kWarn, "task.needs_newer", task.lineage,
                     {{"source", task.lane.provenance},
                      {"endpoint", task.lane.endpoint},
                      {"reason", error.message}});
  }
  return {.status = domain::TaskStatus::kQueued,
          .error = error,
          .parked = domain::GateWait{.reason = domain::WaitReason::kNewerPatra,
                                     .until = ports_.clock.Now() + kLeftToNewerFor}};
}

Result<void> ExecuteTask::RefuseFruitless(const LeasedTask& task) const {
  if (task.fruitless_claims <= policy_.fruitless_claims_max) return {};
  return Fail(ErrorCode::kLimit,
              fmt::format("it was claimed {} times and got nowhere: it may have ended its process "
                          "each time",
                          task.fruitless_claims - 1));
}

// What there is no memory for fails this run, as often as others may fail, and leaves everybody else alone.
Result<TaskOutcome> ExecuteTask::FollowWithinMemory(SliceRun& run) {
  try {
    return Follow(run);
  } catch (const std::bad_alloc&) {
    return close_.TryLater(run, {.reason = "this machine ran out of memory"},
                           !run.position.token_is_position);
  }
}

Result<TaskOutcome> ExecuteTask::Follow(SliceRun& run) {
  using Kind = domain::WalkVerdict::Kind;
  // An earlier run read everything and died before it could say what that proves.
  if (run.opened.is_at_end) run.doubt = walk_pages_.Judge(run);
  if (!run.opened.is_at_end && !run.position.is_detail) {
    auto broken = PATRA_TRY(commit_.ObeySelfHealing(run));
    if (!broken && !run.reslice) broken = PATRA_TRY(walk_pages_.Run(run));
    if (run.reslice) return close_.Recut(run, *run.reslice);
    if (broken) return close_.BreakOff(run, *broken);
  }
  // A page in quarantine keeps the slice from being proven, whatever else the walk saw.
  if (run.doubt && run.counts.isolated_pages == 0) {
    if (run.doubt->kind == Kind::kGap) return close_.LeaveGap(run, run.doubt->reason);
    if (run.doubt->kind == Kind::kWalkAgain) return close_.WalkAgain(run, run.doubt->reason);
  }
  if (domain::EnumerationOf(run.spec).gives_ids &&
      (run.position.is_detail || run.opened.is_at_end)) {
    if (const auto broken = PATRA_TRY(fetch_details_.Run(run)))
      return close_.BreakOff(run, *broken);
  }
  if (const auto why = domain::WhyUnproven(run.spec, run.counts, run.walk->announced()))
    return close_.LeaveUnproven(run, *why);
  if (const auto why =
          domain::WhyElsewhere(run.spec, run.task.slice, run.walk->memory(), run.counts))
    return close_.LeaveUnproven(run, *why);
  return close_.Succeed(run);
}

}  // namespace patra::app
