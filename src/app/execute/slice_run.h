// One run over the slice of one task: what it was opened with, how far it has come, and what speaks against going on.
//
// The parts of the executor share it and hand it on: pages are walked, details are fetched, batches are committed, and in the
// end the slice is closed or goes back to the queue.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/execute/clock_watch.h"
#include "app/execute/fetch_page.h"
#include "app/execute/run_report.h"
#include "app/port/run_ledger.h"
#include "domain/heal/failing_batches.h"
#include "domain/page/unmet_fields.h"
#include "domain/source/compiled_source.h"
#include "domain/walk/walk.h"

namespace patra::app {

// Why a run is over before its end; nothing where it is not.
using BrokenOff = std::optional<NoPage>;

// Belongs to one worker. While a fetch is under way beside it, that one reads `task`, `source` and `scope`, and adds to
// `tally`.
struct SliceRun {
  // `tell` and `on_wait` have to outlive the run, as the task has to.
  SliceRun(const LeasedTask& leased, const OnBatch& tell, const OnGateWait& on_wait,
           const HoldsLease& holds_lease, const domain::CompiledSource& compiled, RunOpened run,
           std::int64_t failures_max);
  SliceRun(const SliceRun&) = delete;
  SliceRun& operator=(const SliceRun&) = delete;

  const std::int64_t own_page_size;  // the snapshot's, which self-healing may have made smaller
  const LeasedTask& task;
  const OnBatch& on_batch;
  const domain::CompiledSource source;  // in pages of this run
  const domain::SpecSnapshot& spec;     // of it
  RunOpened opened;
  RunTally tally;
  FetchScope scope;
  std::optional<domain::Walk> walk;
  Position position;
  int batch_no = 1;
  domain::RecordCounts counts;
  domain::UnmetFields unmet_fields;  // by records of this run
  std::optional<Instant> observed_max{};
  std::optional<Instant> observed_min{};     // by this run
  Duration started{};                        // on the clock that only runs forward
  int failing_pages = 0;                     // the last ones, which came only after failures
  int isolated_in_a_row = 0;                 // pages, by a rule of the source
  domain::RequestsSent told{};               // with the batches that were committed
  domain::Evidence dropped{};                // of a page that came for the open batch and is no use
  domain::BatchesSeen batches{};             // in this run
  std::optional<std::string> reslice{};      // why
  std::optional<int> pieces{};               // into how many, where the first page tells
  std::optional<Duration> answered_for{};    // where longer windows are not
  std::optional<std::int64_t> cut_off_at{};  // pages of the provider, where that is why
  std::optional<Instant> rest_from{};        // when what is cut off may begin; else at once
  std::optional<domain::WalkVerdict> doubt{};  // why the walk proves nothing
  std::optional<std::string> echo{};           // why smaller slices would show nothing new
  std::optional<std::int64_t> shown_alike{};   // records, as many as others: its parts tell
  std::optional<HealRequest> request{};
  ClockWatch clocks{};
  std::vector<WholeAsked> wholes{};      // that this slice is the last part of
  std::optional<Instant> provable_to{};  // where the window reaches beyond the provider's now

  // What was sent and came with no batch: for a page that never came, or to look twice, back or beyond.
  // REQUIRES: no fetch is under way
  domain::RequestsSent Untold() const {
    auto untold = tally.sent;
    untold -= told;
    return untold;
  }

  // With what self-healing has in force for this run.
  domain::Evidence WithHealing(domain::Evidence evidence) const;

  // Of the batch that is open when the run ends, whatever became of its page; `why` is null where nothing failed.
  // REQUIRES: no fetch is under way
  domain::Evidence EvidenceAtEnd(const NoPage* why) const;
};

}  // namespace patra::app
