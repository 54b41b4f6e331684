// Jobs that fire by themselves.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/word/job.h"

namespace patra::app {

using domain::Job;

class JobRepository {
 public:
  virtual ~JobRepository() = default;

  // All or none; kConflict, where one was changed since its version was read. Audited. What fired last is left as it is.
  virtual Result<void> Put(std::span<const Job> jobs, const Decision& decision) = 0;
  Result<void> Put(const Job& job, const Decision& decision) {
    return Put(std::span(&job, 1), decision);
  }
  // A default is marked, so that it stays away.
  virtual Result<void> Remove(const std::string& job, const Decision& decision) = 0;

  // Also one that is marked as removed.
  virtual Result<std::optional<Job>> Find(const std::string& job) = 0;
  // Without those that were removed, in the order of their names.
  virtual Result<std::vector<Job>> List() = 0;
  virtual Result<std::vector<Job>> Due(int jobs_max) = 0;  // enabled, the longest waiting first
};

}  // namespace patra::app
