// Claims what has come due. Any number of processes may run rounds at the same time: each occurrence fires once.
#pragma once

#include <string>
#include <vector>

#include "app/port/execution_repository.h"
#include "app/port/job_repository.h"
#include "base/clock.h"

namespace patra::app {

struct FiringReport {
  int fired = 0;
  int skipped = 0;  // missed, or an earlier execution is not over
  // Of jobs that no timetable can be read of any more: they are disabled.
  std::vector<std::string> broken{};
  bool has_more = false;  // a bound was reached: another round finds more
};

class FireJobs {
 public:
  FireJobs(JobRepository& jobs, ExecutionRepository& executions, const Clock& clock,
           std::string owner)
      : jobs_(jobs), executions_(executions), clock_(clock), owner_(std::move(owner)) {}

  Result<FiringReport> Round();

  // Jobs whose next firing lies behind the one that their timetable comes to by now: a clock was ahead when it was found out.
  // They fire by their timetable again.
  Result<std::vector<std::string>> SetRight();

 private:
  // False where somebody was faster, perhaps by putting it right.
  Result<bool> Change(const domain::Job& job, std::string reason);
  Result<void> Disable(domain::Job job, const Error& why, FiringReport& report);

  JobRepository& jobs_;
  ExecutionRepository& executions_;
  const Clock& clock_;
  const std::string owner_;
};

}  // namespace patra::app
