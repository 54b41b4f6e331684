#include "adapter/cli/plan_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/heal_arguments.h"
#include "adapter/cli/plan_command.h"

namespace patra::adapter::cli {
namespace {

using domain::Operation;

}  // namespace

void AddPlanOptions(CLI::App& sub, PlanCommand& command) {
  auto& request = command.request;
  sub.add_option("SOURCE", request.source.target, "SOURCE or SOURCE/ENDPOINT")->required();
  sub.add_flag("--dry-run", request.options.dry_run,
               "Show slices and price, and write nothing at all");
  sub.add_flag("--again", request.options.again, "A new plan, also where the same one exists");
  sub.add_option("--at-once", request.options.tasks_at_once,
                 "How many of the plan's tasks run at a time, whoever works")
      ->check(CLI::Range(1, 1000));
  sub.add_option("--priority", request.options.priority, "1 to 9; smaller is more urgent")
      ->check(CLI::Range(1, 9));
  sub.add_option("--max-requests", request.options.requests_max,
                 "Plan no more than so many requests; the rest waits for the next trigger")
      ->check(CLI::Range(std::int64_t{1}, kRequestsMost));
  sub.add_option("--rate", request.source.rate, "At most so fast, such as 1/s");
  sub.add_option("--page-size", request.source.page_size, "At most so many records a page")
      ->check(CLI::Range(1, kPageSizeMost));
  sub.add_option("--spread", request.spread, "Spread the starts of tasks over so long, such as 1h");
  sub.add_option("--set", request.source.overrides,
                 "PATH=VALUE or SOURCE.PATH=VALUE, such as http.base_url=https://…")
      ->type_name("PATH=VALUE");
  sub.add_flag("--json", command.as_json, "For machines");
}

namespace {

void AddQuery(CLI::App& sub, PlanCommand& command) {
  sub.add_option("--query", command.request.source.query, "In the provider's own syntax");
}

void AddWindow(CLI::App& sub, PlanCommand& command, const char* from, const char* to) {
  sub.add_option("--from", command.request.from, from)->type_name("T");
  sub.add_option("--to", command.request.to, to)->type_name("T");
}

}  // namespace

void AddHarvestOptions(CLI::App& sub, PlanCommand& command) {
  AddPlanOptions(sub, command);
  AddQuery(sub, command);
  AddWindow(sub, command, "Instead of the watermark: 2026-01-31, -7d",
            "Instead of now less the safety lag");
}

void AddBackfillOptions(CLI::App& sub, PlanCommand& command) {
  AddPlanOptions(sub, command);
  AddQuery(sub, command);
  AddWindow(sub, command, "2026-01-31, -7d; of --gaps: the source's start",
            "Excluded; of --gaps: the watermark");
  sub.add_flag("--gaps", command.request.gaps, "Only what the ledger does not prove complete");
  sub.add_flag("--auto", command.request.further,
               "One step further into the past than what is proven");
  sub.add_option("--until", command.request.until,
                 "--auto: where the past ends; default: the source's start");
  sub.add_option("--step", command.request.step, "--auto: how far; default: 30d");
}

void AddUpdateOptions(CLI::App& sub, PlanCommand& command) {
  AddPlanOptions(sub, command);
  sub.add_option("--ids", command.ids_file, "A file with one id a line; - is standard input")
      ->type_name("FILE");
  sub.add_option("--stale", command.request.stale,
                 "Those that nobody has looked at for so long, such as 30d; without it, for as "
                 "long as the definition's `freshness` says")
      ->expected(0, 1)
      ->type_name("AGE");
  sub.add_option("--parts", command.request.parts,
                 "--stale: one of so many equal parts a day, another one each day")
      ->check(CLI::Range(1, 1'000));
  sub.add_flag("--expr-changed", command.request.expr_changed,
               "Those that an older definition made");
  sub.add_flag("--signals", command.request.signals, "Those that `patra signal` asked for");
}

namespace {

void AddPlanning(CLI::App* plan, const char* name, const char* about, Operation operation,
                 AddOptions* add_options, const Scene& scene) {
  auto command = std::make_shared<PlanCommand>();
  command->request.source.operation = operation;
  auto* sub = plan->add_subcommand(name, about);
  add_options(*sub, *command);
  scene.ChooseEngine(
      sub, [=] { return EngineRequest{.looks = command->request.options.dry_run}; },
      [=](app::Operations& engine, const Console& console) {
        return RunPlan(*command, engine, console);
      });
}

void AddCancel(CLI::App* family, app::CancelRequest::Kind kind, const char* about,
               const Scene& scene) {
  auto request = std::make_shared<app::CancelRequest>();
  request->kind = kind;
  auto* sub = family->add_subcommand("cancel", about);
  sub->add_option("ID", request->id, "As lists show it")->required();
  sub->add_option("--reason", request->reason, "For those who wonder later")->required();
  scene.ChooseChange(sub, [=, &services = scene.services](app::Desk& desk, const Console& console) {
    return RunCancel(*request, desk.corrections(), services.actor(), console);
  });
}

}  // namespace

void AddPlan(CLI::App& app, const Scene& scene) {
  auto* plan = FamilyOf(app, "plan", "Plan work, look at plans and withdraw them");
  AddPlanning(plan, "harvest", kAboutHarvest, Operation::kHarvest, AddHarvestOptions, scene);
  AddPlanning(plan, "backfill", kAboutBackfill, Operation::kBackfill, AddBackfillOptions, scene);
  AddPlanning(plan, "update", kAboutUpdate, Operation::kUpdate, AddUpdateOptions, scene);
  AddPolicy(plan->add_subcommand("policy", "How much is planned ahead, and what is the default"),
            "plan", scene);

  using enum app::CancelRequest::Kind;
  AddCancel(plan, kPlan, "Withdraw a plan and all of its tasks that are not finished", scene);
  AddCancel(FamilyOf(app, "slice", "Look at slices and withdraw them"), kSlice,
            "Withdraw a slice that is not finished", scene);
  AddCancel(FamilyOf(app, "task", "Look at tasks and withdraw them"), kTask,
            "Withdraw a task that is not finished", scene);
  AddExamples(*plan,
              {{"harvest", {"patra plan harvest crossref/works --priority 2"}},
               {"backfill", {"patra plan backfill crossref/works --auto --until 2020-01-01"}},
               {"update", {"patra plan update crossref/works --signals"}},
               {"policy", {"patra plan policy"}},
               {"cancel", {"patra plan cancel 17 --reason 'wrong query'"}}});
  AddExamples(app, {{"slice cancel", {"patra slice cancel 17 --reason 'not needed'"}}});
  AddExamples(app, {{"task cancel", {"patra task cancel 17 --reason 'not needed'"}}});
}

}  // namespace patra::adapter::cli
