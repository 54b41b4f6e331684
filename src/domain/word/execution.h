// A firing of a job, and what it came to.
#pragma once

#include <array>
#include <cstdint>

#include "domain/word/codes.h"

namespace patra::domain {

// A claimed occurrence waits for a planner (PENDING), its plan is worked at (RUNNING), and it ends.
enum class ExecutionStatus { kPending, kRunning, kSuccess, kFailed, kSkipped };
constexpr auto CodesOf(ExecutionStatus) {
  using enum ExecutionStatus;
  return std::to_array<Coded<ExecutionStatus>>({{kPending, "PENDING"},
                                                {kRunning, "RUNNING"},
                                                {kSuccess, "SUCCESS"},
                                                {kFailed, "FAILED"},
                                                {kSkipped, "SKIPPED"}});
}

constexpr bool IsOver(ExecutionStatus status) {
  return status != ExecutionStatus::kPending && status != ExecutionStatus::kRunning;
}

// Who fired: the timetable, or a person.
enum class FiringType { kSchedule, kManual };
constexpr auto CodesOf(FiringType) {
  using enum FiringType;
  return std::to_array<Coded<FiringType>>({{kSchedule, "SCHEDULE"}, {kManual, "MANUAL"}});
}

// What becomes of occurrences that nobody claimed in time: one firing for all of them, or none.
enum class Misfire { kOnce, kSkip };
constexpr auto CodesOf(Misfire) {
  using enum Misfire;
  return std::to_array<Coded<Misfire>>({{kOnce, "ONCE"}, {kSkip, "SKIP"}});
}

// Where a job comes from: made for a definition, read from a file, or set by a person.
enum class JobOrigin { kDefault, kFile, kPerson };
constexpr auto CodesOf(JobOrigin) {
  using enum JobOrigin;
  return std::to_array<Coded<JobOrigin>>(
      {{kDefault, "DEFAULT"}, {kFile, "FILE"}, {kPerson, "PERSON"}});
}

// What an execution's plans brought.
struct ExecutionCounts {
  std::int64_t received = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t quarantined = 0;
  std::int64_t requests = 0;

  friend bool operator==(const ExecutionCounts&, const ExecutionCounts&) = default;
};

}  // namespace patra::domain
