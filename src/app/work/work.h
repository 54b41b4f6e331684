// An executor: workers that claim tasks and run them, until nothing is left or somebody asks to stop.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/execute/execute_task.h"
#include "app/heal/heal_rounds.h"
#include "app/port/executor_repository.h"
#include "app/port/hold_repository.h"
#include "app/port/task_queue.h"

namespace patra::app {

struct WorkOptions {
  int workers = 1;    // 0: in the caller's thread alone, and nothing goes by real time
  bool drain = true;  // stop when nothing is left; else wait for more
  std::optional<domain::Lane> only{};
  Duration lease = std::chrono::seconds(15);
  int running_per_lane_max = 4;  // of this executor
  std::optional<std::int64_t> requests_max{};
  Duration patience = std::chrono::seconds(60);  // for tasks that are parked
};

struct WorkProgress {
  int slices_done = 0;
  domain::RecordCounts counts;
  std::int64_t announced = 0;  // records, by the slices that were begun
  int requests = 0;
  int retries = 0;
  int throttled = 0;
  int running = 0;
  Duration waited{};
  std::optional<GateWait> waiting;  // for a permit, at this moment
  std::optional<TaskWait> parked;   // nobody is at work: what the next task waits for

  // Both together; what is going on at this moment is this one's.
  WorkProgress& operator+=(const WorkProgress& earlier);
};

struct WorkSummary {
  WorkProgress totals;
  int succeeded = 0;
  int failed = 0;
  int partial = 0;
  int early = 0;       // slices of which nothing is missing but what the provider cannot have yet
  int recut = 0;       // slices that smaller ones took over
  int given_back = 0;  // runs that left their task in the queue
  int leases_lost = 0;
  std::int64_t left = 0;  // tasks that are still open
  std::optional<Instant> watermark;
  std::optional<Error> first_error;
  std::optional<GateWait> parked;  // what the last run that gave its task back waits for
  std::optional<TaskWait>
      waits;  // what is left waits for this; without it, nobody knows until when
  std::vector<domain::Hold> holds{};  // in force at the end over what it works on
  int running = 0;                    // tasks that others are at
  bool is_refused = false;            // the provider does not accept who we are
  bool is_stopped = false;            // somebody asked to
  bool is_at_limit = false;           // requests_max
  int spent = 0;                      // runs that used up the budget of their slice
};

// What goes along with the work; each may be missing.
struct WorkCompany {
  HealRounds* heal = nullptr;  // looks after the work while it goes on, and once more at its end
  HoldRepository* holds = nullptr;          // what keeps work back, to be told
  ExecutorRepository* executors = nullptr;  // where this one is seen to be alive
  std::string host{};
};

class Work {
 public:
  using OnProgress = std::function<void(const WorkProgress&)>;

  Work(ExecuteTask& execute, TaskQueue& queue, Clock& clock, StopRequest& stop, std::string owner,
       WorkCompany company = {})
      : execute_(execute),
        queue_(queue),
        clock_(clock),
        stop_(stop),
        owner_(std::move(owner)),
        company_(std::move(company)) {}

  // An error where the store cannot be reached. Progress is told from any worker, one at a time.
  Result<WorkSummary> Run(const WorkOptions& options, const OnProgress& on_progress);

 private:
  struct Shift;

  Result<void> WorkOff(Shift& shift);
  Result<bool> IsDone(Shift& shift);
  Result<void> RunOne(Shift& shift, const LeasedTask& task, Duration claimed_at);
  Result<void> GiveBack(const LeasedTask& task, const GateWait& wait);
  // `told`: what its batches said already.
  void Count(Shift& shift, const TaskOutcome& outcome, const RunTally& told);
  void KeepAlive(Shift& shift);
  void TellParked(Shift& shift);
  Result<std::vector<domain::Hold>> HoldsOver(const std::optional<domain::Lane>& only);

  ExecuteTask& execute_;
  TaskQueue& queue_;
  Clock& clock_;
  StopRequest& stop_;
  const std::string owner_;
  const WorkCompany company_;
};

}  // namespace patra::app
