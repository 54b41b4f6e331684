#include "adapter/cli/run_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/heal_arguments.h"
#include "adapter/cli/preview_command.h"
#include "adapter/cli/run_command.h"

namespace patra::adapter::cli {
namespace {

using domain::Operation;

void AddWorkOptions(CLI::App& sub, app::WorkRequest& work) {
  sub.add_option("--concurrency", work.workers, "How many tasks run at the same time")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  sub.add_option("--lease", work.lease,
                 "How long a task stays with an executor that is not heard of, such as 1s")
      ->capture_default_str();
  sub.add_option("--wait-max", work.wait_max,
                 "How long to wait, in all, for a provider that brings nothing, such as 2m; then "
                 "end with 75. Without it, five minutes without a page are enough; `work` without "
                 "`--drain` waits for ever")
      ->type_name("TIME");
}

void AddWork(CLI::App& app, const Scene& scene) {
  auto command = std::make_shared<WorkCommand>();
  auto* work = app.add_subcommand("work", "Run what is planned, as one of any number of executors");
  work->add_flag(
      "--drain", command->work.drain,
      "End when nothing is left, or with 75 where the provider brings nothing (--wait-max)");
  work->add_option("--max-requests", command->work.requests_max,
                   "Stop after so many requests; those under way are finished")
      ->check(CLI::Range(std::int64_t{1}, kRequestsMost));
  work->add_flag("--json", command->as_json, "For machines");
  AddEngineOptions(*work, command->engine);
  AddWorkOptions(*work, command->work);
  scene.ChooseEngine(
      work,
      [=] {
        auto engine = command->engine;
        // Whoever mistypes the store's name would wait for work that never comes.
        engine.must_exist = true;
        engine.stops_on_signals = true;
        engine.workers = command->work.workers;
        return engine;
      },
      [=, &services = scene.services, &clock = scene.clock](app::Operations& engine,
                                                            const Console& console) {
        return RunWork(*command, engine, services, clock, console);
      });
}

}  // namespace

void AddEngineOptions(CLI::App& sub, EngineRequest& engine) {
  sub.add_flag("--allow-loopback", engine.allow_loopback,
               "Providers may be on this machine, such as patra-sim");
  sub.add_option("--allow-network", engine.networks,
                 "A network that is not public, such as 10.1.0.0/16; may be repeated");
}

void AddRuns(CLI::App& app, const Scene& scene) {
  const auto add = [&](const char* name, const char* about, Operation operation,
                       AddOptions* add_options) {
    auto command = std::make_shared<RunCommand>();
    command->plan.request.source.operation = operation;
    auto* sub = app.add_subcommand(name, about);
    add_options(*sub, command->plan);
    // `patra plan` has no way to a provider, and ids need not be counted.
    if (operation != Operation::kUpdate)
      sub->add_flag("--ask", command->plan.request.options.asks,
                    "--dry-run: send one request, which tells how many records there are")
          ->needs("--dry-run");
    AddEngineOptions(*sub, command->engine);
    AddWorkOptions(*sub, command->work);
    if (operation == Operation::kHarvest) {
      sub->add_option(
             "--base-url", command->base_url,
             "Of a SOURCE that is to be extended, such as oai-pmh: the definition for this "
             "address is made, or found")
          ->type_name("URL");
    }
    scene.ChooseEngine(
        sub,
        [=] {
          auto engine = command->engine;
          engine.looks = command->plan.request.options.dry_run;
          engine.stops_on_signals = true;
          engine.workers = command->work.workers;
          return engine;
        },
        [=, globals = scene.globals, &services = scene.services, &clock = scene.clock](
            app::Operations& engine, const Console& console) {
          auto run = *command;
          if (!run.base_url.empty()) {
            const auto settled = globals->Settle(services);
            if (!settled) return PrintError(console, settled.error());
            const auto found =
                FindByAddress(run, *services.OpenLibrary(settled->sources_folder), console);
            if (!found) return PrintError(console, found.error());
          }
          return RunAtOnce(run, engine, services, clock, console);
        });
  };
  add("harvest", kAboutHarvest, Operation::kHarvest, AddHarvestOptions);
  add("backfill", kAboutBackfill, Operation::kBackfill, AddBackfillOptions);
  add("update", kAboutUpdate, Operation::kUpdate, AddUpdateOptions);

  AddWork(app, scene);
  AddExamples(
      app,
      {{"harvest",
        {"patra harvest crossref/works --to 2026-01-01 --dry-run",
         "patra harvest pubmed --max-requests 500",
         "patra harvest oai-pmh --base-url https://repository.example.org/oai"}},
       {"backfill",
        {"patra backfill crossref/works --from 2025-01-01 --to 2025-02-01",
         "patra backfill crossref/works --gaps"}},
       {"update",
        {"patra update crossref/works --stale 30d", "patra update crossref/works --ids ids.txt"}},
       {"work", {"patra work --drain", "patra work --concurrency 8"}}});
}

void AddPreview(CLI::App& source, const Scene& scene) {
  auto command = std::make_shared<PreviewCommand>();
  auto* sub = source.add_subcommand(
      "preview", "Real requests through the gate: what they bring, mapped, and nothing stored");
  auto& request = command->plan.request;
  sub->add_option("SOURCE", request.source.target, "SOURCE or SOURCE/ENDPOINT")->required();
  sub->add_option("--from", request.from, "2026-01-31, -7d; default: a slice before --to")
      ->type_name("T");
  sub->add_option("--to", request.to, "Default: now less the safety lag")->type_name("T");
  sub->add_option("--query", request.source.query, "In the provider's own syntax");
  sub->add_option("--page-size", request.source.page_size, "At most so many records a page")
      ->check(CLI::Range(1, kPageSizeMost));
  sub->add_option("--rate", request.source.rate, "At most so fast, such as 1/s");
  sub->add_option("--set", request.source.overrides, "PATH=VALUE, such as http.base_url=https://…")
      ->type_name("PATH=VALUE");
  sub->add_option("--records", command->wish.records_max, "How many records of a page to show")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000));
  sub->add_option("--pages", command->wish.pages_max, "How many pages to walk at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  sub->add_option(
         "--wait-max", command->wish.wait_max,
         "How long to wait for a provider in trouble, such as 2m; then end with 75. Without "
         "it, some seconds")
      ->type_name("TIME");
  sub->add_flag("--save-exchange", command->wish.saves,
                "Add what came to the exchanges that `patra source test` compares");
  sub->add_flag("--json", command->as_json, "For machines, one object a page");
  AddEngineOptions(*sub, command->engine);
  scene.ChooseEngine(
      sub,
      [=] {
        auto engine = command->engine;
        engine.makes_none = true;
        engine.stops_on_signals = true;
        return engine;
      },
      [=](app::Operations& engine, const Console& console) {
        return RunPreview(*command, engine, console);
      });
  AddExamples(source, {{"preview",
                        {"patra source preview crossref/works --from -1d --records 1",
                         "patra source preview crossref/works --pages 3 --save-exchange"}}});
}

}  // namespace patra::adapter::cli
