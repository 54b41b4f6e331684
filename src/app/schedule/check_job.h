// From what somebody says of a job to one that can fire: timetable, source and arguments are looked at before they are stored.
#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "app/api/schedule.h"
#include "app/schedule/job_arguments.h"
#include "domain/spec/definition.h"

namespace patra::app {

inline constexpr std::size_t kJobNameBytesMax = 128;

struct JobScene {
  const std::vector<domain::DefinitionNode>& definitions;
  Instant now;
  domain::JobOrigin origin = domain::JobOrigin::kPerson;
};

// `before` is the job of that name, where there is one. All that is wrong comes at once.
std::expected<domain::Job, std::vector<JobProblem>> CheckJob(
    const JobRequest& request, const std::optional<domain::Job>& before, const JobScene& scene);

// The same but for what firing changes.
bool AreAlike(const domain::Job& a, const domain::Job& b);

// Enabled from now on.
Result<domain::Job> Enabled(domain::Job job, Instant now);
domain::Job Disabled(domain::Job job, std::string reason);

}  // namespace patra::app
