// An executor: workers that claim tasks and run them, until nothing is left or somebody asks to stop.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/api/work_report.h"
#include "app/execute/execute_task.h"
#include "app/gate/gate_watch.h"
#include "app/gate/rate_book.h"
#include "app/heal/heal_rounds.h"
#include "app/port/executor_repository.h"
#include "app/port/hold_repository.h"
#include "app/port/task_queue.h"
#include "app/work/store_watch.h"
#include "app/work/tell_task.h"

namespace patra::app {

struct WorkOptions {
  // 0: in the caller's thread alone, and nothing goes by real time. While all are busy, sources that nobody here works at
  // are served beside them, with one more worker each.
  int workers = 1;
  bool drain = true;  // stop when nothing is left; else wait for more
  std::optional<domain::Lane> only{};
  Duration lease = std::chrono::seconds(15);
  std::optional<std::int64_t> requests_max{};
  Duration patience = std::chrono::seconds(60);  // for tasks that are parked
  // For a provider that brings nothing, without a page in between (where work ends by itself), and in all.
  Duration stall_max = std::chrono::minutes(5);
  std::optional<Duration> wait_max{};
};

// What goes along with the work; each may be missing.
struct WorkCompany {
  HealRounds* heal = nullptr;  // looks after the work while it goes on, and once more at its end
  HoldRepository* holds = nullptr;          // what keeps work back, to be told
  ExecutorRepository* executors = nullptr;  // where this one is seen to be alive
  std::string host{};
  GateWatch* gate = nullptr;  // tells when nobody counts for all
  RateBook* rates = nullptr;  // what was sent is written while the work goes on
  domain::AtOnceSettings at_once{};
  StoreWatch* store = nullptr;  // lets fewer work while the store is slow
  Log* log = nullptr;           // where tasks come and go
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

  // `place` among those who were asked for: the last ones rest while the store is slow.
  Result<void> WorkOff(Shift& shift, int place);
  Result<void> WorkBeside(Shift& shift, int place);
  Result<std::optional<LeasedTask>> Claim(Shift& shift, int running_per_lane_max);
  Result<bool> IsDone(Shift& shift);
  Result<void> RunOne(Shift& shift, const HeldTask& held);
  Result<void> GiveBack(const LeasedTask& task, const domain::GateWait& wait);
  void TellBatch(Shift& shift, Id slice, const BatchReport& batch);
  void Tell(LogLevel level, std::string_view event, const Shift& shift, const HeldTask& held,
            Value::Object details) const;
  // `told`: what its batches said already.
  void Count(Shift& shift, Id slice, const TaskOutcome& outcome, const RunTally& told);
  void KeepAlive(Shift& shift);
  // They note that nothing comes, and end the work if that is so for too long; `until` is how long it will last, for sure.
  void MeetTrouble(Shift& shift, std::string what);
  void MeetShutDoor(Shift& shift, domain::WaitReason reason, std::optional<Instant> until = {});
  // A request failed and is tried again by its run.
  void MeetFailure(Shift& shift, const domain::GateWait& wait);
  void EndIfStalled(Shift& shift, Duration ahead = {});
  void TellParked(Shift& shift);

  ExecuteTask& execute_;
  TaskQueue& queue_;
  Clock& clock_;
  StopRequest& stop_;
  const std::string owner_;
  const WorkCompany company_;
};

}  // namespace patra::app
