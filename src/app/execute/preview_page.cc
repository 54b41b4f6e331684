#include "app/execute/preview_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/execute/masked_request.h"
#include "app/execute/next_step.h"
#include "app/execute/render_request.h"
#include "domain/page/page_reader.h"
#include "domain/walk/walk.h"

namespace patra::app {

Result<std::vector<PagePreview>> PreviewPage::Run(const domain::SpecSnapshot& spec,
                                                  const domain::Window& window, int pages_max,
                                                  std::int64_t ids_max) {
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
  std::vector<PagePreview> seen;
  for (auto position = walk.Start(); std::ssize(seen) < pages_max;) {
    auto& page =
        seen.emplace_back(PATRA_TRY(PageAt(scope, position, static_cast<int>(seen.size()) + 1)));
    if (!page.problem.empty()) return seen;
    const auto step = walk.After(position, FactsOf(page.content));
    page.next = Describe(step);
    if (const auto doubt = walk.WhyMisread(); doubt && step.kind == domain::Step::Kind::kEnd)
      page.next = "none: " + *doubt;
    if (step.kind != domain::Step::Kind::kNext) break;
    position = step.to;
  }
  auto ids = seen.front().content.ids;
  if (!spec.details || ids.empty() || ids_max == 0) return seen;
  const auto count = std::min({std::ssize(ids), ids_max, spec.details->id_batch_size});
  ids.resize(static_cast<std::size_t>(count));
  seen.push_back(PATRA_TRY(DetailsOf(scope, std::move(ids))));
  return seen;
}

Result<PagePreview> PreviewPage::PageAt(FetchScope& scope, const domain::Position& position,
                                        int number) {
  const auto rendered = RenderRequest(scope.source, scope.task.slice, position, scope.task.values);
  auto page = Seen(scope, rendered, domain::Phase::kSearch,
                   PATRA_TRY(fetch_.AtPatiently(scope, position, number)));
  page.what = fmt::format("page {}", number);
  page.position = position;
  return page;
}

Result<PagePreview> PreviewPage::DetailsOf(FetchScope& scope, std::vector<std::string> ids) {
  const auto rendered = RenderDetailRequest(scope.source, scope.task.slice, ids, scope.task.values);
  auto page = Seen(scope, rendered, domain::Phase::kDetail,
                   PATRA_TRY(fetch_.DetailsPatiently(scope, ids, 1)));
  page.what = fmt::format("details of {} ids", ids.size());
  page.asked_ids = std::move(ids);
  return page;
}

PagePreview PreviewPage::Seen(const FetchScope& scope, const Result<HttpRequest>& rendered,
                              domain::Phase phase, Fetched fetched) const {
  PagePreview preview;
  auto* page = std::get_if<FetchedPage>(&fetched);
  const auto* none = std::get_if<NoPage>(&fetched);
  if (rendered) {
    preview.rendered = *rendered;
    auto request = *rendered;
    request.url = sender_.ForPeople(request.url);
    request.body = sender_.ForPeople(request.body);
    preview.request = WithMask(request, page != nullptr ? page->request_digest : none->request);
  }
  if (none != nullptr) {
    preview.problem = none->reason;
    preview.body = none->body;
    return preview;
  }
  // Once more, with the bytes of each record.
  auto content = sender_.Redacted(
      scope.source.reader().Read(page->response.answer(), phase, domain::RecordBytes::kKept));
  preview.content = content ? *std::move(content) : std::move(page->content);
  preview.body = page->response.body;
  preview.response = std::move(page->response);
  return preview;
}

}  // namespace patra::app
