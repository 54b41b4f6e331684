#include "app/execute/preview_page.h"

#include <fmt/format.h>

#include "domain/walk/walk.h"

namespace patra::app {
namespace {

std::string Describe(const domain::Step& step) {
  using Kind = domain::Step::Kind;
  switch (step.kind) {
    case Kind::kNext:
      return step.to.token ? fmt::format("token {}", *step.to.token) : domain::Describe(step.to);
    case Kind::kAgain:
      return "the same once more: " + step.reason;
    case Kind::kReslice:
      return "smaller slices: " + step.reason;
    case Kind::kLost:
      return "none: " + step.reason;
    case Kind::kEnd:
      break;
  }
  return "none: this is the end";
}

}  // namespace

Result<PagePreview> PreviewPage::Run(const domain::SpecSnapshot& spec,
                                     const domain::Window& window) {
  const LeasedTask task{.partition = {spec.provenance, spec.endpoint, domain::Operation::kHarvest},
                        .plan_window = window,
                        .slice = {.window = window}};
  RunTally tally;
  const OnGateWait on_wait = [](const GateWait&) {};
  FetchScope scope{
      .task = task, .spec = spec, .random = SeededRandom(1), .tally = tally, .on_wait = on_wait};
  domain::Walk walk(spec, task.slice);
  auto fetched = PATRA_TRY(fetch_.At(scope, walk.Start(), 1));
  PagePreview preview;
  if (const auto* none = std::get_if<NoPage>(&fetched)) {
    preview.problem = none->reason;
    return preview;
  }
  auto& page = std::get<FetchedPage>(fetched);
  const auto size = static_cast<std::int64_t>(page.content.size());
  preview.next = Describe(walk.After(walk.Start(), {.size = size,
                                                    .fresh = size,
                                                    .next = page.content.next,
                                                    .has_more = page.content.has_more,
                                                    .announced = page.content.announced,
                                                    .is_end = page.content.rule.has_value(),
                                                    .fingerprint = "first"}));
  preview.request_digest = std::move(page.request_digest);
  preview.response_digest = std::move(page.response_digest);
  preview.content = std::move(page.content);
  return preview;
}

}  // namespace patra::app
