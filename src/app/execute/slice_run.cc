#include "app/execute/slice_run.h"

#include <utility>

#include "domain/spec/enumerator.h"
#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

std::int64_t PageSizeOfRun(const domain::SpecSnapshot& spec, const LeasedTask& task,
                           const RunOpened& run) {
  return domain::PageSizeOf(spec, task.slice,
                            {.resumed_at = run.is_resumed ? std::optional(run.start) : std::nullopt,
                             .earlier = run.walk.earlier,
                             .size_max = run.page_size_max});
}

}  // namespace

SliceRun::SliceRun(const LeasedTask& leased, const OnBatch& tell, const OnGateWait& on_wait,
                   const HoldsLease& holds_lease, const domain::CompiledSource& compiled,
                   RunOpened run, std::int64_t failures_max)
    : own_page_size(compiled.spec().paging.size),
      task(leased),
      on_batch(tell),
      source(compiled.InPagesOf(PageSizeOfRun(compiled.spec(), leased, run))),
      spec(source.spec()),
      opened(std::move(run)),
      scope{.task = leased,
            .source = source,
            .lineage = opened.lineage,
            .random = SeededRandom(static_cast<std::uint64_t>(opened.lineage.run)),
            .tally = tally,
            .on_wait = on_wait,
            .concurrency_max = opened.concurrency_max,
            .runs_max = failures_max,
            .is_first_use = opened.is_first_use,
            .is_first_read = opened.is_first_read,
            .holds_lease = holds_lease},
      position(opened.start),
      batch_no(opened.batch_no),
      counts(opened.so_far),
      unmet_fields(domain::EnumerationOf(spec).gives_ids ? spec.details->fields : spec.fields),
      request(opened.request),
      clocks(opened.clock),
      provable_to(opened.provable_to) {
  walk.emplace(spec, task.slice, opened.walk, opened.walked);
}

domain::Evidence SliceRun::WithHealing(domain::Evidence evidence) const {
  evidence.are_pages_smaller = opened.page_size_max.has_value();
  evidence.are_requests_fewer = opened.concurrency_max.has_value();
  return evidence;
}

domain::Evidence SliceRun::EvidenceAtEnd(const NoPage* why) const {
  const bool says_something =
      why != nullptr && (!why->evidence.request.empty() || !why->evidence.response.empty());
  auto evidence = WithHealing(says_something ? why->evidence : dropped);
  evidence.sent = Untold();
  if (evidence.credential.empty()) evidence.credential = tally.credential;
  return evidence;
}

}  // namespace patra::app
