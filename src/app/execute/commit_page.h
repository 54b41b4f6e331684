// A page becomes a batch of the ledger, and the run learns from it where it goes on, and whether it should.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/slice_run.h"
#include "base/result.h"

namespace patra::app {

// What a batch says about ids and records that were expected.
struct Answers {
  std::int64_t repeated = 0;       // came before, or were not asked for
  std::vector<std::string> ids{};  // of the second phase, answered
  std::vector<BadId> bad{};
  std::optional<WalkedPage> walked{};  // in the first phase
};

// The page that was read last, of a walk of the first phase.
struct PageSeen {
  std::int64_t bytes = 0;
  std::int64_t records = 0;
};

// Thread-safe, where no two threads work on the same run.
class CommitPage {
 public:
  CommitPage(const ExecutePorts& ports, const ExecutePolicy& policy)
      : ports_(ports), policy_(policy) {}

  // Where the run goes on: at `after`, or where an earlier attempt at the same batch left off.
  Result<std::optional<Position>> Run(SliceRun& run, FetchedPage& fetched,
                                      const std::optional<Position>& after, Answers answers) const;

  // What self-healing asked for: the slice fails, or it is cut where it can be.
  Result<BrokenOff> ObeySelfHealing(SliceRun& run) const;

  // Ends a run whose budget is used up with the page that is at hand, where the rest can go on from there. Known before the
  // next page is asked for.
  Result<BrokenOff> WhySpent(const SliceRun& run, std::int64_t page_records) const;

  // Why the rest of the slice should be cut, where it should and can be. `tally` is of when the page came.
  Result<std::optional<std::string>> WhyRecut(const SliceRun& run, const RunTally& tally,
                                              const PageSeen& page) const;

  // Ends a run of which too much fails, or that somebody asked to stop.
  BrokenOff WhyEnough(const SliceRun& run) const;

 private:
  Result<void> CompareClocks(SliceRun& run, const HttpResponse& response) const;
  void TellCommitted(const SliceRun& run, const FetchedPage& fetched,
                     const domain::RequestsSent& sent, const BatchCommitted& committed) const;
  Result<BatchCommitted> Store(const SliceRun& run, const BatchCommit& batch) const;

  const ExecutePorts& ports_;
  const ExecutePolicy& policy_;
};

}  // namespace patra::app
