// Jobs that fire by themselves, and what their firings came to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/actor.h"
#include "domain/word/job.h"

namespace patra::app {

// A job to be made or changed. What is not said stays as it is; of a new one, it is usual: a harvest, in UTC, without arguments.
struct JobRequest {
  std::string id{};
  std::optional<std::string> target{};     // SOURCE or SOURCE/ENDPOINT; a new job needs one
  std::optional<std::string> operation{};  // in any case
  std::optional<std::string> cron{};       // a new job needs one
  std::optional<std::string> timezone{};
  std::optional<std::string> arguments{};  // JSON: names with values
  std::optional<std::string> query{};      // empty: none
  std::optional<std::string> misfire{};    // in any case
  std::optional<std::string> jitter{};
  std::optional<bool> enabled{};
  std::string reason{};
};

struct JobPut {
  std::vector<Error> problems{};  // then nothing is changed
  domain::Job job{};
  bool is_new = false;
};

struct JobReport {
  domain::Job job;
  std::optional<domain::Execution> last{};  // the newest one
};

struct ScheduleApplied {
  std::vector<Error> problems{};  // with file, line and column: then nothing is changed
  std::vector<std::string> created{};
  std::vector<std::string> changed{};
  std::vector<std::string> unchanged{};
};

struct ExecutionListing {
  std::string job{};     // empty: of all
  std::string status{};  // in any case; empty: any
  int executions_max = 50;
};

struct Occurrence {
  Instant at;
  std::string local;  // what the clock of the job's zone shows, with its offset
};

class Schedule {
 public:
  virtual ~Schedule() = default;

  // In the order of their names; `source` empty: of all.
  virtual Result<std::vector<JobReport>> List(const std::string& source, int jobs_max) = 0;
  virtual Result<JobReport> Show(const std::string& job) = 0;
  virtual Result<JobPut> Put(const JobRequest& request, const domain::Actor& actor) = 0;
  virtual Result<void> Enable(const std::string& job, const std::string& reason,
                              const domain::Actor& actor) = 0;
  virtual Result<void> Disable(const std::string& job, const std::string& reason,
                               const domain::Actor& actor) = 0;
  virtual Result<void> Remove(const std::string& job, const std::string& reason,
                              const domain::Actor& actor) = 0;
  // Fires now, whatever the timetable says and whether it is enabled or not.
  virtual Result<domain::Execution> Trigger(const std::string& job, const std::string& reason,
                                            const domain::Actor& actor) = 0;
  virtual Result<std::vector<domain::Execution>> Log(const ExecutionListing& listing) = 0;
  // As if it were enabled.
  virtual Result<std::vector<Occurrence>> Next(const std::string& job, int count) = 0;

  // All jobs of a YAML file, or none.
  virtual Result<ScheduleApplied> Apply(const std::string& file, const domain::Actor& actor) = 0;
  // Such a file of all jobs.
  virtual Result<std::string> Export() = 0;
};

}  // namespace patra::app
