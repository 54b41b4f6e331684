#include "app/harvest/run_harvest.h"

namespace patra::app {

Result<HarvestSummary> RunHarvest::Run(const HarvestCommand& command, WorkOptions options,
                                       const OnProgress& on_progress) {
  const auto planned = PATRA_TRY(plan_.Run(command));
  HarvestSummary summary{.planned = planned.kind,
                         .window = planned.window,
                         .slices = planned.slices,
                         .watermark_before = planned.watermark,
                         .watermark = planned.watermark};
  options.only =
      domain::Lane{command.spec.provenance, command.spec.endpoint, domain::Operation::kHarvest};
  summary.work = PATRA_TRY(work_.Run(options, [&](const WorkProgress& work) {
    on_progress({.slices = planned.slices, .work = work});
  }));
  if (summary.work.watermark) summary.watermark = summary.work.watermark;
  return summary;
}

}  // namespace patra::app
