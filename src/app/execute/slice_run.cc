#include "app/execute/slice_run.h"

#include <utility>

#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

domain::SpecSnapshot InPagesOfThisRun(domain::SpecSnapshot snapshot, const LeasedTask& task,
                                      const RunOpened& run) {
  snapshot.paging.size =
      domain::PageSizeOf(snapshot, task.slice,
                         {.resumed_at = run.is_resumed ? std::optional(run.start) : std::nullopt,
                          .earlier = run.walk.earlier,
                          .size_max = run.page_size_max});
  return snapshot;
}

}  // namespace

SliceRun::SliceRun(const LeasedTask& leased, const OnBatch& tell, const OnGateWait& on_wait,
                   const HoldsLease& holds_lease, domain::SpecSnapshot snapshot, RunOpened run,
                   std::int64_t failures_max)
    : own_page_size(snapshot.paging.size),
      task(leased),
      on_batch(tell),
      spec(InPagesOfThisRun(std::move(snapshot), leased, run)),
      opened(std::move(run)),
      scope{.task = leased,
            .spec = spec,
            .lineage = opened.lineage,
            .random = SeededRandom(static_cast<std::uint64_t>(opened.lineage.run)),
            .tally = tally,
            .on_wait = on_wait,
            .concurrency_max = opened.concurrency_max,
            .runs_max = failures_max,
            .is_first_use = opened.is_first_use,
            .holds_lease = holds_lease},
      position(opened.start),
      batch_no(opened.batch_no),
      counts(opened.so_far),
      request(opened.request),
      clocks(opened.clock),
      provable_to(opened.provable_to) {
  walk.emplace(spec, task.slice, opened.walk, opened.walked);
}

}  // namespace patra::app
