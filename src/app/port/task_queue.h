// The queue of tasks and their leases. The store's own time decides what is due and what has
// expired.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/plan/plan.h"
#include "domain/plan/tries_again.h"
#include "domain/task/at_once.h"
#include "domain/word/lineage.h"
#include "domain/word/waits.h"

namespace patra::app {

// Keys of lanes whose provider lets nobody in before that time: a task claimed from one would only be given
// back.
using ShutLanes = std::map<std::string, Instant>;

struct ClaimRequest {
  std::string owner;  // names the process and its incarnation
  int tasks_max = 1;
  Duration lease{};
  int running_per_lane_max = 4;        // of this executor
  domain::AtOnce at_once{};            // whoever runs them
  std::optional<domain::Lane> only{};  // leave all other tasks alone
  ShutLanes shut{};
};

// By the key of a lane: how long a batch's answers took lately, on average.
using LaneLatencies = std::map<std::string, Duration>;

// What is neither finished nor cancelled.
struct OpenTasks {
  std::int64_t queued = 0;
  std::int64_t running = 0;
  std::optional<Instant> next_due;  // of the queued ones that nobody holds back

  std::int64_t open() const { return queued + running; }
};

// Requests that open tasks will still make of one allowance. What waits for the next window of its quota spends nothing of
// this one, and is not counted.
struct OpenRequests {
  std::int64_t ahead = 0;   // of tasks that are under way, or as urgent or more
  std::int64_t behind = 0;  // of queued ones that are less urgent
};

// A task that is ours until the lease runs out. Whoever commits shows the fence: a later claim has
// raised it, and then nothing is committed.
struct LeasedTask {
  domain::Lineage lineage;
  domain::Lane lane;
  std::int64_t fence = 0;
  Instant leased_until;
  int runs_so_far = 0;
  int failures = 0;  // runs among them that the provider made fail
  std::string query_hash;
  domain::CursorNamespace cursor;
  domain::Window plan_window;
  domain::SliceSpec slice;
  std::string plan_key;
  std::string plan_snapshot;  // the Spec Snapshot
  std::string expr_proto_hash;
  int priority = 5;
  std::string slice_expr_hash;
  int fruitless_claims =
      0;  // this one and those before it, since a batch was committed or it was given back
  std::string damage{};  // what of it cannot be read any more
  std::string rate_key{};
  std::optional<int> at_once{};  // how many of its plan's tasks run at a time
  std::string params = "{}";     // JSON, see domain::Task
  // What its slice gives to the names in templates, as it was kept when the slice was cut (domain/plan/expression.h). None of
  // a slice that nobody cut, or that was cut before this was kept.
  std::optional<Value> values{};
  std::string waited_for{};  // when it was given back last; empty where it was not

  const domain::Window& window() const { return slice.window; }
  bool is_update() const { return lane.operation == domain::Operation::kUpdate; }
};

class TaskQueue {
 public:
  virtual ~TaskQueue() = default;

  // The most urgent due tasks, fairly over lanes. Empty when nothing is due.
  virtual Result<std::vector<LeasedTask>> Claim(const ClaimRequest& request) = 0;

  // How many that were chosen somebody else had by the time they were to be taken, since this was asked last.
  virtual std::int64_t TakeLostClaims() = 0;

  // Extends every lease of the owner; the ids of the tasks that are still its own.
  virtual Result<std::vector<Id>> Renew(const std::string& owner, Duration lease) = 0;

  // Gives a task back, to be claimed again from `scheduled_at` on.
  virtual Result<void> Release(const LeasedTask& task, Instant scheduled_at,
                               const std::string& reason) = 0;

  // Puts tasks whose lease has run out back into the queue; how many.
  virtual Result<int> RescueExpired() = 0;

  // Queues a FAILED or PARTIAL task again, or one that is parked, by a person's decision, which is audited. Commands may
  // try it as often as at first.
  virtual Result<void> Requeue(Id task, const Decision& decision) = 0;

  // The same because a command asks for its slice again: counted and audited. False where somebody else has done so
  // meanwhile.
  virtual Result<bool> TryAgain(const domain::UnfinishedSlice& slice, const Decision& decision) = 0;

  // What is parked of that source need not wait any longer, because a person resets a key of the gate; how many tasks. Audited,
  // also where nothing waits. Whether a request may leave is the gate's affair.
  virtual Result<std::int64_t> FreeParked(const std::string& provenance,
                                          const std::string& gate_key,
                                          const Decision& decision) = 0;

  // Takes a task that is under way from its worker, whose commits come to nothing from here on, and queues it
  // again. kConflict where it is not under way.
  virtual Result<void> TakeAway(Id task, const Decision& decision) = 0;

  // Of one lane, or of all. What is queued in a shut one is due when that opens.
  virtual Result<OpenTasks> LookAt(const std::optional<domain::Lane>& only,
                                   const ShutLanes& shut) = 0;

  // Of the parked tasks of one lane, or of all, the one that is due first.
  virtual Result<std::optional<domain::TaskWait>> FirstParked(
      const std::optional<domain::Lane>& only) = 0;

  // Tasks that are neither finished nor cancelled.
  virtual Result<std::int64_t> CountOpen(const domain::Lane& lane) = 0;

  virtual Result<LaneLatencies> Latencies() = 0;

  // What they are expected to ask of one allowance, as a task of that priority sees it.
  virtual Result<OpenRequests> CountRequests(const std::string& rate_key, int priority) = 0;
};

}  // namespace patra::app
