// CLI11, whose headers are slow to compile, is known here, in *_arguments.cc, and where the tree of commands is read.
#include "adapter/cli/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <span>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/alert_arguments.h"
#include "adapter/cli/audit_arguments.h"
#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/command_tree.h"
#include "adapter/cli/completion.h"
#include "adapter/cli/db_arguments.h"
#include "adapter/cli/demo_command.h"
#include "adapter/cli/eval_command.h"
#include "adapter/cli/front_arguments.h"
#include "adapter/cli/gate_command.h"
#include "adapter/cli/global_options.h"
#include "adapter/cli/heal_arguments.h"
#include "adapter/cli/help_page.h"
#include "adapter/cli/ledger_arguments.h"
#include "adapter/cli/live_line.h"
#include "adapter/cli/plain_stream.h"
#include "adapter/cli/plan_arguments.h"
#include "adapter/cli/registry_command.h"
#include "adapter/cli/remap_arguments.h"
#include "adapter/cli/replay_arguments.h"
#include "adapter/cli/run_arguments.h"
#include "adapter/cli/schedule_arguments.h"
#include "adapter/cli/serve_arguments.h"
#include "adapter/cli/source_command.h"
#include "adapter/cli/token_arguments.h"
#include "adapter/cli/usage_error.h"

namespace patra::adapter::cli {
namespace {

void AddEval(CLI::App& app, const Scene& scene) {
  const auto& clock = scene.clock;
  auto* eval = app.add_subcommand("eval", "Try an expression on a document")->require_subcommand(1);

  auto path = std::make_shared<EvalPath>();
  auto* jsonpath = eval->add_subcommand(
      "jsonpath", "Print the JSON array of the values an RFC 9535 path selects");
  jsonpath->add_option("EXPR", path->expression, "The path, such as $.message.items[*].DOI")
      ->required();
  jsonpath->add_option("FILE", path->file, "A JSON document; - is standard input")
      ->capture_default_str();
  jsonpath->add_flag("--paths", path->locations, "Print where each value is instead");
  scene.Choose(jsonpath, [=](const Console& console) { return RunEvalJsonPath(*path, console); });

  auto* xpath = eval->add_subcommand(
      "xpath", "Print the JSON array of the texts an XPath 1.0 expression selects");
  auto prefixes = std::make_shared<std::vector<std::string>>();
  xpath->add_option("EXPR", path->expression, "The path, such as //oai:record/oai:header")
      ->required();
  xpath->add_option("FILE", path->file, "An XML document; - is standard input")
      ->capture_default_str();
  xpath
      ->add_option("--ns", *prefixes,
                   "PREFIX=URI, may be repeated; an empty PREFIX is for names without one")
      ->type_name("PREFIX=URI")
      ->check([](const std::string& text) {
        return text.find('=') == std::string::npos ? "expected PREFIX=URI" : "";
      });
  scene.Choose(xpath, [=](const Console& console) {
    for (const auto& pair : *prefixes) {
      const auto equals = pair.find('=');
      path->namespaces[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    return RunEvalXPath(*path, console);
  });

  auto file = std::make_shared<std::string>("-");
  auto* canonical =
      eval->add_subcommand("canonical", "Write the RFC 8785 canonical form, and nothing else");
  canonical->add_option("FILE", *file, "A JSON document; - is standard input")
      ->capture_default_str();
  scene.Choose(canonical, [=](const Console& console) { return RunEvalCanonical(*file, console); });

  auto text = std::make_shared<EvalTemplate>();
  auto* templates = eval->add_subcommand("template", "Render a template");
  templates
      ->add_option("TEXT", text->text,
                   "The template, such as '${window.from | formatDateTime(\"yyyy/MM/dd\")}'")
      ->required();
  templates->add_option("--context", text->context_file,
                        "A JSON object with what the names stand for");
  templates->add_option("--now", text->now, "What now() gives; default: the present");
  scene.Choose(templates, [=, &clock](const Console& console) {
    return RunEvalTemplate(*text, clock, console);
  });

  auto cron = std::make_shared<EvalCron>();
  auto* crons = eval->add_subcommand("cron", "Print when a schedule fires next");
  crons->add_option("EXPR", cron->expression, "Five or six fields, or @daily and the like")
      ->required();
  crons->add_option("--tz", cron->zone, "IANA time zone")->capture_default_str();
  crons->add_option("--from", cron->from, "Firings strictly after this moment; default: now");
  crons->add_option("--count", cron->count, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  scene.Choose(crons,
               [=, &clock](const Console& console) { return RunEvalCron(*cron, clock, console); });
  AddExamples(*eval,
              {{"jsonpath", {"patra eval jsonpath '$.items[?@.n > 6].id' page.json"}},
               {"xpath", {"patra eval xpath '//oai:header' page.xml --ns oai=urn:oai"}},
               {"canonical", {"patra eval canonical page.json"}},
               {"template", {"patra eval template '${now() | formatDateTime(\"yyyy/MM\")}'"}},
               {"cron", {"patra eval cron '30 2 * * *' --tz Europe/Berlin --count 3"}}});
}

void AddDemo(CLI::App& app, const Scene& scene) {
  auto request = std::make_shared<DemoRequest>();
  auto* demo = app.add_subcommand(
      "demo", "Harvest the built-in simulator end to end, then show what happened");
  demo->add_option("--records", request->records,
                   "How many records the provider has; default: 20000")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{10'000'000}));
  demo->add_option("--seed", request->seed, "The same seed makes the same provider; default: 1");
  scene.Choose(demo, [=, globals = scene.globals, &services = scene.services,
                      &clock = scene.clock](const Console& plain) {
    const auto settled = globals->Settle(services);
    if (!settled) return PrintError(plain, settled.error());
    LiveLine line(plain);
    auto console = plain;
    console.line = &line;
    // What is played with does not go where the harvests of a project go.
    if (globals->names_database()) request->database = settled->database;
    request->log = LogFor(*settled, console);
    return RunDemo(*request, services, clock, console);
  });
  AddExamples(app, {{"demo", {"patra demo", "patra demo --db demo.db --records 5000"}}});
}

void AddPauses(CLI::App* source, const Scene& scene) {
  auto pause = std::make_shared<app::PauseRequest>();
  // A source can be paused before its first harvest.
  const auto choose = [&](CLI::App* sub, auto run) {
    scene.ChooseDesk(
        sub, [] { return StoreRequest{.changes = true, .makes = true}; },
        [=, &services = scene.services](app::Desk& desk, const Console& console) {
          return run(*pause, desk.holds(), services.actor(), console);
        });
  };
  auto* stop =
      source->add_subcommand("pause", "Plan and run nothing of a source until it is resumed")
          ->fallthrough();
  stop->add_option("SOURCE", pause->target, "SOURCE or SOURCE/ENDPOINT")->required();
  stop->add_option("--reason", pause->reason, "For those who wonder later")->required();
  stop->add_option("--until", pause->until, "When it resumes by itself, such as +6h");
  choose(stop, RunSourcePause);
  auto* go = source->add_subcommand("resume", "Let a paused source go on")->fallthrough();
  go->add_option("SOURCE", pause->target, "SOURCE or SOURCE/ENDPOINT")->required();
  go->add_option("--reason", pause->reason, "For those who wonder later");
  choose(go, RunSourceResume);
  AddExamples(*source, {{"pause", {"patra source pause crossref --reason maintenance --until +6h"}},
                        {"resume", {"patra source resume crossref"}}});
}

void AddSourceInit(CLI::App* source, const Scene& scene) {
  auto command = std::make_shared<SourceCommand>();
  auto engine = std::make_shared<EngineRequest>();
  auto* init =
      source->add_subcommand("init", "Write a commented definition to start from")->fallthrough();
  auto* name = init->add_option("SOURCE", command->target,
                                "The name of the new source; with --from-url, after the host");
  init->add_option("FILE", command->file, "Where to write it; default: SOURCE.yaml");
  init->add_option("--from-url", command->url,
                   "Ask this address once, and guess from its answer; guesses are marked")
      ->type_name("URL");
  AddEngineOptions(*init, *engine);
  scene.ChooseGlobals(init, [=, &services = scene.services](const Globals& globals,
                                                            const Console& console) {
    if (command->url.empty() && name->count() == 0) {
      Report(console, {ErrorCode::kInvalidInput, "SOURCE is required", {}, "or --from-url URL"});
      return static_cast<int>(kUsage);
    }
    if (command->url.empty())
      return RunSourceInit(*command, *services.OpenLibrary(globals.sources_folder), console);
    auto request = Filled(*engine, globals, console);
    request.makes_none = true;
    request.stops_on_signals = true;
    const auto opened = services.OpenEngine(request);
    return opened ? RunSourcePropose(*command, **opened, console)
                  : PrintError(console, opened.error());
  });
}

void AddSource(CLI::App& app, const Scene& scene) {
  auto* source = app.add_subcommand("source", "Look at source definitions, check and try them")
                     ->require_subcommand(1);
  auto command = std::make_shared<SourceCommand>();

  using Run = int (*)(const SourceCommand&, app::SourceLibrary&, const Console&);
  const auto add = [&](const char* name, const char* about, Run run) {
    auto* sub = source->add_subcommand(name, about)->fallthrough();
    scene.ChooseGlobals(
        sub, [=, &services = scene.services](const Globals& globals, const Console& console) {
          return run(*command, *services.OpenLibrary(globals.sources_folder), console);
        });
    return sub;
  };
  add("list", "All sources, their endpoints and their state", RunSourceList)
      ->add_flag("--json", command->as_json, "For machines, one object a line");
  auto* show = add("show", "Print a definition, or what it is compiled to", RunSourceShow);
  show->add_option("SOURCE", command->target, "SOURCE or SOURCE/ENDPOINT")->required();
  show->add_flag("--compiled", command->compiled, "The snapshot, and where every value came from");
  show->add_option("--set", command->overrides, "PATH=VALUE, such as http.base_url=https://…")
      ->type_name("PATH=VALUE");
  auto* check =
      add("check", "Say everything that is wrong, without asking the provider", RunSourceCheck);
  check->add_option("SOURCE", command->target, "Only this one");
  check->add_flag("--json", command->as_json, "For machines, one finding a line");
  add("test", "Run a definition against the exchanges saved beside it", RunSourceTest)
      ->add_option("SOURCE", command->target, "Which")
      ->required();
  AddSourceInit(source, scene);
  add("schema", "Print all that a definition can say, as JSON Schema", RunSourceSchema)
      ->add_flag("--markdown", command->as_markdown, "For people, with examples");
  AddPreview(*source, scene);
  AddPauses(source, scene);
  AddExamples(*source,
              {{"list", {"patra source list"}},
               {"show", {"patra source show crossref", "patra source show crossref --compiled"}},
               {"check",
                {"patra source check", "patra source check crossref", "patra source check --json"}},
               {"test", {"patra source test pubmed"}},
               {"schema", {"patra source schema"}},
               {"init",
                {"patra source init myapi",
                 "patra source init --from-url 'https://api.example.org/items?page=1&size=50'"}}});
}

void AddRegistry(CLI::App& app, const Scene& scene) {
  auto* registry = app.add_subcommand("registry", "Move definitions between YAML and the store")
                       ->require_subcommand(1);
  auto command = std::make_shared<RegistryCommand>();
  using Run = int (*)(const RegistryCommand&, app::RegistryMoves&, const Console&);
  const auto add = [&](const char* name, const char* about, bool changes, Run run) {
    auto* sub = registry->add_subcommand(name, about)->fallthrough();
    // A registry can be filled, and compared with, before the first harvest.
    scene.ChooseDesk(
        sub, [=] { return StoreRequest{.changes = changes, .makes = true}; },
        [=](app::Desk& desk, const Console& console) {
          return run(*command, desk.registry_moves(), console);
        });
    return sub;
  };
  add("apply", "Make the definitions valid, all of them or none", true, RunRegistryApply)
      ->add_option("--from", command->moment, "From when on; default: now");
  add("diff", "Show what apply would change, field by field", false, RunRegistryDiff);
  add("promote", "Make everybody's what was applied for a release", true, RunRegistryPromote);
  add("drop", "Take back what was applied for a release", true, RunRegistryDrop);
  auto* give =
      add("export", "Print the valid definitions as YAML, or write them", false, RunRegistryExport);
  give->add_option("FOLDER", command->folder, "Write one file per source here");
  give->add_option("--at", command->moment, "Those of another moment; default: now");
  AddExamples(*registry,
              {{"apply", {"patra registry apply", "patra registry apply --release canary"}},
               {"promote", {"patra registry promote --release canary"}},
               {"drop", {"patra registry drop --release canary"}},
               {"diff", {"patra registry diff"}},
               {"export", {"patra registry export", "patra registry export copies"}}});
}

void AddGate(CLI::App& app, const Scene& scene) {
  auto* gate = app.add_subcommand("gate", "See and reset the rate gate")->require_subcommand(1);
  auto as_json = std::make_shared<bool>(false);
  auto key = std::make_shared<std::string>();

  auto* list = gate->add_subcommand("list", "Every key, its state and its counts");
  list->add_flag("--json", *as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunGateList(*as_json, desk.gate_keys(), console);
  });

  auto* show = gate->add_subcommand("show", "All that is known about one key");
  show->add_option("KEY", *key, "As `patra gate list` names it: crossref, crossref/works")
      ->required();
  show->add_flag("--json", *as_json, "For machines");
  scene.ChooseLook(show, [=](app::Desk& desk, const Console& console) {
    return RunGateShow(*key, *as_json, desk.gate_keys(), console);
  });

  AddPolicy(
      gate->add_subcommand("policy", "How fast at most, how long is waited, what is the default"),
      "gate", scene);

  auto* reset = gate->add_subcommand(
      "reset", "End a key's cool-down, breaker's pause and slow-down; what was used stays used");
  auto resetting = std::make_shared<GateReset>();
  reset->add_option("KEY", resetting->key, "As `patra gate list` names it")->required();
  reset->add_option("--reason", resetting->reason, "Why, for the audit")->required();
  scene.ChooseChange(reset,
                     [=, &services = scene.services](app::Desk& desk, const Console& console) {
                       return RunGateReset(*resetting, desk.gate_keys(), services.actor(), console);
                     });
  AddExamples(*gate, {{"list", {"patra gate list"}},
                      {"show", {"patra gate show crossref"}},
                      {"reset", {"patra gate reset crossref --reason 'they lifted the limit'"}},
                      {"policy", {"patra gate policy"}}});
}

// Where the words on the line lead, or an error that says what is wrong with them.
int TellUsage(const CLI::App& app, std::span<const std::string> words,
              const CLI::ParseError& problem, const Console& console) {
  const auto walk = WalkLine(app, words);
  const bool is_understood = !walk.unknown_command && !walk.unknown_option;
  if (problem.get_exit_code() == 0 && is_understood) {
    const bool wants_version = problem.get_name() == "CallForVersion";
    fmt::print(console.out, "{}",
               wants_version ? "patra " PATRA_VERSION "\n" : HelpOf(*walk.at, console));
    return kComplete;
  }
  // Whoever names a family, or nothing, gets to see what there is.
  if (is_understood && !SubcommandsOf(*walk.at).empty()) {
    fmt::print(console.err, "{}", HelpOf(*walk.at, console));
    return kUsage;
  }
  Report(console, UsageError(app, words, problem.what()));
  return kUsage;
}

int TellCompletions(CLI::App& app, std::span<const std::string> words, Services& services,
                    const GlobalOptions& globals, const Console& console) {
  // Where the definitions are may stand on the line or in the environment; that the line is not finished is no news.
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError&) {  // NOLINT(bugprone-empty-catch)
  }
  const auto targets = [&] {
    std::vector<std::string> names;
    const auto settled = globals.Settle(services);
    const auto sources = services.OpenLibrary(settled ? settled->sources_folder : "")->List();
    if (!sources) return names;
    for (const auto& source : *sources) {
      if (source.is_abstract) continue;
      names.push_back(source.source);
      for (const auto& endpoint : source.endpoints) names.push_back(source.source + "/" + endpoint);
    }
    return names;
  };
  fmt::print(console.out, "{}", Print(Complete(app, words, targets)));
  return kComplete;
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, Services& services, const Clock& clock,
                   Console given) {
  PlainStream out(given.out);
  PlainStream err(given.err);
  auto console = Console{.out = out, .err = err, .in = given.in};
  console.out_is_terminal = given.out_is_terminal;
  console.err_is_terminal = given.err_is_terminal;
  console.quiet = given.quiet;
  console.live = &given.err;
  console.exact = given.out_is_terminal ? nullptr : &given.out;
  console.out_columns = given.out_columns;
  console.err_columns = given.err_columns;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // Also for what is said of a line that is wrong.
  console.color = given.color && std::ranges::find(words, "--no-color") == words.end() &&
                  std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe): no threads

  CLI::App app("patra harvests web APIs into a database and proves that nothing is missing.",
               "patra");
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", "patra " PATRA_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  app.fallthrough();
  bool no_color = false;
  const auto globals = GlobalOptions::AddTo(app, words);
  app.add_flag("--quiet", console.quiet, "Say only what was asked for");
  app.add_flag("--no-color", no_color, "No colours; NO_COLOR in the environment says the same");

  Chosen chosen;
  const Scene scene{.services = services, .clock = clock, .globals = globals, .chosen = chosen};
  for (const auto add : {AddDemo, AddDb, AddSource, AddRegistry, AddGate, AddRuns, AddServe,
                         AddSchedule, AddTokens, AddPlan, AddLedger, AddHealing, AddReplay,
                         AddRemap, AddAlerts, AddAudit, AddEval, AddFront})
    add(app, scene);

  if (!words.empty() && words.front() == kCompletes)
    return TellCompletions(app, std::span(words).subspan(1), services, *globals, console);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return TellUsage(app, words, problem, console);
  }
  return chosen(console);
}

}  // namespace patra::adapter::cli
