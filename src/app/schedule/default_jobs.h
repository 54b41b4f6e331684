// A daily harvest of everything that there is a definition of, so that a new store works by itself.
#pragma once

#include <string>
#include <vector>

#include "app/port/job_repository.h"
#include "base/clock.h"

namespace patra::app {

// What is harvested by default.
struct DefaultTarget {
  std::string source;
  std::optional<std::string> endpoint{};  // where its source has several
  domain::Operation operation = domain::Operation::kHarvest;
  std::string
      missing{};  // a credential or a contact that it cannot do without, for people; empty: none
};

struct DefaultsReport {
  std::vector<std::string> created{};
  std::vector<std::string> enabled{};
  std::vector<std::string> disabled{};
};

class DefaultJobs {
 public:
  DefaultJobs(JobRepository& jobs, const Clock& clock) : jobs_(jobs), clock_(clock) {}

  // Makes those that there are none of, and enables and disables them as what they need comes and goes, unless a person decided
  // otherwise. What a person removed stays away; what a person changed stays changed.
  Result<DefaultsReport> Ensure(const std::vector<DefaultTarget>& targets);

 private:
  Result<void> TryEnsure(const std::vector<DefaultTarget>& targets, DefaultsReport& report);

  JobRepository& jobs_;
  const Clock& clock_;
};

}  // namespace patra::app
