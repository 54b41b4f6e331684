#include "adapter/cli/db_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/db_command.h"
#include "adapter/cli/live_line.h"

namespace patra::adapter::cli {
namespace {

void AddPromote(CLI::App* db, const Scene& scene) {
  struct Wanted {
    std::string target;
    bool abandons = false;
    bool as_json = false;
  };
  auto wanted = std::make_shared<Wanted>();
  auto* promote = db->add_subcommand(
      "promote", "Move the whole store into another database, compare both, and go on there");
  auto* to = promote
                 ->add_option("--to", wanted->target,
                              "An empty database: a file, or mysql://USER@HOST/DATABASE; "
                              "its password is PATRA_TARGET_PASSWORD[_FILE]")
                 ->type_name("STORE");
  auto* abandon = promote->add_flag("--abandon", wanted->abandons,
                                    "Give up what is not finished: the store takes changes again");
  abandon->excludes(to);
  promote->add_flag("--json", wanted->as_json, "For machines, one object a table")
      ->excludes(abandon);
  scene.ChooseGlobals(promote, [=, &services = scene.services, &clock = scene.clock](
                                   const Globals& globals, const Console& plain) {
    if (wanted->abandons) return RunDbPromoteAbandon(globals.database, services, plain);
    if (wanted->target.empty()) {
      Report(plain, {ErrorCode::kInvalidInput,
                     "--to is missing",
                     {},
                     "name an empty database: a file, or mysql://USER@HOST/DATABASE"});
      return static_cast<int>(kUsage);
    }
    LiveLine line(plain);
    auto console = plain;
    console.line = &line;
    return RunDbPromote({.database = globals.database, .target = wanted->target}, wanted->as_json,
                        services, clock, console);
  });
  AddExamples(*db, {{"promote",
                     {"patra db promote --db patra.db --to mysql://patra@db.example.org/patra",
                      "patra db promote --db patra.db --abandon"}}});
}

}  // namespace

void AddDb(CLI::App& app, const Scene& scene) {
  auto* db = app.add_subcommand("db", "Look after the database")->require_subcommand(1);
  const auto choose = [&](CLI::App* sub, auto run) {
    scene.ChooseGlobals(
        sub, [=, &services = scene.services](const Globals& globals, const Console& console) {
          return run(globals.database, services, console);
        });
  };
  choose(db->add_subcommand("migrate", "Bring the schema up to date"), RunDbMigrate);
  auto as_json = std::make_shared<bool>(false);
  auto* check = db->add_subcommand(
      "check", "Verify tables, indexes and content, and answer the operators' questions");
  check->add_flag("--json", *as_json, "For machines, one object");
  choose(check, [=](const std::string& database, Services& services, const Console& console) {
    return RunDbCheck(database, *as_json, services, console);
  });

  auto file = std::make_shared<std::string>();
  auto* backup = db->add_subcommand("backup", "Copy the store while others write to it");
  backup->add_option("FILE", *file, "A file that does not exist yet")->required();
  choose(backup, [=](const std::string& database, Services& services, const Console& console) {
    return RunDbBackup(database, *file, services, console);
  });
  auto* restore = db->add_subcommand("restore", "Make the store that --db names from a backup");
  restore->add_option("FILE", *file, "What `patra db backup` wrote")->required();
  choose(restore, [=](const std::string& database, Services& services, const Console& console) {
    return RunDbRestore(*file, database, services, console);
  });
  AddPromote(db, scene);
  AddExamples(*db, {{"migrate", {"patra db migrate --db new.db"}},
                    {"check", {"patra db check --db demo.db", "patra db check --json"}},
                    {"backup", {"patra db backup copy.db --db demo.db"}},
                    {"restore", {"patra db restore copy.db --db restored.db"}}});
}

}  // namespace patra::adapter::cli
