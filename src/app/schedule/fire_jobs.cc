#include "app/schedule/fire_jobs.h"

#include <algorithm>

#include "domain/schedule/timetable.h"

namespace patra::app {
namespace {

constexpr int kJobsPerClaim = 500;
constexpr int kClaimsPerRound = 100;

DueJob DueOf(const domain::Job& job, const domain::Timetable& timetable, Instant now) {
  const auto occurrence = *job.next_fire_at;
  auto due = domain::Judge(timetable, occurrence, now, job.misfire);
  return {.job = job,
          .fires = due.fires,
          .note = std::move(due.note),
          .start_at = domain::StartOf(job.id, occurrence, job.jitter),
          .next = due.next};
}

}  // namespace

Result<FiringReport> FireJobs::Round() {
  FiringReport report;
  for (int claim = 0; claim < kClaimsPerRound; ++claim) {
    const auto jobs = PATRA_TRY(jobs_.Due(kJobsPerClaim));
    if (jobs.empty()) return report;
    const auto now = clock_.Now();
    std::vector<DueJob> due;
    for (const auto& job : jobs) {
      if (const auto timetable = domain::Timetable::Of(job.cron, job.timezone)) {
        due.push_back(DueOf(job, *timetable, now));
      } else {
        PATRA_TRY(Disable(job, timetable.error(), report));
      }
    }
    for (const auto& execution : PATRA_TRY(executions_.Claim(due, owner_)))
      ++(execution.status == domain::ExecutionStatus::kPending ? report.fired : report.skipped);
    if (jobs.size() < kJobsPerClaim) return report;
  }
  report.has_more = true;
  return report;
}

Result<std::vector<std::string>> FireJobs::SetRight() {
  std::vector<std::string> right;
  const auto now = clock_.Now();
  for (auto job : PATRA_TRY(jobs_.List())) {
    const auto timetable = domain::Timetable::Of(job.cron, job.timezone);
    const auto next = timetable ? timetable->FirstAfter(now) : std::nullopt;
    if (!job.enabled || !job.next_fire_at || !next || *job.next_fire_at <= *next) continue;
    job.next_fire_at = next;
    if (PATRA_TRY(Change(job, "a clock was ahead when its next firing was found out")))
      right.push_back(job.id);
  }
  return right;
}

Result<bool> FireJobs::Change(const domain::Job& job, std::string reason) {
  const Decision decision{.actor = {.name = "scheduler", .way = domain::Way::kScheduler},
                          .reason = std::move(reason)};
  const auto put = jobs_.Put(job, decision);
  if (!put && put.error().code != ErrorCode::kConflict) return std::unexpected(put.error());
  return put.has_value();
}

Result<void> FireJobs::Disable(domain::Job job, const Error& why, FiringReport& report) {
  job.enabled = false;
  job.next_fire_at.reset();
  job.disabled_reason = "its timetable cannot be read: " + why.Describe();
  if (PATRA_TRY(Change(job, job.disabled_reason))) report.broken.push_back(job.id);
  return {};
}

}  // namespace patra::app
