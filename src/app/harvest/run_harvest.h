// Plans a harvest and works it off in this process until nothing is left.
#pragma once

#include <functional>

#include "app/execute/execute_task.h"
#include "app/plan/plan_harvest.h"
#include "app/port/task_queue.h"

namespace patra::app {

struct HarvestProgress {
  int slices_done = 0;
  int slices = 0;
  domain::RecordCounts counts;
  int requests = 0;
  Duration waited{};
  std::optional<GateWait> waiting;  // for a permit, at this moment
};

struct HarvestSummary {
  HarvestPlanned::Kind planned = HarvestPlanned::Kind::kNothingDue;
  std::optional<domain::Window> window;
  HarvestProgress totals;
  int slices_failed = 0;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
  std::optional<Error> first_error;
  std::optional<GateWait> parked;  // tasks wait in the queue for a permit, at least until then

  bool complete() const { return slices_failed == 0 && !parked; }
};

class RunHarvest {
 public:
  using OnProgress = std::function<void(const HarvestProgress&)>;

  RunHarvest(PlanHarvest& plan, ExecuteTask& execute, TaskQueue& queue, Clock& clock,
             std::string owner)
      : plan_(plan), execute_(execute), queue_(queue), clock_(clock), owner_(std::move(owner)) {}

  Result<HarvestSummary> Run(const HarvestCommand& command, const OnProgress& on_progress);

 private:
  Result<void> Drain(const domain::Partition& partition, HarvestSummary& summary,
                     const OnProgress& on_progress);

  PlanHarvest& plan_;
  ExecuteTask& execute_;
  TaskQueue& queue_;
  Clock& clock_;
  const std::string owner_;
};

}  // namespace patra::app
