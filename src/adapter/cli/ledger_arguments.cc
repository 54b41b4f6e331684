#include "adapter/cli/ledger_arguments.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/heal_arguments.h"
#include "adapter/cli/items_command.h"
#include "adapter/cli/ledger_command.h"
#include "adapter/cli/status_command.h"
#include "adapter/cli/table.h"
#include "adapter/cli/verify_command.h"
#include "domain/word/source_target.h"

namespace patra::adapter::cli {
namespace {

// Codes are upper case in the ledger; people need not care.
LedgerCommand Upper(LedgerCommand command) {
  for (auto* text : {&command.filter.status, &command.filter.operation, &command.filter.error_code})
    std::ranges::transform(*text, text->begin(), [](unsigned char c) { return std::toupper(c); });
  return command;
}

// Everything that the commands of one kind share.
class LedgerFamily {
 public:
  LedgerFamily(CLI::App& app, LedgerKind kind, const std::string& about, const Scene& scene)
      : family_(FamilyOf(app, std::string(Name(kind)), about)), kind_(kind), scene_(scene) {}

  using Look = int (*)(const LedgerCommand&, contract::LedgerQueries&, const Console&);
  using Correct = int (*)(const LedgerCommand&, app::Corrections&, const domain::Actor&,
                          const Console&);
  using AddOptions = std::function<void(CLI::App&, LedgerCommand&)>;

  // A new command with its own answers; `add` gives it its options.
  void Add(const std::string& name, const std::string& about, Look look, const AddOptions& add) {
    const auto [sub, command] = Make(name, about, add);
    scene_.ChooseLook(sub, [=](app::Desk& desk, const Console& console) {
      const auto& filter = command->filter;
      const auto known = desk.names().CheckTarget(filter.source, filter.endpoint);
      if (!known) return PrintError(console, known.error());
      const auto state = desk.names().CheckState(Name(command->kind), filter.status);
      if (!state) return PrintError(console, state.error());
      return look(Upper(*command), desk.read().ledger(), console);
    });
  }
  void Add(const std::string& name, const std::string& about, Correct correct,
           const AddOptions& add) {
    const auto [sub, command] = Make(name, about, add);
    scene_.ChooseChange(sub,
                        [=, &services = scene_.services](app::Desk& desk, const Console& console) {
                          return correct(*command, desk.corrections(), services.actor(), console);
                        });
  }

  void AddReading() {
    const std::string name(Name(kind_));
    Add("list", "The newest first", RunLedgerList, [&](CLI::App& sub, LedgerCommand& command) {
      AddFilter(sub, command.filter);
      AddCommon(sub, command);
      sub.add_option("--limit", command.filter.rows_max, "How many")
          ->capture_default_str()
          ->check(CLI::Range(1, kRowsMax));
    });
    const bool is_batch = kind_ == LedgerKind::kBatch;
    Add("show",
        is_batch
            ? "One page: what was asked, what came, what the gate, healing and the rules made of it"
            : "Everything about one, with its ids up and down",
        RunLedgerShow, [&](CLI::App& sub, LedgerCommand& command) {
          const auto of_list = "As `patra " + name + " list` shows it";
          if (is_batch) {
            AddId(sub, command, "RUN/BATCH",
                  of_list + ", or with its number in the run; or its id alone");
          } else {
            AddId(sub, command, "ID", of_list);
          }
          AddCommon(sub, command);
          if (kind_ == LedgerKind::kPlan)
            sub.add_flag("--origins", command.origins,
                         "Where each value of its snapshot came from when it was made");
        });
    Add("timeline", "What happened to it, in the order of time", RunLedgerTimeline,
        [&](CLI::App& sub, LedgerCommand& command) {
          AddId(sub, command, "ID", "As `patra " + name + " list` shows it");
          AddCommon(sub, command);
          command.filter.rows_max = 1000;
          sub.add_option("--limit", command.filter.rows_max, "How many of each kind, the newest")
              ->capture_default_str()
              ->check(CLI::Range(1, kRowsMax));
        });
  }

  static void AddId(CLI::App& sub, LedgerCommand& command, const std::string& name,
                    const std::string& about) {
    sub.add_option(name, command.id, about)->required();
  }

  static void AddCommon(CLI::App& sub, LedgerCommand& command) {
    sub.add_flag("--json", command.as_json, "For machines");
  }

 private:
  std::pair<CLI::App*, std::shared_ptr<LedgerCommand>> Make(const std::string& name,
                                                            const std::string& about,
                                                            const AddOptions& add) {
    auto command = std::make_shared<LedgerCommand>();
    command->kind = kind_;
    auto* sub = family_->add_subcommand(name, about);
    add(*sub, *command);
    return {sub, command};
  }

  void AddFilter(CLI::App& sub, contract::LedgerFilter& filter) const {
    sub.add_option("--source", filter.source, "Only of this source");
    sub.add_option("--endpoint", filter.endpoint, "Only of this endpoint");
    sub.add_option("--operation", filter.operation, "Only of this kind")
        ->check(CLI::IsMember(std::vector<std::string>{"harvest", "update", "backfill"},
                              CLI::ignore_case));
    if (kind_ == LedgerKind::kCursor) return;
    sub.add_option("--status", filter.status, "Only in this state, such as failed");
    if (kind_ == LedgerKind::kTask) {
      sub.add_option("--error", filter.error_code,
                     "Only those where this went wrong last, such as retries_exhausted");
      sub.add_option("--credential", filter.credential,
                     "Only those whose last request went out with this credential");
    }
    const auto of = [&](LedgerKind above, Id& id) {
      if (kind_ > above)
        sub.add_option(fmt::format("--{}", Name(above)), id,
                       fmt::format("Only of this {}", Name(above)));
    };
    of(LedgerKind::kPlan, filter.plan);
    of(LedgerKind::kSlice, filter.slice);
    of(LedgerKind::kTask, filter.task);
    of(LedgerKind::kRun, filter.run);
  }

  CLI::App* family_;
  LedgerKind kind_;
  const Scene& scene_;
};

void AddItemFilter(CLI::App& sub, ItemsCommand& command) {
  sub.add_option("--source", command.filter.source, "Only of this source");
  sub.add_option("--endpoint", command.filter.endpoint, "Only of this endpoint");
  sub.add_option("--id-prefix", command.filter.id_prefix, "Only ids that begin so");
  sub.add_option("--updated-from", command.updated_from, "Updated at or after this moment");
  sub.add_option("--updated-to", command.updated_to, "Updated before this moment");
  auto* with = sub.add_flag_callback(
      "--with-deleted", [&command] { command.filter.tombstones = contract::Tombstones::kInclude; },
      "Tombstones, too");
  sub.add_flag_callback(
         "--deleted", [&command] { command.filter.tombstones = contract::Tombstones::kOnly; },
         "Nothing but tombstones")
      ->excludes(with);
}

void AddChanges(CLI::App& items, const Scene& scene) {
  auto following = std::make_shared<ChangesCommand>();
  auto* changes = items.add_subcommand(
      "changes", "What was inserted, updated, deleted or merged, in the order of commits");
  changes->add_option("--source", following->filter.source, "Only of this source");
  changes->add_option("--endpoint", following->filter.endpoint, "Only of this endpoint");
  changes->add_option("--after", following->after,
                      "A place that came with a change; 'end' tells where the next one will be");
  changes->add_option("--limit", following->limit, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  changes->add_flag("--json", following->as_json, "For machines, one object a line");
  scene.ChooseChange(changes, [=](app::Desk& desk, const Console& console) {
    const auto& [source, endpoint] = following->filter;
    const auto known = desk.names().CheckTarget(source, endpoint);
    return known ? RunItemsChanges(*following, desk.changes(), console)
                 : PrintError(console, known.error());
  });
}

void AddItems(CLI::App& app, const Scene& scene) {
  auto* items = FamilyOf(app, "items", "Look at records, ask where they came from, export them");
  using Run = std::function<int(const ItemsCommand&, contract::ReadSide&, const Console&)>;
  const auto add = [&](const std::string& name, const std::string& about, const Run& run) {
    auto command = std::make_shared<ItemsCommand>();
    auto* sub = items->add_subcommand(name, about);
    scene.ChooseLook(sub, [=](app::Desk& desk, const Console& console) {
      const auto& filter = command->filter;
      const auto known = desk.names().CheckTarget(filter.source, filter.endpoint);
      return known ? run(*command, desk.read(), console) : PrintError(console, known.error());
    });
    return std::pair(sub, command);
  };
  const auto add_one = [&](const std::string& name, const std::string& about, const Run& run) {
    const auto [sub, command] = add(name, about, run);
    sub->add_option("ID", command->id, "As the provider writes it")->required();
    sub->add_option("--source", command->filter.source, "Where several sources have it");
    sub->add_option("--endpoint", command->filter.endpoint, "Where several endpoints have it");
    sub->add_flag("--json", command->as_json, "For machines");
    return std::pair(sub, command);
  };

  const auto [list, listing] =
      add("list", "The latest updated first; by id with --id-prefix",
          [&clock = scene.clock](const auto& c, auto& read, const auto& console) {
            return RunItemsList(c, read, clock, console);
          });
  AddItemFilter(*list, *listing);
  list->add_option("--limit", listing->limit, "How many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, "For machines");

  add_one("show", "One record with its fields and its provenance", RunItemsShow);
  const auto [why, asking] =
      add_one("why", "Which request wrote it, why that was made, and where other versions are",
              RunItemsWhy);
  why->add_option("--pages", asking->pages, "How many of the newest pages are searched for it")
      ->capture_default_str()
      ->check(CLI::Range(0, kRowsMax));

  const auto [give, giving] =
      add("export", "All records that fit, as JSON Lines, CSV or Parquet",
          [&clock = scene.clock](const auto& c, auto& read, const auto& console) {
            return RunItemsExport(c, read, clock, console);
          });
  AddItemFilter(*give, *giving);
  give->add_option("--format", giving->format,
                   "jsonl, csv, or parquet with typed columns, which no terminal gets")
      ->capture_default_str()
      ->check(CLI::IsMember({"jsonl", "csv", "parquet"}));
  give->add_option("--fields", giving->fields, "Only these fields, separated by commas")
      ->delimiter(',');
  give->add_option("--out", giving->out, "Write this file, as a whole or not at all")
      ->type_name("FILE");

  AddChanges(*items, scene);
  AddExamples(*items,
              {{"changes",
                {"patra items changes --json", "patra items changes --source crossref --after end",
                 "patra items changes --source crossref --after 412.0 --limit 100"}},
               {"list",
                {"patra items list --source crossref --updated-from -7d",
                 "patra items list --id-prefix 10.1000/ --json"}},
               {"show", {"patra items show 10.1000/182"}},
               {"why", {"patra items why 10.1000/182"}},
               {"export",
                {"patra items export --source crossref --format csv --out works.csv",
                 "patra items export --source crossref --format parquet --out works.parquet",
                 "patra items export --source crossref --fields title,issued"}}});
}

void AddStatus(CLI::App& app, const Scene& scene) {
  auto as_json = std::make_shared<bool>(false);
  auto* status = app.add_subcommand("status", "One screen: sources, lag, running, waiting, broken");
  status->add_flag("--json", *as_json, "For machines");
  scene.ChooseLook(status, [=, &clock = scene.clock](app::Desk& desk, const Console& console) {
    return RunStatus(*as_json, desk.read().status(), clock, console);
  });
  AddExamples(app, {{"status", {"patra status", "patra status --json"}}});
}

void AddVerify(CLI::App& app, const Scene& scene) {
  auto command = std::make_shared<VerifyCommand>();
  auto* verify = app.add_subcommand("verify", "What is proven complete, by what, and what is not");
  verify->add_option("SOURCE", command->request.target, "SOURCE or SOURCE/ENDPOINT")->required();
  verify->add_option("--from", command->request.from, "Default: the first moment ever planned");
  verify->add_option("--to", command->request.to, "Default: the last one");
  verify->add_flag("--json", command->as_json, "For machines");
  verify->add_flag("--repair", command->repair, "Plan exactly what is missing");
  verify->add_option("--set", command->overrides, "--repair: PATH=VALUE")->type_name("PATH=VALUE");
  scene.ChooseLook(verify, [=, globals = scene.globals, &services = scene.services](
                               app::Desk& desk, const Console& console) {
    const auto open_engine = [&]() -> Result<std::shared_ptr<app::Operations>> {
      return services.OpenEngine(Filled({}, PATRA_TRY(globals->Settle(services)), console));
    };
    const auto target = domain::TargetOf(command->request.target);
    const auto known = desk.names().CheckTarget(target.source, target.endpoint.value_or(""));
    if (!known) return PrintError(console, known.error());
    return RunVerify(*command, desk.verification(), open_engine, console);
  });
  AddExamples(app, {{"verify",
                     {"patra verify crossref/works",
                      "patra verify crossref/works --from 2025-01-01 --repair"}}});
}

}  // namespace

void AddLedger(CLI::App& app, const Scene& scene) {
  AddStatus(app, scene);
  const auto family = [&](LedgerKind kind, const std::string& about) {
    return LedgerFamily(app, kind, about, scene);
  };
  family(LedgerKind::kPlan, "See what was planned").AddReading();
  family(LedgerKind::kSlice, "See the slices of plans").AddReading();
  auto tasks = family(LedgerKind::kTask, "See the queue, and queue again what failed");
  tasks.AddReading();
  tasks.Add("requeue", "Queue a FAILED, PARTIAL or parked task again", RunTaskRequeue,
            [](CLI::App& sub, LedgerCommand& command) {
              LedgerFamily::AddId(sub, command, "ID", "As `patra task list` shows it");
              sub.add_option("--reason", command.reason, "For those who wonder later")->required();
            });
  family(LedgerKind::kRun, "See the attempts at tasks").AddReading();
  family(LedgerKind::kBatch, "See single requests").AddReading();
  auto cursors = family(LedgerKind::kCursor, "See how far everything is, and set it by hand");
  cursors.AddReading();
  cursors.Add(
      "set", "Put a watermark elsewhere, also backwards", RunCursorSet,
      [](CLI::App& sub, LedgerCommand& command) {
        LedgerFamily::AddId(sub, command, "CURSOR",
                            "Its id, or SOURCE/ENDPOINT for the watermark of harvests");
        sub.add_option("VALUE", command.value,
                       "A moment, such as 2026-03-29 or now-7d, or a number")
            ->required();
        sub.add_option("--reason", command.reason, "For those who wonder later")->required();
        LedgerFamily::AddCommon(sub, command);
      });
  AddExamples(app, {{"plan list", {"patra plan list --source crossref --limit 10"}},
                    {"plan show", {"patra plan show 17", "patra plan show 17 --origins"}},
                    {"plan timeline", {"patra plan timeline 17"}},
                    {"slice list", {"patra slice list --plan 17 --status failed"}},
                    {"slice show", {"patra slice show 17"}},
                    {"slice timeline", {"patra slice timeline 17"}},
                    {"task list",
                     {"patra task list --source crossref --status failed",
                      "patra task list --error retries_exhausted --json"}},
                    {"task show", {"patra task show 17"}},
                    {"task timeline", {"patra task timeline 17"}},
                    {"task requeue", {"patra task requeue 17 --reason 'the key works again'"}},
                    {"run list", {"patra run list --task 17"}},
                    {"run show", {"patra run show 17"}},
                    {"run timeline", {"patra run timeline 17"}},
                    {"batch list", {"patra batch list --run 17 --limit 5"}},
                    {"batch show", {"patra batch show 16/1", "patra batch show 17 --json"}},
                    {"batch timeline", {"patra batch timeline 17"}},
                    {"cursor list", {"patra cursor list"}},
                    {"cursor show", {"patra cursor show 17"}},
                    {"cursor timeline", {"patra cursor timeline 17"}},
                    {"cursor set",
                     {"patra cursor set crossref/works 2026-01-01 --reason 'a clock was ahead'"}}});
  AddItems(app, scene);
  AddVerify(app, scene);
}

}  // namespace patra::adapter::cli
