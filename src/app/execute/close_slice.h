// Every way in which a run ends. A slice ends green only when nothing speaks against it; everything else leaves a named
// rest: a task in the queue, smaller slices that take over, or a gap with its reason (I10).
#pragma once

#include <optional>
#include <string>

#include "app/execute/ask_whole.h"
#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/run_report.h"
#include "app/execute/slice_run.h"
#include "app/execute/tell_closing.h"
#include "base/result.h"

namespace patra::app {

// Thread-safe, where no two threads work on the same run.
class CloseSlice {
 public:
  CloseSlice(FetchPage& fetch, const ExecutePorts& ports, const ExecutePolicy& policy)
      : whole_(fetch, ports.log), tell_(ports.log), ports_(ports), policy_(policy) {}

  // Everything was read, and nothing is missing but what the provider cannot have yet.
  Result<TaskOutcome> Succeed(SliceRun& run) const;

  // Everything was read, and reading it again would bring the same: people have to look.
  Result<TaskOutcome> LeaveUnproven(SliceRun& run, const std::string& reason) const;

  // Announced and received differ. Where this run resumed another one, or the list was read at a bad moment, a
  // fresh walk settles it; what stays different after that is a gap that people see.
  Result<TaskOutcome> LeaveGap(SliceRun& run, const std::string& gap) const;

  // The list moved while it was read, or may have. A shorter walk has a better chance to find it standing still.
  Result<TaskOutcome> WalkAgain(SliceRun& run, const std::string& reason) const;

  // Smaller slices take over what is not proven.
  Result<TaskOutcome> Recut(SliceRun& run, const std::string& reason) const;

  // What is done about a run that ended early depends on why.
  Result<TaskOutcome> BreakOff(SliceRun& run, const NoPage& why) const;

  // The run failed. So many times it is taken up again, after longer and longer waits.
  Result<TaskOutcome> TryLater(SliceRun& run, const NoPage& last, bool start_over) const;

 private:
  // What takes over from a slice.
  struct Heirs {
    std::optional<domain::Window> proven{};  // of it, which they need not bring
    std::vector<domain::SliceSpec> children;
    std::optional<std::int64_t> owed_by_children{};
  };
  Result<TaskOutcome> HandOver(SliceRun& run, const std::string& reason, Heirs heirs) const;
  Result<TaskOutcome> Park(SliceRun& run, const NoPage& why) const;
  // `why` is null where nothing failed.
  Result<TaskOutcome> GiveBack(SliceRun& run, RunEnd end, const NoPage* why) const;
  // `proven`: of a slice that did not succeed, the part that is.
  Result<TaskOutcome> Close(SliceRun& run, domain::TaskStatus status, const NoPage* why,
                            const std::optional<domain::Window>& proven = std::nullopt) const;
  // The last part of a whole: what that announces is asked for where the parts announce less. Nothing where they make it up.
  Result<std::optional<TaskOutcome>> HoldAgainst(SliceRun& run, const ShortWhole& whole) const;
  // Of a slice that shows nothing and is wider than the definition vouches for: how it ends otherwise, where parts of it show
  // something, or nobody knows.
  Result<std::optional<TaskOutcome>> DoubtEmptiness(SliceRun& run) const;
  // A window that was asked for beside the slice did not come.
  Result<TaskOutcome> EndUnasked(SliceRun& run, const NoPage& why) const;
  Result<void> BlowFuse(const SliceRun& run, const NoPage& why) const;

  const AskWhole whole_;
  const TellClosing tell_;
  const ExecutePorts& ports_;
  const ExecutePolicy& policy_;
};

}  // namespace patra::app
