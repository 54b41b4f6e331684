#include "adapter/cli/schedule_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/schedule_command.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

constexpr const char* kJob = "As `patra schedule list` shows it";
constexpr const char* kForMachines = "For machines, one object a line";

void AddJobLooks(CLI::App* schedule, const Scene& scene) {
  auto listing = std::make_shared<JobListing>();
  auto* list =
      schedule->add_subcommand("list", "All jobs, when they fire next, and how they fared");
  list->add_option("--source", listing->source, "Only this one's");
  list->add_option("--limit,--max", listing->jobs_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, kForMachines);
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunScheduleList(*listing, desk.schedule(), console);
  });

  struct Look {
    std::string job;
    bool as_json = false;
  };
  auto look = std::make_shared<Look>();
  auto* show = schedule->add_subcommand("show", "One job, and its last execution");
  show->add_option("JOB", look->job, kJob)->required();
  show->add_flag("--json", look->as_json, "For machines");
  scene.ChooseLook(show, [=](app::Desk& desk, const Console& console) {
    return RunScheduleShow(look->job, look->as_json, desk.schedule(), console);
  });

  auto log = std::make_shared<ExecutionsCommand>();
  auto* executions =
      schedule->add_subcommand("log", "What fired and what came of it, newest first");
  executions->add_option("JOB", log->listing.job, "Only this one's");
  executions->add_option("--status", log->listing.status,
                         "PENDING, RUNNING, SUCCESS, FAILED or SKIPPED");
  executions->add_option("--limit,--max", log->listing.executions_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  executions->add_flag("--json", log->as_json, kForMachines);
  scene.ChooseLook(executions, [=](app::Desk& desk, const Console& console) {
    return RunScheduleLog(*log, desk.schedule(), console);
  });

  auto coming = std::make_shared<OccurrencesCommand>();
  auto* next = schedule->add_subcommand("next", "When a job fires next, by its clock and in UTC");
  next->add_option("JOB", coming->job, kJob)->required();
  next->add_option("--count", coming->count, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  next->add_flag("--json", coming->as_json, kForMachines);
  scene.ChooseLook(next, [=](app::Desk& desk, const Console& console) {
    return RunScheduleNext(*coming, desk.schedule(), console);
  });
}

void AddSet(CLI::App* schedule, const Scene& scene) {
  struct Setting {
    app::JobRequest request{.reason = "set by hand"};
    bool on = false;
    bool off = false;
  };
  auto setting = std::make_shared<Setting>();
  auto* request = &setting->request;
  auto* set =
      schedule->add_subcommand("set", "Make a job, or change what is named of one that there is");
  set->add_option("JOB", request->id, "Its name")->required();
  set->add_option("--source", request->target, "SOURCE or SOURCE/ENDPOINT");
  set->add_option("--operation", request->operation, "harvest, update or backfill");
  set->add_option("--cron", request->cron, "When, such as '30 2 * * *' or @daily");
  set->add_option("--tz", request->timezone, "Whose clock it goes by, such as Europe/Berlin");
  set->add_option("--args", request->arguments,
                  "What the command could wish, such as '{\"stale\": \"30d\"}'")
      ->type_name("JSON");
  set->add_option("--query", request->query, "In the provider's own syntax; '' is none");
  set->add_option("--misfire", request->misfire,
                  "Of firings that were missed: once for all of them, or skip");
  set->add_option("--jitter", request->jitter, "Spread starts over so long, such as 10m");
  auto* on = set->add_flag("--enabled", setting->on, "It fires by itself; a new job does");
  set->add_flag("--disabled", setting->off, "It does not")->excludes(on);
  set->add_option("--reason", request->reason, "For those who wonder later")->capture_default_str();
  // Jobs can be set before the first harvest.
  scene.ChooseDesk(
      set, [] { return StoreRequest{.changes = true, .makes = true}; },
      [=, &services = scene.services](app::Desk& desk, const Console& console) {
        auto wish = setting->request;
        if (setting->on || setting->off) wish.enabled = setting->on;
        return RunScheduleSet(wish, desk.schedule(), services.actor(), console);
      });
}

void AddJobDecisions(CLI::App* schedule, const Scene& scene) {
  using Run = int (*)(const JobDecision&, app::Schedule&, const domain::Actor&, const Console&);
  const auto add = [&](const char* name, const char* about, Run run) {
    auto decision = std::make_shared<JobDecision>();
    auto* sub = schedule->add_subcommand(name, about);
    sub->add_option("JOB", decision->job, kJob)->required();
    scene.ChooseChange(sub,
                       [=, &services = scene.services](app::Desk& desk, const Console& console) {
                         return run(*decision, desk.schedule(), services.actor(), console);
                       });
    return std::pair(sub, decision);
  };
  const auto add_with_reason = [&](const char* name, const char* about, Run run) {
    const auto [sub, decision] = add(name, about, run);
    sub->add_option("--reason", decision->reason, "For those who wonder later")->required();
  };
  add_with_reason("enable", "Let a job fire from now on", RunScheduleEnable);
  add_with_reason("disable", "Let a job fire no more until it is enabled", RunScheduleDisable);
  add_with_reason("remove", "Forget a job; what it has fired stays in the log", RunScheduleRemove);
  const auto [trigger, decision] =
      add("trigger", "Fire a job now, whatever its timetable says", RunScheduleTrigger);
  decision->reason = "triggered by hand";
  trigger->add_option("--reason", decision->reason, "For those who wonder later")
      ->capture_default_str();
  trigger->add_flag("--json", decision->as_json, "For machines");
}

void AddScheduleFiles(CLI::App* schedule, const Scene& scene) {
  auto file = std::make_shared<std::string>();
  auto* apply =
      schedule->add_subcommand("apply", "Make and change the jobs of a file, all or none");
  apply->add_option("FILE", *file, "YAML: a list under jobs:, as `patra schedule export` writes it")
      ->required()
      ->type_name("FILE");
  scene.ChooseDesk(
      apply, [] { return StoreRequest{.changes = true, .makes = true}; },
      [=, &services = scene.services](app::Desk& desk, const Console& console) {
        return RunScheduleApply(*file, desk.schedule(), services.actor(), console);
      });
  auto* give = schedule->add_subcommand("export", "Print all jobs as YAML");
  scene.ChooseLook(give, [=](app::Desk& desk, const Console& console) {
    return RunScheduleExport(desk.schedule(), console);
  });
}

}  // namespace

void AddSchedule(CLI::App& app, const Scene& scene) {
  auto* schedule =
      app.add_subcommand("schedule", "Jobs that fire by themselves, and what came of them")
          ->require_subcommand(1);
  AddJobLooks(schedule, scene);
  AddSet(schedule, scene);
  AddJobDecisions(schedule, scene);
  AddScheduleFiles(schedule, scene);
  AddExamples(
      *schedule,
      {{"list", {"patra schedule list", "patra schedule list --source crossref --json"}},
       {"show", {"patra schedule show crossref"}},
       {"set",
        {"patra schedule set nightly --source crossref/works --cron '30 2 * * *' --tz "
         "Europe/Berlin",
         "patra schedule set refresh --source crossref/works --operation update --cron @daily "
         "--args '{\"stale\": \"30d\"}'"}},
       {"enable", {"patra schedule enable crossref --reason 'the key is there'"}},
       {"disable", {"patra schedule disable crossref --reason 'costs too much'"}},
       {"remove", {"patra schedule remove nightly --reason 'crossref has one of its own'"}},
       {"trigger", {"patra schedule trigger crossref"}},
       {"log", {"patra schedule log crossref", "patra schedule log --status failed"}},
       {"next", {"patra schedule next crossref --count 5"}},
       {"apply", {"patra schedule apply jobs.yaml"}},
       {"export", {"patra schedule export"}}});
}

}  // namespace patra::adapter::cli
