#include "app/api/schedule.h"

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/desk/known_definitions.h"
#include "app/schedule/check_job.h"
#include "app/schedule/job_file.h"
#include "base/close_match.h"
#include "domain/schedule/timetable.h"

namespace patra::app {
namespace {

using domain::Job;

// 2026-03-29T03:00:00+02:00
std::string LocalText(Instant at, const TimeZone& zone) {
  const auto offset = std::chrono::duration_cast<std::chrono::minutes>(zone.OffsetAt(at));
  auto text = FormatRfc3339(at + zone.OffsetAt(at));
  text.pop_back();
  const auto minutes = std::abs(offset.count());
  return fmt::format("{}{}{:02}:{:02}", text, offset.count() < 0 ? '-' : '+', minutes / 60,
                     minutes % 60);
}

class StoreSchedule final : public Schedule {
 public:
  explicit StoreSchedule(const DeskPorts& ports)
      : jobs_(ports.store.jobs()),
        executions_(ports.store.executions()),
        definitions_(ports),
        files_(ports.files),
        clock_(ports.clock),
        mask_(ports.mask) {}

  Result<std::vector<JobReport>> List(const std::string& source, int jobs_max) override {
    std::vector<JobReport> reports;
    for (auto& job : PATRA_TRY(jobs_.List())) {
      if (!source.empty() && job.provenance != source) continue;
      if (reports.size() == static_cast<std::size_t>(jobs_max)) break;
      reports.push_back({.job = std::move(job)});
    }
    for (auto& report : reports) report.last = PATRA_TRY(LastOf(report.job.id));
    return reports;
  }

  Result<JobReport> Show(const std::string& job) override {
    JobReport report{.job = PATRA_TRY(Existing(job))};
    report.last = PATRA_TRY(LastOf(job));
    return report;
  }

  Result<JobPut> Put(const JobRequest& request, const domain::Actor& actor) override {
    const auto before = PATRA_TRY(jobs_.Find(request.id));
    const auto definitions = PATRA_TRY(definitions_.All());
    auto checked = CheckJob(request, before, {.definitions = definitions, .now = clock_.Now()});
    JobPut put{.is_new = !before || before->removed_at};
    if (!checked) {
      for (auto& problem : checked.error()) put.problems.push_back(std::move(problem.error));
      return put;
    }
    PATRA_TRY(jobs_.Put(*checked, mask_.Decided(actor, request.reason)));
    put.job = *std::move(checked);
    return put;
  }

  Result<void> Enable(const std::string& job, const std::string& reason,
                      const domain::Actor& actor) override {
    auto enabled = PATRA_TRY(Enabled(PATRA_TRY(Existing(job)), clock_.Now()));
    enabled.decided = true;
    return jobs_.Put(enabled, mask_.Decided(actor, reason));
  }

  Result<void> Disable(const std::string& job, const std::string& reason,
                       const domain::Actor& actor) override {
    auto disabled = Disabled(PATRA_TRY(Existing(job)), mask_.Mask(reason));
    disabled.decided = true;
    return jobs_.Put(disabled, mask_.Decided(actor, reason));
  }

  Result<void> Remove(const std::string& job, const std::string& reason,
                      const domain::Actor& actor) override {
    PATRA_TRY(Existing(job));
    return jobs_.Remove(job, mask_.Decided(actor, reason));
  }

  Result<domain::Execution> Trigger(const std::string& job, const std::string& reason,
                                    const domain::Actor& actor) override {
    PATRA_TRY(Existing(job));
    return executions_.AddManual(job, mask_.Decided(actor, reason));
  }

  Result<std::vector<domain::Execution>> Log(const ExecutionListing& listing) override {
    ExecutionFilter filter{.job = listing.job, .executions_max = listing.executions_max};
    if (!listing.status.empty()) filter.status = PATRA_TRY(StatusOf(listing.status));
    auto executions = PATRA_TRY(executions_.Log(filter));
    // Of a job that is gone there may still be a log; of one that never was there is a mistyped name.
    if (executions.empty() && !listing.job.empty()) PATRA_TRY(Existing(listing.job));
    return executions;
  }

  Result<std::vector<Occurrence>> Next(const std::string& job, int count) override {
    const auto found = PATRA_TRY(Existing(job));
    const auto timetable = PATRA_TRY(domain::Timetable::Of(found.cron, found.timezone));
    std::vector<Occurrence> occurrences;
    auto at = found.next_fire_at ? found.next_fire_at : timetable.FirstAfter(clock_.Now());
    while (at && occurrences.size() < static_cast<std::size_t>(count)) {
      occurrences.push_back({*at, LocalText(*at, timetable.zone())});
      at = timetable.FirstAfter(*at);
    }
    return occurrences;
  }

  Result<ScheduleApplied> Apply(const std::string& file, const domain::Actor& actor) override {
    const auto read = ReadJobFile(PATRA_TRY(files_.ReadFile(file)));
    ScheduleApplied applied{.problems = read.problems};
    if (!applied.problems.empty()) return applied;
    const auto definitions = PATRA_TRY(definitions_.All());
    const JobScene scene{
        .definitions = definitions, .now = clock_.Now(), .origin = domain::JobOrigin::kFile};
    std::vector<Job> changed;
    for (const auto& written : read.jobs) {
      const auto before = PATRA_TRY(jobs_.Find(written.request.id));
      auto checked = CheckJob(written.request, before, scene);
      if (!checked) {
        for (const auto& problem : checked.error())
          applied.problems.push_back(written.Placed(problem));
        continue;
      }
      if (before && AreAlike(*before, *checked)) {
        applied.unchanged.push_back(checked->id);
        continue;
      }
      const bool is_new = !before || before->removed_at;
      (is_new ? applied.created : applied.changed).push_back(checked->id);
      changed.push_back(*std::move(checked));
    }
    if (!applied.problems.empty()) return ScheduleApplied{.problems = std::move(applied.problems)};
    if (!changed.empty())
      PATRA_TRY(jobs_.Put(changed, {.actor = actor, .reason = "applied from " + file}));
    return applied;
  }

  Result<std::string> Export() override {
    const auto jobs = PATRA_TRY(jobs_.List());
    return files_.Print(JobFileOf(jobs));
  }

 private:
  Result<Job> Existing(const std::string& name) {
    auto job = PATRA_TRY(jobs_.Find(name));
    if (job && !job->removed_at) return *std::move(job);
    std::vector<std::string> known;
    for (auto& other : PATRA_TRY(jobs_.List())) known.push_back(std::move(other.id));
    return Fail(ErrorCode::kInvalidInput, fmt::format("there is no job '{}'", name), {},
                DidYouMean(name, known, "see `‹schedule.list›`"));
  }

  Result<std::optional<domain::Execution>> LastOf(const std::string& job) {
    auto newest = PATRA_TRY(executions_.Log({.job = job, .executions_max = 1}));
    if (newest.empty()) return std::nullopt;
    return std::move(newest.front());
  }

  static Result<domain::ExecutionStatus> StatusOf(const std::string& text) {
    if (const auto status = domain::FindCode<domain::ExecutionStatus>(text)) return *status;
    const auto codes = domain::LowerCodes<domain::ExecutionStatus>();
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no state of an execution", text), {},
                DidYouMean(text, codes, fmt::format("there are {}", fmt::join(codes, ", "))));
  }

  JobRepository& jobs_;
  ExecutionRepository& executions_;
  KnownDefinitions definitions_;
  DefinitionFiles& files_;
  Clock& clock_;
  SecretMask& mask_;
};

}  // namespace

std::unique_ptr<Schedule> MakeSchedule(const DeskPorts& ports) {
  return std::make_unique<StoreSchedule>(ports);
}

}  // namespace patra::app
