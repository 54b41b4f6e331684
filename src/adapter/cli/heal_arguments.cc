#include "adapter/cli/heal_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/heal_command.h"
#include "adapter/cli/quarantine_command.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

constexpr const char* kTarget = "SOURCE or SOURCE/ENDPOINT";

// What every command here needs.
struct Scene {
  HealServices& services;
  std::shared_ptr<std::string> database;
  Chosen& chosen;
};

// Runs `run(command, services, console)` once the whole line is understood, with the database filled in.
template <typename Command, typename Run>
void Choose(CLI::App* sub, const Scene& scene, std::shared_ptr<Command> command,
            std::string Command::* database, Run run) {
  sub->callback([=, given = scene.database, &services = scene.services, &chosen = scene.chosen] {
    (*command).*database = *given;
    chosen = [=, &services](const Console& console) { return run(*command, services, console); };
  });
}

void AddFilter(CLI::App* sub, std::string& target, domain::QuarantineFilter& filter) {
  sub->add_option("--source", target, kTarget);
  sub->add_option("--rule", filter.rule, "The rule that was broken, such as required");
  sub->add_option("--path", filter.path, "The path that it was broken at");
}

void AddQuarantineLooks(CLI::App* quarantine, const Scene& scene) {
  auto listing = std::make_shared<QuarantineListing>();
  auto* list = quarantine->add_subcommand("list", "What is quarantined, newest first");
  AddFilter(list, listing->target, listing->filter);
  list->add_option("--record", listing->filter.item_id, "Only this record's");
  list->add_option("--status", listing->status, "OPEN, APPROVED, REJECTED or RETRIED")
      ->capture_default_str();
  list->add_flag("--counts", listing->counts, "How many of each rule and path instead");
  list->add_option("--max", listing->entries_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  Choose(list, scene, listing, &QuarantineListing::database, RunQuarantineList);

  struct Look {
    std::string database;
    std::string id;
    bool as_json = false;
  };
  auto look = std::make_shared<Look>();
  auto* show = quarantine->add_subcommand("show", "One record: where from, why, and its bytes");
  show->add_option("ID", look->id, "As `patra quarantine list` shows it")->required();
  show->add_flag("--json", look->as_json, "For machines");
  Choose(show, scene, look, &Look::database,
         [](const Look& asked, HealServices& services, const Console& console) {
           return RunQuarantineShow(asked.database, asked.id, asked.as_json, services, console);
         });
}

CLI::App* AddDecision(CLI::App* quarantine, const Scene& scene, const char* name, const char* about,
                      const std::shared_ptr<QuarantineDecision>& decision) {
  auto& request = decision->request;
  auto* sub = quarantine->add_subcommand(name, about);
  sub->add_option("ID", decision->ids, "As `patra quarantine list` shows them");
  sub->add_flag("--all", request.all, "All that match, newest first");
  AddFilter(sub, decision->target, request.filter);
  sub->add_option("--max", request.records_max, "--all: at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  AddSources(*sub, request.sources_folder);
  sub->add_flag("--json", decision->as_json, "For machines, one object a line");
  sub->callback([=, database = scene.database, &services = scene.services, &chosen = scene.chosen] {
    decision->request.database = *database;
    chosen = [=, &services](const Console& console) {
      return RunQuarantineDecide(*decision, services, console);
    };
  });
  return sub;
}

void AddQuarantineDecisions(CLI::App* quarantine, const Scene& scene) {
  using enum QuarantineRequest::Kind;
  const auto decision = [](QuarantineRequest::Kind kind) {
    auto made = std::make_shared<QuarantineDecision>();
    made->request.kind = kind;
    return made;
  };
  const auto approval = decision(kApprove);
  auto* approve = AddDecision(quarantine, scene, "approve",
                              "Take records in, with what can be mapped of them", approval);
  approve->add_option("--reason", approval->request.reason, "For those who wonder later")
      ->required();
  approve->add_option("--id", approval->request.item_id, "The record's id, where it has none");
  approve
      ->add_option("--fields", approval->fields_file,
                   "A JSON object instead of what can be mapped; - is standard input")
      ->type_name("FILE");

  const auto rejection = decision(kReject);
  AddDecision(quarantine, scene, "reject", "Keep records out for good", rejection)
      ->add_option("--reason", rejection->request.reason, "For those who wonder later")
      ->required();

  const auto again = decision(kRetry);
  again->request.reason = "tried again";
  AddDecision(quarantine, scene, "retry",
              "Map records with the present definition, or have them fetched again", again)
      ->add_option("--reason", again->request.reason, "For those who wonder later")
      ->capture_default_str();
}

void AddQuarantine(CLI::App& app, const Scene& scene) {
  auto* quarantine = app.add_subcommand("quarantine", "See and decide what could not be taken in")
                         ->require_subcommand(1);
  AddQuarantineLooks(quarantine, scene);
  AddQuarantineDecisions(quarantine, scene);
  auto release = std::make_shared<TargetRequest>();
  auto* sub = quarantine->add_subcommand("release-id",
                                         "Ask again for an id whose details could not be had");
  sub->add_option("SOURCE/ENDPOINT", release->target, "Of which endpoint")->required();
  sub->add_option("ID", release->item_id, "As the provider names it")->required();
  sub->add_option("--reason", release->reason, "Why, for the audit")->required();
  Choose(sub, scene, release, &TargetRequest::database, RunReleaseId);
}

void AddFuse(CLI::App& app, const Scene& scene) {
  auto* fuse =
      app.add_subcommand("fuse", "See and reset what has stopped for good")->require_subcommand(1);
  struct Look {
    std::string database;
    bool as_json = false;
  };
  auto look = std::make_shared<Look>();
  auto* list = fuse->add_subcommand("list", "Sources that wait for a person, and why");
  list->add_flag("--json", look->as_json, "For machines, one object a line");
  Choose(list, scene, look, &Look::database,
         [](const Look& asked, HealServices& services, const Console& console) {
           return RunFuseList(asked.database, asked.as_json, services, console);
         });
  auto target = std::make_shared<TargetRequest>();
  auto* reset = fuse->add_subcommand("reset", "Let a source go on");
  reset->add_option("SOURCE", target->target, kTarget)->required();
  reset->add_option("--reason", target->reason, "What was done about it")->required();
  Choose(reset, scene, target, &TargetRequest::database, RunFuseReset);
}

void AddSignal(CLI::App& app, const Scene& scene) {
  auto* family =
      app.add_subcommand("signal", "Ask for records to be fetched again")->require_subcommand(1);
  auto request = std::make_shared<SignalRequest>();
  auto& signal = request->signal;
  signal.type = "EXTERNAL";
  signal.origin = "command line";
  auto* add = family->add_subcommand("add", "One record, for `patra update --signals`");
  add->add_option("SOURCE/ENDPOINT", request->target, "Of which endpoint")->required();
  add->add_option("ID", signal.item_id, "As the provider names it")->required();
  add->add_option("--type", signal.type, "What happened")
      ->capture_default_str()
      ->check(CLI::IsMember({"EXTERNAL", "RETRACTION", "MERGE", "MISSING_FIELD", "QUARANTINE"}));
  add->add_option("--origin", signal.origin, "Who says so")->capture_default_str();
  add->add_option("--note", signal.note, "For those who wonder later");
  AddSources(*add, request->sources_folder);
  Choose(add, scene, request, &SignalRequest::database, RunSignalAdd);

  auto command = std::make_shared<SignalListCommand>();
  auto* list = family->add_subcommand("list", "Signals, newest first");
  list->add_option("--status", command->status, "Which")
      ->capture_default_str()
      ->check(CLI::IsMember({"OPEN", "PLANNED", "DONE"}));
  list->add_option("--max", command->signals_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", command->as_json, "For machines, one object a line");
  Choose(list, scene, command, &SignalListCommand::database, RunSignalList);
}

void AddHeal(CLI::App& app, const Scene& scene) {
  auto* heal =
      app.add_subcommand("heal", "Self-healing: what it saw and did")->require_subcommand(1);
  auto command = std::make_shared<HealCommand>();
  auto* log = heal->add_subcommand("log", "The journal, newest first");
  log->add_option("--source", command->source, "Only this one's");
  log->add_option("--since", command->since, "2026-01-31, -7d")->capture_default_str();
  log->add_option("--max", command->entries_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  log->add_flag("--json", command->as_json, "For machines, one object a line");
  Choose(log, scene, command, &HealCommand::database, RunHealLog);
  auto* run = heal->add_subcommand("run", "One round: look, decide, act");
  run->add_flag("--json", command->as_json, "For machines, one object a line");
  AddConfiguration(*run, command->configuration);
  Choose(run, scene, command, &HealCommand::database, RunHealRound);
  auto* policy =
      heal->add_subcommand("policy", "Every threshold, and where it differs from the default");
  policy->add_flag("--json", command->as_json, "For machines, one object a line");
  AddConfiguration(*policy, command->configuration);
  Choose(policy, scene, command, &HealCommand::database, RunHealPolicy);
  auto* adjustments =
      heal->add_subcommand("adjustments", "What differs from the definitions for a while");
  adjustments->add_flag("--json", command->as_json, "For machines, one object a line");
  Choose(adjustments, scene, command, &HealCommand::database, RunHealAdjustments);
  auto target = std::make_shared<TargetRequest>();
  auto* release = heal->add_subcommand("release", "Take an adjustment back");
  release->add_option("SOURCE/ENDPOINT", target->target, "Of which endpoint")->required();
  release->add_option("KIND", target->adjustment, "As `patra heal adjustments` shows it")
      ->required()
      ->check(CLI::IsMember({"PAGE_SIZE", "CONCURRENCY", "SAFETY_LAG", "CURSOR_HOLD"},
                            CLI::ignore_case));
  release->add_option("--reason", target->reason, "Why, for the audit")->required();
  Choose(release, scene, target, &TargetRequest::database, RunHealRelease);
}

}  // namespace

void AddSources(CLI::App& sub, std::string& folder, const std::string& about) {
  sub.add_option("--sources", folder, about)
      ->envname("PATRA_SOURCES")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
}

void AddConfiguration(CLI::App& sub, std::string& configuration) {
  sub.add_option("--config", configuration, "The configuration; patra.yaml here, if it exists")
      ->envname("PATRA_CONFIG");
}

void AddHealing(CLI::App& app, HealServices& services, const std::shared_ptr<std::string>& database,
                Chosen& chosen) {
  const Scene scene{services, database, chosen};
  AddQuarantine(app, scene);
  AddFuse(app, scene);
  AddSignal(app, scene);
  AddHeal(app, scene);
}

}  // namespace patra::adapter::cli
