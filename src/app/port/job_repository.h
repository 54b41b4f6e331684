// Scheduled jobs and their firings. Schedulers of many processes look at the same jobs: a firing belongs to whoever
// claims it first, and it happens once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/id.h"
#include "domain/word/operation.h"

namespace patra::app {

struct Job {
  std::string id;  // chosen by people
  std::string provenance;
  std::optional<std::string> endpoint{};
  domain::Operation operation = domain::Operation::kHarvest;
  std::string cron;
  std::string timezone = "UTC";
  std::string params = "{}";  // JSON
  bool enabled = true;
  std::optional<Instant> next_fire_at{};
  std::optional<Instant> last_run_at{};
  std::int64_t version = 0;  // of the row that was read; 0 for a new job
};

struct Firing {
  Id id = 0;
  std::string job;
  Instant fired_at{};  // the planned moment
  std::string claimed_by;
  std::optional<Id> trigger{};
  std::string status = "RUNNING";  // SUCCESS or FAILED at its end
  std::optional<std::string> error{};
  Instant started_at{};
  std::optional<Instant> finished_at{};
};

class JobRepository {
 public:
  virtual ~JobRepository() = default;

  // Conflict, where the job was changed since `job.version` was read. Audited.
  virtual Result<void> Put(const Job& job, const Decision& decision) = 0;
  virtual Result<void> Remove(const std::string& job, const Decision& decision) = 0;
  virtual Result<std::optional<Job>> Find(const std::string& job) = 0;
  virtual Result<std::vector<Job>> List() = 0;
  virtual Result<std::vector<Job>> Due(int jobs_max) = 0;  // enabled, the longest waiting first

  // The firing of `job` at its next_fire_at, which moves on to `next`; nothing where somebody else was first.
  virtual Result<std::optional<Firing>> Claim(const Job& job, std::optional<Instant> next,
                                              const std::string& owner) = 0;
  virtual Result<void> Finish(const Firing& firing, std::optional<Id> trigger,
                              const std::optional<std::string>& error) = 0;
  virtual Result<std::vector<Firing>> Log(const std::string& job,
                                          int firings_max) = 0;  // newest first
};

}  // namespace patra::app
