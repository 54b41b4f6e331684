// The life of a plan, a slice, a task, a run and a batch: one table each. A repository moves a
// state only from one that the table allows, by compare-and-set; docs and tests read the same rows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace patra::domain {

enum class PlanStatus { kDraft, kSlicing, kReady, kPartial, kFailed, kCancelled, kCompleted };
enum class SliceStatus { kPending, kReady, kExecuting, kSucceeded, kPartial, kFailed, kCancelled };
enum class TaskStatus {
  kQueued,
  kDispatched,
  kExecuting,
  kSucceeded,
  kFailed,
  kPartial,
  kCancelled
};
enum class RunStatus { kPlanned, kRunning, kSucceeded, kPartial, kFailed, kCancelled };
enum class BatchStatus { kPlanned, kRunning, kSucceeded, kSkipped, kGivenBack, kFailed };

// Whether its answer was read and counts: with records, or with none because nothing was at its position.
inline bool IsCommitted(BatchStatus status) {
  return status == BatchStatus::kSucceeded || status == BatchStatus::kSkipped;
}

template <typename Status>
struct Transition {
  Status from;
  Status to;
  std::string_view why;
};

// Every allowed move, in reading order.
template <typename Status>
std::span<const Transition<Status>> Transitions();

// The code stored in the database: "QUEUED".
std::string_view Code(PlanStatus status);
std::string_view Code(SliceStatus status);
std::string_view Code(TaskStatus status);
std::string_view Code(RunStatus status);
std::string_view Code(BatchStatus status);

template <typename Status>
Result<Status> StatusFromCode(std::string_view code);

template <typename Status>
bool MayMove(Status from, Status to) {
  for (const auto& move : Transitions<Status>()) {
    if (move.from == from && move.to == to) return true;
  }
  return false;
}

// The states from which `to` may be entered: what a compare-and-set compares with.
template <typename Status>
std::vector<Status> StatesBefore(Status to) {
  std::vector<Status> before;
  for (const auto& move : Transitions<Status>()) {
    if (move.to == to) before.push_back(move.from);
  }
  return before;
}

template <typename Status>
bool IsTerminal(Status status) {
  for (const auto& move : Transitions<Status>()) {
    if (move.from == status) return false;
  }
  return true;
}

}  // namespace patra::domain
