// Harvests by a snapshot that a test has made, without definitions and a registry. Users go through app/api/operations.h.
#pragma once

#include <functional>

#include "app/plan/plan_harvest.h"
#include "app/work/work.h"

namespace patra::testing {

struct HarvestProgress {
  int slices = 0;  // planned; re-slicing adds more
  app::WorkProgress work;
};

struct HarvestSummary {
  app::HarvestPlanned::Kind planned = app::HarvestPlanned::Kind::kNothingDue;
  std::optional<domain::Window> window;
  int slices = 0;
  app::WorkSummary work;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;

  bool complete() const { return work.failed == 0 && work.partial == 0 && work.left == 0; }
};

class RunHarvest {
 public:
  using OnProgress = std::function<void(const HarvestProgress&)>;

  RunHarvest(app::PlanHarvest& plan, app::Work& work) : plan_(plan), work_(work) {}

  // `options.only` is set to what is harvested.
  Result<HarvestSummary> Run(const app::HarvestCommand& command, app::WorkOptions options,
                             const OnProgress& on_progress) {
    const auto planned = PATRA_TRY(plan_.Run(command));
    HarvestSummary summary{.planned = planned.kind,
                           .window = planned.window,
                           .slices = planned.slices,
                           .watermark_before = planned.watermark,
                           .watermark = planned.watermark};
    options.only =
        domain::Lane{command.spec.provenance, command.spec.endpoint, domain::Operation::kHarvest};
    summary.work = PATRA_TRY(work_.Run(options, [&](const app::WorkProgress& work) {
      on_progress({.slices = planned.slices, .work = work});
    }));
    if (summary.work.watermark) summary.watermark = summary.work.watermark;
    return summary;
  }

 private:
  app::PlanHarvest& plan_;
  app::Work& work_;
};

// With the parts of an engine (boot/engine.h).
template <typename Engine>
Result<HarvestSummary> Harvest(
    Engine& engine, const app::HarvestCommand& command, const app::WorkOptions& options,
    const RunHarvest::OnProgress& on_progress = [](const auto&) {}) {
  app::PlanHarvest plan(engine.plan_ports());
  return RunHarvest(plan, engine.work()).Run(command, options, on_progress);
}

}  // namespace patra::testing
