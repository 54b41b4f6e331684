#pragma once

#include "app/api/schedule.h"

namespace patra::adapter::cli {

// Knows every job but "nope".
class FakeSchedule final : public app::Schedule {
 public:
  Result<std::vector<app::JobReport>> List(const std::string& source, int) override {
    asked_source = source;
    return reports;
  }
  Result<app::JobReport> Show(const std::string& job) override {
    PATRA_TRY(Known(job));
    return reports.empty() ? app::JobReport{.job = {.id = job}} : reports.front();
  }
  Result<app::JobPut> Put(const app::JobRequest& request, const domain::Actor& actor) override {
    asked = request;
    by = actor;
    return app::JobPut{.problems = problems, .job = {.id = request.id}, .is_new = true};
  }
  Result<void> Enable(const std::string& job, const std::string& reason,
                      const domain::Actor& actor) override {
    return Decide("enable", job, reason, actor);
  }
  Result<void> Disable(const std::string& job, const std::string& reason,
                       const domain::Actor& actor) override {
    return Decide("disable", job, reason, actor);
  }
  Result<void> Remove(const std::string& job, const std::string& reason,
                      const domain::Actor& actor) override {
    return Decide("remove", job, reason, actor);
  }
  Result<domain::Execution> Trigger(const std::string& job, const std::string& reason,
                                    const domain::Actor& actor) override {
    PATRA_TRY(Decide("trigger", job, reason, actor));
    return domain::Execution{.id = 7, .job = job};
  }
  Result<std::vector<domain::Execution>> Log(const app::ExecutionListing& listing) override {
    listed = listing;
    return executions;
  }
  Result<std::vector<app::Occurrence>> Next(const std::string& job, int count) override {
    PATRA_TRY(Known(job));
    return std::vector<app::Occurrence>(static_cast<std::size_t>(count),
                                        {Instant{}, "1970-01-01T01:00:00+01:00"});
  }
  Result<app::ScheduleApplied> Apply(const std::string& file, const domain::Actor& actor) override {
    applied_file = file;
    by = actor;
    return app::ScheduleApplied{.problems = problems, .created = {"a"}, .unchanged = {"b"}};
  }
  Result<std::string> Export() override { return "jobs:\n"; }

  std::vector<app::JobReport> reports;
  std::vector<domain::Execution> executions;
  std::vector<Error> problems;
  app::JobRequest asked;
  app::ExecutionListing listed;
  std::string asked_source;
  std::string applied_file;
  std::string decided;  // what, about which job, why
  domain::Actor by;

 private:
  static Result<void> Known(const std::string& job) {
    if (job != "nope") return {};
    return Fail(ErrorCode::kInvalidInput, "there is no job 'nope'", {}, "did you mean 'hope'?");
  }
  Result<void> Decide(const std::string& what, const std::string& job, const std::string& reason,
                      const domain::Actor& actor) {
    PATRA_TRY(Known(job));
    decided = what + " " + job + ": " + reason;
    by = actor;
    return {};
  }
};

}  // namespace patra::adapter::cli
