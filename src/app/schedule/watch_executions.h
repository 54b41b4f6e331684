// Finds out what became of the plans of executions, and says so in the log.
#pragma once

#include <string>

#include "app/port/cursor_repository.h"
#include "app/port/execution_repository.h"
#include "app/port/executor_repository.h"
#include "app/port/hold_repository.h"
#include "app/port/plan_repository.h"
#include "base/clock.h"

namespace patra::app {

struct WatchOptions {
  Duration patience =
      domain::kNobodyWorksFor;            // before an execution that nobody works at has failed
  Duration keep = std::chrono::days(30);  // the log
};

struct WatchReport {
  int succeeded = 0;
  int failed = 0;
  int forgotten = 0;  // rows of the log

  bool empty() const { return succeeded + failed + forgotten == 0; }
};

class WatchExecutions {
 public:
  struct Ports {
    ExecutionRepository& executions;
    PlanRepository& plans;
    CursorRepository& cursors;
    ExecutorRepository& executors;
    HoldRepository& holds;
    const Clock& clock;
  };

  explicit WatchExecutions(const Ports& ports, const WatchOptions& options = {})
      : ports_(ports), options_(options) {}

  // Looks at all that run.
  Result<WatchReport> Round();

 private:
  struct World;

  Result<World> LookAround();
  Result<void> WatchOne(const Execution& running, const World& world, WatchReport& report);
  Result<std::vector<domain::UnfinishedSlice>> Missing(const PlanLook& look);

  const Ports ports_;
  const WatchOptions options_;
};

}  // namespace patra::app
