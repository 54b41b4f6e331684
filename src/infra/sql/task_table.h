// Table ing_task: the queue and its leases.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/port/run_ledger.h"
#include "domain/plan/plan.h"
#include "domain/task/fair_choice.h"
#include "domain/task/states.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::task_table {

using Works = std::vector<const domain::SliceWithTask*>;

// For slices that are new. Those of them whose idempotency key had no task yet.
Result<Works> InsertAll(Session& session, const domain::Plan& plan, const Works& works,
                        Instant now);

struct TaskOfSlice {
  Id task;
  Id slice;
};

// CANCELLED with a raised fence, whatever they were doing; at most `tasks_max` at a time.
Result<std::vector<TaskOfSlice>> CancelOfPlan(Session& session, Id plan, const std::string& reason,
                                              int tasks_max, Instant now);
// The same for one; nothing where it has ended already.
Result<std::vector<TaskOfSlice>> Cancel(Session& session, Id task, const std::string& reason,
                                        Instant now);
Result<std::optional<Id>> FindOfSlice(Session& session, Id slice);
Result<std::optional<Id>> PlanOf(Session& session, Id task);

// Parked tasks that are due become ready to be claimed. Bounded.
Result<void> ReleaseDue(Session& session, Instant now);

// Open tasks by lane; one may appear more than once.
struct OpenInLane {
  std::string key;
  std::int64_t queued = 0;
  std::int64_t running = 0;
  std::optional<Instant> next_due{};
};
Result<std::vector<OpenInLane>> OpenByLane(Session& session);

using Lanes = std::set<std::string>;  // by their keys

// Every lane with ready tasks, each with what runs and its first `tasks_max` tasks. `known`: those that were met before, which
// a server finds again faster than it finds new ones.
struct Backlog {
  std::vector<domain::LaneBacklog> lanes;
  int running = 0;  // in all lanes
};
Result<Backlog> Backlogs(Session& session, const std::string& owner, int tasks_max, Lanes& known);
Result<std::int64_t> CountOpen(Session& session, const std::string& provenance,
                               std::string_view operation, const std::string& endpoint);

// What open tasks of that allowance are expected to ask of it, as one of that priority sees it.
Result<app::OpenRequests> CountRequests(Session& session, const std::string& rate_key, int priority,
                                        Instant now);
Result<std::int64_t> RequestsLeft(Session& session, Id task);
// Parks queued tasks that are less urgent, the least urgent and latest first, until that many requests fewer are expected.
Result<void> RollOver(Session& session, const std::string& rate_key, int priority,
                      std::int64_t requests, Instant until, Instant now);

Result<app::LeasedTask> Read(Session& session, Id task);
// Takes queued tasks by compare-and-set: raises their fences. Without those that somebody else was faster to take, or whose
// plans let no more run at once.
struct Leased {
  std::vector<app::LeasedTask> tasks{};
  std::int64_t lost = 0;  // to somebody who was faster
};
Result<Leased> Lease(Session& session, std::span<const Id> tasks, const std::string& owner,
                     Instant until, Instant now);

Result<std::vector<Id>> Renew(Session& session, const std::string& owner, Instant until,
                              Instant now);

// Whether a lease has expired and nobody has rescued its task.
Result<bool> IsAnyExpired(Session& session, Instant now);
// Puts expired leases back into the queue; the tasks that went back.
Result<std::vector<TaskOfSlice>> RescueExpired(Session& session, Instant now);

// The same for one that is under way, whatever its lease; nothing where it is not.
Result<std::optional<Id>> TakeAway(Session& session, Id task, const std::string& reason,
                                   Instant now);

// Fails with kLeaseLost unless this fence still holds the task in that state.
Result<void> CheckFence(Session& session, const app::LeasedTask& task, domain::TaskStatus status);
Result<void> Start(Session& session, const app::LeasedTask& task, Instant now);

// QUEUED again from FAILED or PARTIAL; the slice of the task, or nothing where its state forbids it.
Result<std::optional<Id>> Requeue(Session& session, Id task, Instant now);

// The parked task that is due first, of that lane or of all.
Result<std::optional<domain::TaskWait>> FirstParked(Session& session,
                                                    const std::optional<std::string>& lane_key,
                                                    Instant now);

// Due now, where it was parked; whether it was.
Result<bool> Unpark(Session& session, Id task, Instant now);
// The same for all of a source that wait for something; those whose start is only spread do not. How many.
Result<std::int64_t> FreeParked(Session& session, const std::string& provenance, Instant now);

// The same, counted, where it was tried so many times before.
Result<std::optional<Id>> TryAgain(Session& session, Id task, std::int64_t tries, Instant now);

// The task got on. What self-healing wants of it, if anything.
enum class Progress {
  kRun,
  kBatch
};  // only a batch that is stored proves that its claims were worth it
Result<std::optional<app::HealRequest>> NoteProgress(
    Session& session, Id task, Progress progress, Instant now,
    std::optional<std::int64_t> requests_left = std::nullopt);

// For the task of a slice that has not ended; false where it has.
Result<bool> AskOfSlice(Session& session, Id slice, domain::SliceRequest request,
                        const std::string& reason);
// With which credential its last request went out, by name; where there was none, nothing changes.
Result<void> NoteCredential(Session& session, Id task, const std::string& credential);

// What went wrong: a code that stays the same from version to version, and a sentence.
struct TaskError {
  std::string_view code;
  std::string message;
};
Result<void> GiveBack(Session& session, const app::LeasedTask& task, Instant scheduled_at,
                      const std::string& reason, const std::optional<TaskError>& error, Instant now,
                      bool is_orderly);
Result<void> Finish(Session& session, const app::LeasedTask& task, domain::TaskStatus status,
                    const std::optional<TaskError>& error, Instant now);

}  // namespace patra::infra::sql::task_table
