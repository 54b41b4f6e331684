#include "app/execute/preview_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/execute/masked_request.h"
#include "app/execute/next_step.h"
#include "app/execute/render_request.h"
#include "domain/page/page_reader.h"
#include "domain/walk/walk.h"

namespace patra::app {
namespace {

// Somebody sits in front of it.
constexpr Duration kPreviewPatience = std::chrono::seconds(10);
constexpr std::int64_t kPreviewAttemptsMax = 2;
constexpr Duration kWaitTold = std::chrono::seconds(2);

// Why there is no page; where nothing was asked, for what it waits.
std::string ProblemOf(const NoPage& none) {
  if (none.kind != NoPage::Kind::kParked) return none.reason;
  const auto cause = none.cause.empty() ? std::string() : fmt::format(", after: {}", none.cause);
  return fmt::format(
      "the provider may not be asked before {} ({}){}; ‹wish.wait_max 2m› waits for it",
      FormatRfc3339(none.until), none.reason, cause);
}

}  // namespace

Result<std::vector<PagePreview>> PreviewPage::Run(const domain::SpecSnapshot& spec,
                                                  const domain::Window& window,
                                                  const PreviewBounds& bounds) {
  const auto source = PATRA_TRY(sources_.Of(spec));
  const LeasedTask task{.lane = {spec.provenance, spec.endpoint, domain::Operation::kHarvest},
                        .plan_window = window,
                        .slice = {.window = window}};
  RunTally tally;
  const OnGateWait on_wait = [&](const domain::GateWait& wait) {
    if (wait.until - clock_.Now() < kWaitTold) return;
    log_.Write(LogLevel::kWarn, "preview.waiting", {},
               {{"reason", std::string(Name(wait.reason))}, {"until", FormatRfc3339(wait.until)}});
  };
  FetchScope scope{.task = task,
                   .source = *source,
                   .random = SeededRandom(1),
                   .tally = tally,
                   .on_wait = on_wait,
                   .patience = bounds.wait_max.value_or(kPreviewPatience)};
  if (!bounds.wait_max) scope.attempts_max = kPreviewAttemptsMax;
  domain::Walk walk(spec, task.slice);
  std::vector<PagePreview> seen;
  for (auto position = walk.Start(); std::ssize(seen) < bounds.pages_max;) {
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
  if (!spec.details || ids.empty() || bounds.ids_max == 0) return seen;
  const auto count = std::min({std::ssize(ids), bounds.ids_max, spec.details->id_batch_size});
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
    preview.request =
        WithMask(request, page != nullptr ? page->evidence.request : none->evidence.request);
  }
  if (none != nullptr) {
    preview.problem = ProblemOf(*none);
    const bool is_unanswered = none->kind == NoPage::Kind::kExhausted && none->body.empty();
    preview.is_later = none->kind == NoPage::Kind::kParked || is_unanswered;
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
