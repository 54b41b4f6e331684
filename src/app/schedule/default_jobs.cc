#include "app/schedule/default_jobs.h"

#include <algorithm>
#include <map>

#include "app/schedule/check_job.h"
#include "domain/schedule/timetable.h"

namespace patra::app {
namespace {

constexpr int kAttemptsAtDefaults = 5;
constexpr const char* kGone = "there is no definition of it at present";

// SOURCE, or SOURCE.ENDPOINT where there are several of a source.
std::map<std::string, DefaultTarget> Named(const std::vector<DefaultTarget>& targets) {
  std::map<std::string, int> of_source;
  for (const auto& target : targets) ++of_source[target.source];
  std::map<std::string, DefaultTarget> named;
  for (const auto& target : targets) {
    const bool is_only = of_source[target.source] == 1 || !target.endpoint;
    named.emplace(is_only ? target.source : target.source + "." + *target.endpoint, target);
  }
  return named;
}

Result<domain::Job> NewDefault(const std::string& name, const DefaultTarget& target, Instant now) {
  domain::Job job{.id = name,
                  .provenance = target.source,
                  .endpoint = target.endpoint,
                  .operation = target.operation,
                  .cron = domain::DailyCron(name),
                  .enabled = false,
                  .origin = domain::JobOrigin::kDefault};
  if (!target.missing.empty()) return Disabled(std::move(job), target.missing);
  return Enabled(std::move(job), now);
}

}  // namespace

Result<DefaultsReport> DefaultJobs::Ensure(const std::vector<DefaultTarget>& targets) {
  for (int attempt = 1;; ++attempt) {
    DefaultsReport report;
    const auto done = TryEnsure(targets, report);
    if (done) return report;
    // Another service of the same store was at it, or a person.
    const bool may_try = done.error().code == ErrorCode::kConflict && attempt < kAttemptsAtDefaults;
    if (!may_try) return std::unexpected(done.error());
  }
}

Result<void> DefaultJobs::TryEnsure(const std::vector<DefaultTarget>& targets,
                                    DefaultsReport& report) {
  const auto now = clock_.Now();
  const auto named = Named(targets);
  std::vector<domain::Job> changed;
  for (const auto& [name, target] : named) {
    const auto job = PATRA_TRY(jobs_.Find(name));
    if (!job) {
      changed.push_back(PATRA_TRY(NewDefault(name, target, now)));
      report.created.push_back(name);
      continue;
    }
    if (job->removed_at || job->decided) continue;
    if (!target.missing.empty()) {
      if (!job->enabled && job->disabled_reason == target.missing) continue;
      if (job->enabled) report.disabled.push_back(name);
      changed.push_back(Disabled(*job, target.missing));
    } else if (!job->enabled) {
      changed.push_back(PATRA_TRY(Enabled(*job, now)));
      report.enabled.push_back(name);
    }
  }
  for (const auto& job : PATRA_TRY(jobs_.List())) {
    const bool is_ours = job.origin == domain::JobOrigin::kDefault && !job.decided && job.enabled;
    if (!is_ours || named.contains(job.id)) continue;
    changed.push_back(Disabled(job, kGone));
    report.disabled.push_back(job.id);
  }
  if (changed.empty()) return {};
  return jobs_.Put(changed, {.actor = {.name = "scheduler", .way = domain::Way::kScheduler},
                             .reason = "a default of its definition"});
}

}  // namespace patra::app
