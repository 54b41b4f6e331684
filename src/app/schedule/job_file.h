// Jobs in a file: a list under `jobs:`.
#pragma once

#include <span>
#include <vector>

#include "app/api/schedule.h"
#include "app/port/definition_files.h"
#include "app/schedule/job_arguments.h"

namespace patra::app {

// A job of the file, and where it and its keys stand.
struct WrittenJob {
  JobRequest request;
  domain::DefinitionNode node;

  // Where the field stands that a problem is in.
  Error Placed(const JobProblem& problem) const;
};

struct JobFile {
  std::vector<WrittenJob> jobs{};
  std::vector<Error> problems{};
};
JobFile ReadJobFile(const DefinitionFile& file);

// What is usual is left out.
domain::DefinitionNode JobFileOf(std::span<const domain::Job> jobs);

}  // namespace patra::app
