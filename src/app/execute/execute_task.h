// Runs one leased task to its end, batch by batch: permit, request, page, commit.
//
// The pages are walked (walk_pages.h), then details are fetched where they are a second phase (fetch_details.h); what is in the
// way is looked into (find_blame.h), every page is committed (commit_page.h), and the slice ends in one of the ways of
// close_slice.h.
#pragma once

#include <mutex>
#include <set>

#include "app/execute/close_slice.h"
#include "app/execute/commit_page.h"
#include "app/execute/compiled_sources.h"
#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/fetch_details.h"
#include "app/execute/fetch_page.h"
#include "app/execute/find_blame.h"
#include "app/execute/run_report.h"
#include "app/execute/slice_run.h"
#include "app/execute/walk_pages.h"
#include "app/port/task_queue.h"
#include "base/result.h"

namespace patra::app {

class ExecuteTask {
 public:
  ExecuteTask(RunLedger& ledger, IdLedger& ids, HoldRepository& holds, Sender& sender,
              CompiledSources& sources, Clock& clock, Log& log, const StopRequest& stop,
              ExecutePolicy policy = {})
      : sender_(sender),
        sources_(sources),
        ports_{ledger, ids, holds, clock, log, stop},
        policy_(policy),
        fetch_(sender, clock, log, stop) {}
  // Its parts refer to one another.
  ExecuteTask(const ExecuteTask&) = delete;
  ExecuteTask& operator=(const ExecuteTask&) = delete;

  // An error means that the ledger or the gate could not be reached, that the lease is lost, or that nobody can know
  // what to do about the task (IsOfTask); what the provider did wrong is in the outcome. Thread-safe. Waits for permits are
  // told when they begin, if they are long enough to be noticed. `left` gets what the run adds up, also where it ends in an
  // error.
  Result<TaskOutcome> Run(const LeasedTask& task, const OnBatch& on_batch,
                          const OnGateWait& on_wait, const HoldsLease& holds_lease = {},
                          RunLeft* left = nullptr);

  // The limits that its requests have to keep. Nothing where its snapshot cannot be compiled.
  std::optional<domain::GateRules> RulesOf(const LeasedTask& task) const;

  // Whether an error of Run says something about the task alone: then it is given up, and others go on.
  static bool IsOfTask(const Error& error);

  // Closes the task as FAILED for that reason, with what its run left, and tells.
  Result<TaskOutcome> GiveUp(const LeasedTask& task, const Error& error, RunLeft left);

 private:
  Result<void> RefuseFruitless(const LeasedTask& task) const;
  TaskOutcome LeaveToNewer(const LeasedTask& task, const Error& error);
  Result<TaskOutcome> FollowWithinMemory(SliceRun& run);
  Result<TaskOutcome> Follow(SliceRun& run);

  Sender& sender_;
  CompiledSources& sources_;
  const ExecutePorts ports_;
  const ExecutePolicy policy_;
  FetchPage fetch_;
  FindBlame blame_{fetch_, ports_, policy_};
  const CommitPage commit_{ports_, policy_};
  const CloseSlice close_{fetch_, ports_, policy_};
  WalkPages walk_pages_{fetch_, blame_, commit_, ports_, policy_};
  FetchDetails fetch_details_{fetch_, blame_, commit_, ports_, policy_};

  std::mutex mutex_;         // guards what follows
  std::set<Id> plans_left_;  // to newer programs, which was told
};

}  // namespace patra::app
