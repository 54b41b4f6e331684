#include "app/execute/ask_whole.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "domain/walk/walk.h"

namespace patra::app {

Result<std::variant<WholeAsked, NoPage>> AskWhole::Run(SliceRun& run,
                                                       const ShortWhole& whole) const {
  WholeAsked asked{.slice = whole.slice};
  if (whole.verdict == domain::PartsVerdict::kAskParts) {
    asked.parts = 0;
    for (const auto& part : whole.parts) {
      auto total = PATRA_TRY(TotalOf(run, part));
      if (auto* none = std::get_if<NoPage>(&total)) return std::move(*none);
      *asked.parts += std::get<std::int64_t>(total);
    }
  }
  auto total = PATRA_TRY(TotalOf(run, whole.spec));
  if (auto* none = std::get_if<NoPage>(&total)) return std::move(*none);
  asked.announced = std::get<std::int64_t>(total);
  // What came or left while the parts were asked is no reason for doubt.
  if (whole.sum.now) asked.announced = std::min(asked.announced, *whole.sum.now);
  log_.Write(LogLevel::kInfo, "whole.asked", run.opened.lineage,
             {{"window", whole.sum.window.Describe()},
              {"announced", whole.sum.announced},
              {"parts", asked.parts.value_or(whole.sum.parts)},
              {"now", asked.announced}});
  return asked;
}

Result<Fetched> AskWhole::FirstPageOf(SliceRun& run, const domain::SliceSpec& slice) const {
  auto task = run.task;
  task.slice = slice;
  task.values.reset();
  FetchScope scope{.task = task,
                   .source = run.source,
                   .lineage = run.opened.lineage,
                   .random = run.scope.random,
                   .tally = run.tally,
                   .on_wait = run.scope.on_wait,
                   .concurrency_max = run.opened.concurrency_max,
                   .runs_max = run.scope.runs_max,
                   .holds_lease = run.scope.holds_lease};
  const auto first = domain::Walk(run.spec, slice).Start();
  return fetch_.At(scope, first, run.batch_no);
}

Result<std::variant<std::optional<domain::Window>, NoPage>> AskWhole::FirstWithRecords(
    SliceRun& run, const std::vector<domain::Window>& windows) const {
  auto slice = run.task.slice;
  for (const auto& window : windows) {
    slice.window = window;
    auto fetched = PATRA_TRY(FirstPageOf(run, slice));
    if (auto* none = std::get_if<NoPage>(&fetched)) return std::move(*none);
    const auto& content = std::get<FetchedPage>(fetched).content;
    if (content.size() > 0 || content.announced.value_or(0) > 0) return window;
  }
  return std::nullopt;
}

Result<std::variant<std::int64_t, NoPage>> AskWhole::TotalOf(SliceRun& run,
                                                             const domain::SliceSpec& slice) const {
  auto fetched = PATRA_TRY(FirstPageOf(run, slice));
  if (auto* none = std::get_if<NoPage>(&fetched)) return std::move(*none);
  const auto& announced = std::get<FetchedPage>(fetched).content.announced;
  if (announced) return *announced;
  return NoPage{.kind = NoPage::Kind::kUnproven,
                .reason = fmt::format("parts of it announced less than all of it, and nothing is "
                                      "announced any more for {}",
                                      slice.window.Describe())};
}

}  // namespace patra::app
