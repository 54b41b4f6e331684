#include "app/execute/ask_whole.h"

#include <utility>

#include <fmt/format.h>

#include "domain/walk/walk.h"

namespace patra::app {

Result<std::variant<std::int64_t, NoPage>> AskWhole::Run(SliceRun& run,
                                                         const ShortWhole& whole) const {
  auto task = run.task;
  task.slice = whole.spec;
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
  const auto first = domain::Walk(run.spec, whole.spec).Start();
  auto fetched = PATRA_TRY(fetch_.At(scope, first, run.batch_no));
  if (auto* none = std::get_if<NoPage>(&fetched)) return std::move(*none);
  const auto& announced = std::get<FetchedPage>(fetched).content.announced;
  if (!announced) {
    return NoPage{
        .kind = NoPage::Kind::kUnproven,
        .reason = fmt::format("the parts of {} announce less than it did, and it announces nothing "
                              "any more that they could be held against",
                              whole.sum.window.Describe())};
  }
  log_.Write(LogLevel::kInfo, "whole.asked", run.opened.lineage,
             {{"window", whole.sum.window.Describe()},
              {"announced", whole.sum.announced},
              {"parts", whole.sum.parts},
              {"now", *announced}});
  return *announced;
}

}  // namespace patra::app
