#include "app/execute/preview_page.h"

#include "app/execute/next_step.h"
#include "domain/walk/walk.h"

namespace patra::app {

Result<PagePreview> PreviewPage::Run(const domain::SpecSnapshot& spec,
                                     const domain::Window& window) {
  const auto source = PATRA_TRY(sources_.Of(spec));
  const LeasedTask task{.lane = {spec.provenance, spec.endpoint, domain::Operation::kHarvest},
                        .plan_window = window,
                        .slice = {.window = window}};
  RunTally tally;
  const OnGateWait on_wait = [](const domain::GateWait&) {};
  FetchScope scope{.task = task,
                   .source = *source,
                   .random = SeededRandom(1),
                   .tally = tally,
                   .on_wait = on_wait};
  domain::Walk walk(spec, task.slice);
  auto fetched = PATRA_TRY(fetch_.At(scope, walk.Start(), 1));
  PagePreview preview;
  if (const auto* none = std::get_if<NoPage>(&fetched)) {
    preview.problem = none->reason;
    return preview;
  }
  auto& page = std::get<FetchedPage>(fetched);
  preview.next = NextAfter(walk, walk.Start(), page.content);
  preview.request_digest = std::move(page.request_digest);
  preview.response_digest = std::move(page.response_digest);
  preview.content = std::move(page.content);
  return preview;
}

}  // namespace patra::app
