#include "adapter/cli/run_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/heal_arguments.h"
#include "adapter/cli/run_command.h"

namespace patra::adapter::cli {
namespace {

using domain::Operation;

void AddWorkOptions(CLI::App& sub, int& workers, EngineRequest& engine) {
  sub.add_option("--concurrency", workers, "How many tasks run at the same time")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  sub.add_option("--lease", engine.lease,
                 "How long a task stays with an executor that is not heard of, such as 1s")
      ->capture_default_str();
}

}  // namespace

void AddEngineOptions(CLI::App& sub, EngineRequest& engine) {
  sub.add_flag("--allow-loopback", engine.allow_loopback,
               "Providers may be on this machine, such as patra-sim");
  sub.add_option("--allow-network", engine.networks,
                 "A network that is not public, such as 10.1.0.0/16; may be repeated");
  AddConfiguration(sub, engine.configuration);
  sub.add_option("--log-level", engine.log_level, "What is logged on standard error, as JSON lines")
      ->envname("PATRA_LOG_LEVEL")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
}

void AddRuns(CLI::App& app, Services& services, const Clock& clock,
             const std::shared_ptr<std::string>& database, Chosen& chosen) {
  const auto add = [&](const char* name, const char* about, Operation operation,
                       AddOptions* add_options) {
    auto command = std::make_shared<RunCommand>();
    command->plan.request.source.operation = operation;
    command->request.plan.source.operation = operation;
    auto* sub = app.add_subcommand(name, about);
    add_options(*sub, command->plan);
    AddEngineOptions(*sub, command->request.engine);
    AddWorkOptions(*sub, command->request.workers, command->request.engine);
    sub->callback([=, &services, &clock, &chosen] {
      command->request.engine.database = *database;
      chosen = [=, &services, &clock](const Console& console) {
        return RunAtOnce(*command, services.runs(), services.plans(), clock, console);
      };
    });
  };
  add("harvest", kAboutHarvest, Operation::kHarvest, AddHarvestOptions);
  add("backfill", kAboutBackfill, Operation::kBackfill, AddBackfillOptions);
  add("update", kAboutUpdate, Operation::kUpdate, AddUpdateOptions);

  auto command = std::make_shared<WorkCommand>();
  auto* work = app.add_subcommand("work", "Run what is planned, as one of any number of executors");
  work->add_flag("--drain", command->request.drain, "End when nothing is left");
  work->add_option("--max-requests", command->request.requests_max, "End after so many requests")
      ->check(CLI::Range(std::int64_t{1}, kRequestsMost));
  work->add_flag("--json", command->as_json, "For machines");
  AddEngineOptions(*work, command->request.engine);
  AddWorkOptions(*work, command->request.workers, command->request.engine);
  work->callback([=, &services, &clock, &chosen] {
    command->request.engine.database = *database;
    chosen = [=, &services, &clock](const Console& console) {
      return RunWork(*command, services.runs(), clock, console);
    };
  });
}

void AddPreview(CLI::App& source, Services& services, const std::shared_ptr<std::string>& database,
                Chosen& chosen) {
  auto command = std::make_shared<PreviewCommand>();
  auto* sub = source.add_subcommand(
      "preview", "One real request through the gate: what it brings, mapped, and nothing stored");
  AddHarvestOptions(*sub, command->plan);
  AddEngineOptions(*sub, command->request.engine);
  sub->add_option("--records", command->request.records_max, "How many records to show")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000));
  sub->callback([=, &services, &chosen] {
    command->request.engine.database = *database;
    chosen = [=, &services](const Console& console) {
      return RunPreview(*command, services.runs(), console);
    };
  });
}

}  // namespace patra::adapter::cli
