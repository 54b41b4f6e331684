#include "app/harvest/run_harvest.h"

namespace patra::app {
namespace {

constexpr Duration kLease = std::chrono::seconds(15);
constexpr Duration kLookAgainAfter = std::chrono::milliseconds(200);
// Tasks that are parked for longer than this are left to whoever comes later.
constexpr Duration kParkedPatience = std::chrono::seconds(30);

}  // namespace

Result<HarvestSummary> RunHarvest::Run(const HarvestCommand& command,
                                       const OnProgress& on_progress) {
  const auto planned = PATRA_TRY(plan_.Run(command));
  HarvestSummary summary{.planned = planned.kind,
                         .window = planned.window,
                         .totals = {.slices = planned.slices},
                         .watermark_before = planned.watermark,
                         .watermark = planned.watermark};
  const domain::Partition partition{command.spec.provenance, command.spec.endpoint,
                                    domain::Operation::kHarvest};
  PATRA_TRY(Drain(partition, summary, on_progress));
  return summary;
}

Result<void> RunHarvest::Drain(const domain::Partition& partition, HarvestSummary& summary,
                               const OnProgress& on_progress) {
  auto& totals = summary.totals;
  while (true) {
    PATRA_TRY(queue_.RescueExpired());
    const auto claimed =
        PATRA_TRY(queue_.Claim({.owner = owner_, .tasks_max = 1, .lease = kLease}));
    if (claimed.empty()) {
      // Nothing to claim is not nothing to do: another executor may be at it, or have died over it.
      if (PATRA_TRY(queue_.CountOpen(partition)) == 0) return {};
      if (summary.parked && summary.parked->until > clock_.Now() + kParkedPatience) return {};
      clock_.SleepFor(kLookAgainAfter);
      continue;
    }

    const auto on_batch = [&](const BatchReport& batch) {
      totals.counts += batch.counts;
      totals.waited += batch.waited;
      ++totals.requests;
      totals.waiting.reset();
      on_progress(totals);
    };
    const auto on_wait = [&](const GateWait& wait) {
      totals.waiting = wait;
      on_progress(totals);
    };
    const auto outcome = PATRA_TRY(execute_.Run(claimed.front(), on_batch, on_wait));
    totals.waiting.reset();
    if (outcome.parked) {
      PATRA_TRY(queue_.Release(claimed.front(), outcome.parked->until,
                               std::string(Name(outcome.parked->reason))));
      summary.parked = outcome.parked;
      continue;
    }
    summary.parked.reset();
    ++totals.slices_done;
    if (outcome.status != domain::TaskStatus::kSucceeded) ++summary.slices_failed;
    if (outcome.error && !summary.first_error) summary.first_error = outcome.error;
    if (outcome.watermark) summary.watermark = outcome.watermark;
    on_progress(totals);
  }
}

}  // namespace patra::app
