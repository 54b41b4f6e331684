// Who is served next: urgency first, and among equally urgent lanes the one with the least
// running, so that neither a big source nor a chatty one starves the others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "domain/task/at_once.h"

namespace patra::domain {

struct QueuedTask {
  Id id;
  int priority;
  Instant scheduled_at;
};

struct LaneBacklog {
  std::string key;
  int running = 0;                // wherever
  int running_here = 0;           // of these, by whoever is served
  std::vector<QueuedTask> tasks;  // in queue order: priority, scheduled_at, id
};

struct FairnessLimits {
  int tasks_max = 1;  // to choose now
  // Of one executor: what others run, or ran when they died, is no reason to leave a source alone that nobody knows about.
  int running_per_lane_max = 4;
  AtOnce at_once{};        // whoever runs them
  int running_in_all = 0;  // of all lanes, also those without anything to choose
};

// The chosen tasks in the order in which they should start.
std::vector<Id> ChooseFairly(std::span<const LaneBacklog> backlogs, const FairnessLimits& limits);

}  // namespace patra::domain
