#include "app/schedule/check_job.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/source/resolve_source.h"
#include "base/canonical_json.h"
#include "base/close_match.h"
#include "base/duration.h"
#include "domain/schedule/timetable.h"

namespace patra::app {
namespace {

using domain::Job;

constexpr std::size_t kArgumentBytesMax = 16'000;
constexpr std::size_t kQueryBytesMax = 16'000;

Error Wrong(std::string message, std::string hint) {
  return {ErrorCode::kInvalidInput, std::move(message), {}, std::move(hint)};
}

bool IsJobName(const std::string& name) {
  const auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= kJobNameBytesMax && std::ranges::all_of(name, fits);
}

class JobChecking {
 public:
  JobChecking(const JobRequest& request, const std::optional<Job>& before, const JobScene& scene)
      : request_(request), scene_(scene), is_new_(!before || before->removed_at) {
    if (before) job_ = *before;
    if (before && before->removed_at) job_ = Job{.version = before->version};
  }

  std::expected<Job, std::vector<JobProblem>> Run() {
    job_.id = request_.id;
    if (!IsJobName(request_.id))
      Complain("job", Wrong(fmt::format("'{}' is no name of a job", request_.id),
                            fmt::format("letters, digits, '.', '-' and '_', at most {}",
                                        kJobNameBytesMax)));
    TakeTarget();
    TakeWords();
    TakeLengths();
    const bool asks = TakeArguments();
    TakeTimetable();
    CheckAgainstDefinition(asks);
    if (!problems_.empty()) return std::unexpected(std::move(problems_));
    job_.origin = scene_.origin;
    job_.removed_at.reset();
    return std::move(job_);
  }

 private:
  void Complain(std::string field, Error error) {
    problems_.push_back({std::move(field), std::move(error)});
  }

  void TakeTarget() {
    if (!request_.target) {
      if (is_new_) Complain("source", Wrong("a job needs a source", "SOURCE or SOURCE/ENDPOINT"));
      return;
    }
    const auto target = domain::TargetOf(*request_.target);
    job_.provenance = target.source;
    job_.endpoint = target.endpoint;
  }

  void TakeWords() {
    if (request_.operation) {
      auto code = domain::LowerCode(*request_.operation);
      std::ranges::transform(code, code.begin(), [](unsigned char c) { return std::toupper(c); });
      if (const auto operation = domain::OperationFromCode(code)) {
        job_.operation = *operation;
      } else {
        static const std::vector<std::string> kOperations{"harvest", "update", "backfill"};
        Complain("operation",
                 Wrong(fmt::format("'{}' is no operation", *request_.operation),
                       DidYouMean(*request_.operation, kOperations,
                                  fmt::format("there are {}", fmt::join(kOperations, ", ")))));
      }
    }
    if (request_.misfire) {
      if (const auto misfire = domain::FindCode<domain::Misfire>(*request_.misfire)) {
        job_.misfire = *misfire;
      } else {
        Complain("misfire", Wrong(fmt::format("'{}' is nothing that can become of missed firings",
                                              *request_.misfire),
                                  "once: one firing for all of them; skip: none"));
      }
    }
    if (request_.query) {
      job_.query = request_.query->empty() ? std::nullopt : request_.query;
      if (request_.query->size() > kQueryBytesMax)
        Complain("query",
                 Wrong("the query is too long", fmt::format("at most {} bytes", kQueryBytesMax)));
    }
  }

  void TakeLengths() {
    if (!request_.jitter) return;
    const auto jitter = ParseDuration(*request_.jitter);
    if (!jitter) {
      Complain("jitter", jitter.error());
    } else if (*jitter < Duration::zero() || *jitter > domain::kJitterMost) {
      Complain("jitter", Wrong(fmt::format("starts cannot be spread over {}", *request_.jitter),
                               fmt::format("0s to {}", FormatDuration(domain::kJitterMost))));
    } else {
      job_.jitter = *jitter;
    }
  }

  // Whether what is asked for can be understood.
  bool TakeArguments() {
    // What may be wished depends on it.
    if (std::ranges::find(problems_, "operation", &JobProblem::field) != problems_.end())
      return false;
    const auto known = problems_.size();
    if (request_.arguments) {
      if (request_.arguments->size() > kArgumentBytesMax) {
        Complain("arguments", Wrong("the arguments are too long",
                                    fmt::format("at most {} bytes", kArgumentBytesMax)));
        return false;
      }
      const auto arguments = ParseJson(*request_.arguments);
      if (!arguments) {
        Complain("arguments", Error(arguments.error()).While("the arguments are JSON"));
        return false;
      }
      job_.params = CanonicalJson(*arguments);
    }
    wishes_.source = {.target = job_.Target(), .operation = job_.operation, .query = job_.query};
    const auto arguments = ParseJson(job_.params);
    if (!arguments) {
      Complain("arguments", arguments.error());
      return false;
    }
    for (auto& problem : ReadArguments(*arguments, wishes_))
      problems_.push_back(std::move(problem));
    return problems_.size() == known && !job_.provenance.empty();
  }

  void TakeTimetable() {
    if (!request_.cron && is_new_) {
      Complain("cron", Wrong("a job needs a timetable", "such as '30 2 * * *' or @daily"));
      return;
    }
    const bool is_moved = is_new_ || (request_.cron && *request_.cron != job_.cron) ||
                          (request_.timezone && *request_.timezone != job_.timezone);
    if (request_.cron) job_.cron = *request_.cron;
    if (request_.timezone) job_.timezone = *request_.timezone;
    const bool is_turned_on = request_.enabled.value_or(false) && !job_.enabled;
    if (request_.enabled) job_.enabled = *request_.enabled;
    job_.decided = job_.decided || is_new_ || request_.enabled.has_value() ||
                   scene_.origin == domain::JobOrigin::kFile;
    if (is_turned_on || (job_.enabled && is_new_)) job_.disabled_reason.clear();
    if (request_.enabled && !*request_.enabled) job_.disabled_reason = request_.reason;
    if (const auto zone = TimeZone::Find(job_.timezone); !zone)
      return Complain("timezone", zone.error());
    const auto timetable = domain::Timetable::Of(job_.cron, job_.timezone);
    if (!timetable) return Complain("cron", timetable.error());
    const auto first = timetable->FirstAfter(scene_.now);
    if (!first)
      return Complain("cron", Wrong(fmt::format("'{}' never comes", job_.cron),
                                    "such as '30 2 * * *' or @daily"));
    if (!job_.enabled) {
      job_.next_fire_at.reset();
    } else if (is_moved || is_turned_on || !job_.next_fire_at) {
      job_.next_fire_at = first;
    }
  }

  // As a planner will find it.
  void CheckAgainstDefinition(bool asks) {
    if (job_.provenance.empty()) return;
    const auto target = domain::TargetOf(job_.Target());
    if (const auto known = CheckTarget(scene_.definitions, target); !known) {
      auto error = known.error();
      error.place = {};
      return Complain("source", std::move(error));
    }
    if (!asks) return;
    const auto resolved = ResolveSource(scene_.definitions, wishes_.source);
    if (resolved) {
      if (const auto retired = WhyRetired(target.source, *resolved)) Complain("source", *retired);
      return;
    }
    for (const auto& error : resolved.error()) Complain("arguments", error);
  }

  const JobRequest& request_;
  const JobScene& scene_;
  const bool is_new_;
  Job job_;
  PlanRequest wishes_;
  std::vector<JobProblem> problems_;
};

}  // namespace

std::expected<Job, std::vector<JobProblem>> CheckJob(const JobRequest& request,
                                                     const std::optional<Job>& before,
                                                     const JobScene& scene) {
  return JobChecking(request, before, scene).Run();
}

bool AreAlike(const Job& a, const Job& b) {
  const auto work = [](const Job& job) {
    return std::tie(job.id, job.provenance, job.endpoint, job.operation, job.cron, job.timezone,
                    job.params, job.query, job.misfire, job.jitter, job.enabled, job.origin,
                    job.decided, job.removed_at);
  };
  return work(a) == work(b);
}

Result<Job> Enabled(Job job, Instant now) {
  const auto timetable = PATRA_TRY(domain::Timetable::Of(job.cron, job.timezone));
  if (!job.enabled || !job.next_fire_at) job.next_fire_at = timetable.FirstAfter(now);
  job.enabled = true;
  job.disabled_reason.clear();
  return job;
}

Job Disabled(Job job, std::string reason) {
  job.enabled = false;
  job.disabled_reason = std::move(reason);
  job.next_fire_at.reset();
  return job;
}

}  // namespace patra::app
