#include "adapter/cli/heal_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/bad_id_command.h"
#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/fuse_command.h"
#include "adapter/cli/heal_command.h"
#include "adapter/cli/quarantine_command.h"
#include "adapter/cli/settings_table.h"
#include "adapter/cli/table.h"
#include "domain/word/source_target.h"

namespace patra::adapter::cli {
namespace {

constexpr const char* kTarget = "SOURCE or SOURCE/ENDPOINT";

// Where one is named.
Result<void> CheckTarget(const std::string& target, app::Desk& desk) {
  if (target.empty()) return {};
  const auto named = domain::TargetOf(target);
  return desk.names().CheckTarget(named.source, named.endpoint.value_or(""));
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
  list->add_option("--limit,--max", listing->entries_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(listing->target, desk);
    return known ? RunQuarantineList(*listing, desk.quarantine(), console)
                 : PrintError(console, known.error());
  });

  struct Look {
    std::string id;
    bool as_json = false;
  };
  auto look = std::make_shared<Look>();
  auto* show = quarantine->add_subcommand("show", "One record: where from, why, and its bytes");
  show->add_option("ID", look->id, "As `patra quarantine list` shows it")->required();
  show->add_flag("--json", look->as_json, "For machines");
  scene.ChooseLook(show, [=](app::Desk& desk, const Console& console) {
    return RunQuarantineShow(look->id, look->as_json, desk.quarantine(), console);
  });
}

CLI::App* AddDecision(CLI::App* quarantine, const Scene& scene, const char* name, const char* about,
                      const std::shared_ptr<QuarantineDecision>& decision) {
  auto& request = decision->request;
  auto* sub = quarantine->add_subcommand(name, about);
  sub->add_option("ID", decision->ids, "As `patra quarantine list` shows them");
  sub->add_flag("--all", request.all, "All that match, newest first");
  AddFilter(sub, decision->target, request.filter);
  sub->add_option("--limit,--max", request.records_max, "--all: at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  sub->add_flag("--json", decision->as_json, "For machines, one object a line");
  scene.ChooseChange(sub, [=, &services = scene.services](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(decision->target, desk);
    if (!known) return PrintError(console, known.error());
    return RunQuarantineDecide(*decision, desk.quarantine(), services.actor(), console);
  });
  return sub;
}

void AddQuarantineDecisions(CLI::App* quarantine, const Scene& scene) {
  using enum app::QuarantineRequest::Kind;
  const auto decision = [](app::QuarantineRequest::Kind kind) {
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

void AddBadIds(CLI::App* quarantine, const Scene& scene) {
  auto listing = std::make_shared<BadIdListing>();
  auto* list = quarantine->add_subcommand(
      "bad-ids", "Ids whose details could not be had, and that nobody asks for, newest first");
  list->add_option("--source", listing->target, kTarget);
  list->add_option("--listed-for", listing->listed_for, "Only those whose reason says this");
  list->add_option("--before", listing->before, "Only those listed before, such as -7d");
  list->add_option("--limit,--max", listing->ids_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=, &clock = scene.clock](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(listing->target, desk);
    return known ? RunBadIds(*listing, desk.quarantine(), clock, console)
                 : PrintError(console, known.error());
  });

  auto release = std::make_shared<IdRelease>();
  auto& request = release->request;
  auto* sub =
      quarantine->add_subcommand("release-id", "Ask again for ids whose details could not be had");
  sub->add_option("SOURCE/ENDPOINT", request.target, "Of which endpoint; --all: SOURCE, too")
      ->required();
  sub->add_option("ID", request.ids, "As the provider names them");
  sub->add_flag("--all", request.all, "All that match, newest first");
  sub->add_option("--listed-for", request.listed_for, "--all: whose reason says this");
  sub->add_option("--before", request.listed_before, "--all: listed before, such as -7d");
  sub->add_option("--limit,--max", request.ids_max, "--all: at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  sub->add_option("--reason", request.reason, "Why, for the audit")->required();
  sub->add_flag("--json", release->as_json, "For machines, one object a line");
  scene.ChooseChange(sub, [=, &services = scene.services](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(release->request.target, desk);
    if (!known) return PrintError(console, known.error());
    return RunReleaseIds(*release, desk.quarantine(), services.actor(), console);
  });
}

void AddQuarantine(CLI::App& app, const Scene& scene) {
  auto* quarantine = app.add_subcommand("quarantine", "See and decide what could not be taken in")
                         ->require_subcommand(1);
  AddQuarantineLooks(quarantine, scene);
  AddQuarantineDecisions(quarantine, scene);
  AddBadIds(quarantine, scene);
  AddExamples(
      *quarantine,
      {{"list",
        {"patra quarantine list --counts", "patra quarantine list --source crossref/works"}},
       {"show", {"patra quarantine show 17"}},
       {"approve",
        {"patra quarantine approve 17 --reason 'an empty title is right'",
         "patra quarantine approve --all --source crossref --rule required --reason 'may be "
         "empty'"}},
       {"reject", {"patra quarantine reject 17 18 --reason 'test records'"}},
       {"retry",
        {"patra quarantine retry 17",
         "patra quarantine retry --all --source crossref --rule required"}},
       {"bad-ids", {"patra quarantine bad-ids --source pubmed/articles --listed-for 404"}},
       {"release-id",
        {"patra quarantine release-id pubmed/articles 123 --reason 'it is back'",
         "patra quarantine release-id pubmed --all --before -7d --reason 'the provider was "
         "down'"}}});
}

void AddFuse(CLI::App& app, const Scene& scene) {
  auto* fuse =
      app.add_subcommand("fuse", "See and reset what has stopped for good")->require_subcommand(1);
  auto listing = std::make_shared<FuseListing>();
  auto* list = fuse->add_subcommand("list", "What has stopped for good, and why");
  list->add_option("--source", listing->target, kTarget);
  list->add_flag("--all", listing->filter.with_reset,
                 "Also those that were reset: by whom, when and why");
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(listing->target, desk);
    return known ? RunFuseList(*listing, desk.holds(), console)
                 : PrintError(console, known.error());
  });
  auto showing = std::make_shared<FuseListing>();
  showing->filter.with_reset = true;
  auto* show = fuse->add_subcommand("show", "Over what it blew, and who let it go on before");
  show->add_option("SOURCE", showing->target, kTarget)->required();
  show->add_flag("--json", showing->as_json, "For machines, one object a line");
  scene.ChooseLook(show, [=](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(showing->target, desk);
    return known ? RunFuseShow(*showing, desk.holds(), console)
                 : PrintError(console, known.error());
  });
  auto resetting = std::make_shared<FuseReset>();
  auto* reset = fuse->add_subcommand("reset", "Let a source go on");
  reset->add_option("SOURCE", resetting->target, kTarget)->required();
  reset->add_option("--reason", resetting->reason, "What was done about it")->required();
  scene.ChooseChange(reset,
                     [=, &services = scene.services](app::Desk& desk, const Console& console) {
                       return RunFuseReset(*resetting, desk.holds(), services.actor(), console);
                     });
  AddExamples(*fuse, {{"list", {"patra fuse list", "patra fuse list --all --source crossref"}},
                      {"show", {"patra fuse show crossref"}},
                      {"reset", {"patra fuse reset crossref --reason 'a new key'"}}});
}

void AddSignal(CLI::App& app, const Scene& scene) {
  auto* family =
      app.add_subcommand("signal", "Ask for records to be fetched again")->require_subcommand(1);
  auto request = std::make_shared<SignalAddition>();
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
  scene.ChooseChange(add, [=](app::Desk& desk, const Console& console) {
    return RunSignalAdd(*request, desk.signals(), console);
  });

  auto command = std::make_shared<SignalListCommand>();
  auto* list = family->add_subcommand("list", "Signals, newest first");
  list->add_option("--status", command->status, "Which")
      ->capture_default_str()
      ->check(CLI::IsMember({"OPEN", "PLANNED", "DONE"}));
  list->add_option("--limit,--max", command->signals_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", command->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunSignalList(*command, desk.signals(), console);
  });
  AddExamples(*family,
              {{"add", {"patra signal add crossref/works 10.1000/182 --note 'a reader doubts it'"}},
               {"list", {"patra signal list --status PLANNED"}}});
}

void AddHeal(CLI::App& app, const Scene& scene) {
  auto* heal =
      app.add_subcommand("heal", "Self-healing: what it saw and did")->require_subcommand(1);
  auto command = std::make_shared<HealCommand>();
  auto* log = heal->add_subcommand("log", "The journal, newest first");
  log->add_option("--source", command->source, "Only this one's");
  log->add_option("--since", command->since, "2026-01-31, -7d")->capture_default_str();
  log->add_option("--limit,--max", command->entries_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  log->add_flag("--json", command->as_json, "For machines, one object a line");
  scene.ChooseLook(log, [=](app::Desk& desk, const Console& console) {
    const auto known = CheckTarget(command->source, desk);
    return known ? RunHealLog(*command, desk.healing(), console)
                 : PrintError(console, known.error());
  });
  auto* run = heal->add_subcommand("run", "One round: look, decide, act");
  run->add_flag("--json", command->as_json, "For machines, one object a line");
  scene.ChooseEngine(
      run, [] { return EngineRequest{.must_exist = true}; },
      [=](app::Operations& engine, const Console& console) {
        return RunHealRound(*command, engine, console);
      });
  auto* policy =
      heal->add_subcommand("policy", "Every threshold, and where it differs from the default");
  AddPolicy(policy, "heal", scene);
  auto* adjustments =
      heal->add_subcommand("adjustments", "What differs from the definitions for a while");
  adjustments->add_flag("--json", command->as_json, "For machines, one object a line");
  scene.ChooseLook(adjustments, [=](app::Desk& desk, const Console& console) {
    return RunHealAdjustments(*command, desk.healing(), console);
  });
  auto taking = std::make_shared<AdjustmentRelease>();
  auto* release = heal->add_subcommand("release", "Take an adjustment back");
  release->add_option("SOURCE/ENDPOINT", taking->adjustment.target, "Of which endpoint")
      ->required();
  release->add_option("KIND", taking->adjustment.kind, "As `patra heal adjustments` shows it")
      ->required()
      ->check(CLI::IsMember({"PAGE_SIZE", "CONCURRENCY", "SAFETY_LAG", "CURSOR_HOLD"},
                            CLI::ignore_case));
  release->add_option("--reason", taking->reason, "Why, for the audit")->required();
  scene.ChooseChange(release,
                     [=, &services = scene.services](app::Desk& desk, const Console& console) {
                       return RunHealRelease(*taking, desk.healing(), services.actor(), console);
                     });
  AddExamples(
      *heal,
      {{"log", {"patra heal log --since -7d"}},
       {"run", {"patra heal run"}},
       {"policy", {"patra heal policy"}},
       {"adjustments", {"patra heal adjustments"}},
       {"release",
        {"patra heal release crossref/works PAGE_SIZE --reason 'the provider is well again'"}}});
}

}  // namespace

void AddPolicy(CLI::App* sub, const std::string& section, const Scene& scene) {
  auto as_json = std::make_shared<bool>(false);
  sub->add_flag("--json", *as_json, "For machines, one object a line");
  scene.Choose(sub,
               [=, globals = scene.globals, &services = scene.services](const Console& console) {
                 const auto report = services.Settings(section, globals->configuration());
                 if (!report) return PrintError(console, report.error());
                 return PrintSettings(*report, section, *as_json, console);
               });
}

void AddHealing(CLI::App& app, const Scene& scene) {
  AddQuarantine(app, scene);
  AddFuse(app, scene);
  AddSignal(app, scene);
  AddHeal(app, scene);
}

}  // namespace patra::adapter::cli
