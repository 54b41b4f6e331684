// Plans a harvest and works it off in this process until nothing is left.
#pragma once

#include <functional>

#include "app/plan/plan_harvest.h"
#include "app/work/work.h"

namespace patra::app {

struct HarvestProgress {
  int slices = 0;  // planned; re-slicing adds more
  WorkProgress work;
};

struct HarvestSummary {
  HarvestPlanned::Kind planned = HarvestPlanned::Kind::kNothingDue;
  std::optional<domain::Window> window;
  int slices = 0;
  WorkSummary work;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;

  bool complete() const { return work.failed == 0 && work.partial == 0 && work.left == 0; }
};

class RunHarvest {
 public:
  using OnProgress = std::function<void(const HarvestProgress&)>;

  RunHarvest(PlanHarvest& plan, Work& work) : plan_(plan), work_(work) {}

  // `options.only` is set to what is harvested.
  Result<HarvestSummary> Run(const HarvestCommand& command, WorkOptions options,
                             const OnProgress& on_progress);

 private:
  PlanHarvest& plan_;
  Work& work_;
};

}  // namespace patra::app
