// How many tasks may run at once, as one executor knows it: of lanes that it has worked at, from their limits and how long their
// answers take; of the others it takes as many as it has workers, and so gets to know them.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "app/execute/execute_task.h"
#include "app/port/executor_repository.h"
#include "app/port/task_queue.h"
#include "domain/task/at_once.h"

namespace patra::app {

// Thread-safe.
class LaneBounds {
 public:
  // `executors` may be null: then nobody knows how many there are.
  LaneBounds(const domain::AtOnceSettings& settings, ExecuteTask& execute, TaskQueue& queue,
             ExecutorRepository* executors, int workers)
      : settings_(settings),
        execute_(execute),
        queue_(queue),
        executors_(executors),
        workers_(workers) {}

  // What its snapshot says about the limits of its lane.
  void Learn(const LeasedTask& task);

  // What the ledger says. That it cannot be reached for a while changes nothing.
  void Refresh();

  domain::AtOnce Now() const;

 private:
  struct OfLane {
    std::string snapshot_hash;
    domain::GateRules rules;
  };

  const domain::AtOnceSettings settings_;
  ExecuteTask& execute_;
  TaskQueue& queue_;
  ExecutorRepository* executors_;
  const int workers_;

  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, OfLane> lanes_;
  LaneLatencies latencies_;
  std::optional<int> alive_;  // executors
};

}  // namespace patra::app
