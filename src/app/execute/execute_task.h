// Runs one leased task to its end, batch by batch: permit, request, page, commit (seed loop 9.3).
//
// While a page is being committed, the next one is already on its way. A slice ends green only when the
// account balances (I14); everything else leaves a named rest: a task in the queue, children that take over, or
// a gap with its reason (I10).
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "app/execute/fetch_page.h"
#include "app/execute/take_apart.h"
#include "app/port/hold_repository.h"
#include "app/port/id_ledger.h"
#include "app/port/run_ledger.h"
#include "app/port/task_queue.h"
#include "base/result.h"
#include "domain/heal/changed_response.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/walk.h"

namespace patra::app {

struct BatchReport {
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;  // of the slice, told with its first batch
  Duration waited{};
  Duration latency{};
  int requests = 0;
  int retries = 0;
  int throttled = 0;
  bool begins_walk = false;  // over the slice, which an earlier one may have gone through
};
using OnBatch = std::function<void(const BatchReport&)>;

struct TaskOutcome {
  domain::TaskStatus status = domain::TaskStatus::kSucceeded;  // kQueued: it went back to the queue
  domain::RecordCounts counts;
  RunTally tally;
  std::optional<Instant> watermark;
  std::optional<Error> error;      // what the provider did wrong
  std::optional<GateWait> parked;  // why it went back, where it waits for something
  int children = 0;                // slices that took the rest over
  bool is_early = false;  // kPartial: nothing is missing but what the provider cannot have yet
  bool is_spent = false;  // the run has used up its budget, and the rest is scheduled
};

// What a batch says about ids and records that were expected.
struct Answers {
  std::int64_t repeated = 0;       // came before, or were not asked for
  std::vector<std::string> ids{};  // of the second phase, answered
  std::vector<BadId> bad{};
  std::optional<WalkedPage> walked{};  // in the first phase
};

struct ExecutePolicy {
  bool fetch_ahead = true;
  std::int64_t failures_max = domain::kFailuresMax;
  Duration first_retry = std::chrono::seconds(15);  // of a failed run; doubled each time
  Duration retry_max = std::chrono::minutes(15);
  int fruitless_claims_max = 20;  // a task that ends its process each time is given up after these
  bool keep_raw_pages = true;
  domain::ChangePolicy change{};
  domain::RecutPolicy recut{};
  domain::FailingPolicy failing{};
};

class ExecuteTask {
 public:
  ExecuteTask(RunLedger& ledger, IdLedger& ids, HoldRepository& holds, Sender& sender,
              PageReader& reader, Clock& clock, Log& log, const StopRequest& stop,
              ExecutePolicy policy = {})
      : ledger_(ledger),
        ids_(ids),
        holds_(holds),
        sender_(sender),
        clock_(clock),
        log_(log),
        stop_(stop),
        policy_(policy),
        fetch_(sender, reader, clock, log, stop),
        take_apart_(fetch_, clock) {}

  // An error means that the ledger or the gate could not be reached, that the lease is lost, or that nobody can know
  // what to do about the task (IsOfTask); what the provider did wrong is in the outcome. Thread-safe. Waits for permits are told when they begin, if they are long
  // enough to be noticed.
  Result<TaskOutcome> Run(const LeasedTask& task, const OnBatch& on_batch,
                          const OnGateWait& on_wait, const HoldsLease& holds_lease = {});

  // Whether an error of Run says something about the task alone: then it is given up, and others go on.
  static bool IsOfTask(const Error& error);

  // Closes the task as FAILED for that reason, and tells.
  Result<TaskOutcome> GiveUp(const LeasedTask& task, const Error& error);

 private:
  struct Course;
  // Why a course is over before its end.
  using Broken = std::optional<NoPage>;

  Result<TaskOutcome> FollowWithinMemory(Course& course);
  Result<TaskOutcome> Follow(Course& course);
  Result<Broken> WalkPages(Course& course);
  domain::WalkVerdict JudgeWalk(const Course& course) const;
  Result<std::optional<Fetched>> GlanceBeyond(Course& course, const std::vector<Position>& pages);
  Result<Broken> LookBack(Course& course);
  Result<Broken> FetchDetails(Course& course);
  Result<std::optional<bool>> GivesKnown(Course& course);
  Result<std::optional<Position>> FirstOpenAfter(const Course& course,
                                                 const std::deque<std::vector<std::string>>& open,
                                                 const Answers& answers);
  // Where the run goes on: at `after`, or where an earlier attempt at the same batch left off.
  Result<std::optional<Position>> Commit(Course& course, FetchedPage& fetched,
                                         const std::optional<Position>& after, Answers answers);

  // Why the rest of the slice should be cut, where it should and can be.
  Result<std::optional<std::string>> WhyRecut(const Course& course, const RunTally& tally,
                                              std::int64_t page_bytes,
                                              std::int64_t page_records) const;

  // Ends a run whose budget is used up with the page that is at hand, where the rest can go on from there. Known before the
  // next page is asked for.
  Result<Broken> WhySpent(const Course& course, std::int64_t page_records) const;

  // Up to where the slice is proven, though its walk is not at its end.
  Result<std::optional<Instant>> ProvenEdge(const Course& course) const;

  Result<bool> CanCut(const Course& course) const;

  // What self-healing asked for takes effect here.
  Result<Broken> Honour(Course& course) const;

  // Whether the trouble is this page's and not the provider's, and what to do about it then: the page without what
  // cannot be had, or `course.reslice`.
  Result<Fetched> Sidestep(Course& course, const NoPage& why);
  bool IsStuck(const Course& course, const NoPage& why) const;
  // What asking for something else came to: anything but a page means that it is the provider's trouble.
  Result<Fetched> AskElsewhere(Course& course);

  Result<TaskOutcome> LeaveUnproven(Course& course, const std::string& reason);
  Result<TaskOutcome> Succeed(Course& course);
  Result<TaskOutcome> Break(Course& course, const NoPage& why);
  Result<TaskOutcome> Reslice(Course& course, const std::string& reason);
  Result<TaskOutcome> WalkAgain(Course& course, const std::string& reason);
  Result<TaskOutcome> Unbalanced(Course& course, const std::string& gap);
  Result<TaskOutcome> TryLater(Course& course, const NoPage& last, bool start_over);
  Broken ChangeIn(const FetchedPage& page, const domain::RecordPaths& paths) const;
  Result<TaskOutcome> GiveBack(Course& course, RunEnd end);
  // `proven`: of a slice that did not succeed, the part that is.
  Result<TaskOutcome> Close(Course& course, domain::TaskStatus status, const NoPage* why,
                            const std::optional<domain::Window>& proven = std::nullopt);
  Result<void> BlowFuse(const Course& course, const NoPage& why);

  RunLedger& ledger_;
  IdLedger& ids_;
  HoldRepository& holds_;
  Sender& sender_;
  Clock& clock_;
  Log& log_;
  const StopRequest& stop_;
  const ExecutePolicy policy_;
  FetchPage fetch_;
  TakeApart take_apart_;
};

}  // namespace patra::app
