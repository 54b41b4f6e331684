// patra schedule list | show | set | enable | disable | remove | trigger | log | next | apply | export
#pragma once

#include "adapter/cli/console.h"
#include "app/api/schedule.h"

namespace patra::adapter::cli {

struct JobListing {
  std::string source{};
  int jobs_max = 1'000;
  bool as_json = false;
};
int RunScheduleList(const JobListing& listing, app::Schedule& schedule, const Console& console);

int RunScheduleShow(const std::string& job, bool as_json, app::Schedule& schedule,
                    const Console& console);

int RunScheduleSet(const app::JobRequest& request, app::Schedule& schedule,
                   const domain::Actor& actor, const Console& console);

// Of enable, disable, remove and trigger.
struct JobDecision {
  std::string job{};
  std::string reason{};
  bool as_json = false;
};
int RunScheduleEnable(const JobDecision& decision, app::Schedule& schedule,
                      const domain::Actor& actor, const Console& console);
int RunScheduleDisable(const JobDecision& decision, app::Schedule& schedule,
                       const domain::Actor& actor, const Console& console);
int RunScheduleRemove(const JobDecision& decision, app::Schedule& schedule,
                      const domain::Actor& actor, const Console& console);
int RunScheduleTrigger(const JobDecision& decision, app::Schedule& schedule,
                       const domain::Actor& actor, const Console& console);

struct ExecutionsCommand {
  app::ExecutionListing listing{};
  bool as_json = false;
};
int RunScheduleLog(const ExecutionsCommand& command, app::Schedule& schedule,
                   const Console& console);

struct OccurrencesCommand {
  std::string job{};
  int count = 5;
  bool as_json = false;
};
int RunScheduleNext(const OccurrencesCommand& command, app::Schedule& schedule,
                    const Console& console);

int RunScheduleApply(const std::string& file, app::Schedule& schedule, const domain::Actor& actor,
                     const Console& console);
int RunScheduleExport(app::Schedule& schedule, const Console& console);

}  // namespace patra::adapter::cli
