#include "adapter/cli/db_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/db_command.h"
#include "adapter/cli/live_line.h"
#include "adapter/cli/retention_command.h"

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

void AddArchive(CLI::App* db, const Scene& scene) {
  auto wanted = std::make_shared<ArchiveCommand>();
  auto* archive = db->add_subcommand(
      "archive", "Move old batches, cursor events and raw pages into compressed files");
  archive
      ->add_option("--older-than", wanted->older_than,
                   "Such as 90d; default: retention.archive_after of the configuration")
      ->type_name("AGE");
  auto folder = std::make_shared<std::string>();
  archive
      ->add_option("--to", *folder,
                   "The folder; default: retention.archive_dir, else the one beside the store")
      ->type_name("DIR");
  archive->add_flag("--json", wanted->as_json, "For machines, one object a line");
  const auto request = [=] {
    return StoreRequest{.changes = true, .stops_on_signals = true, .archive_folder = *folder};
  };
  scene.ChooseDesk(archive, request,
                   [=, &services = scene.services](app::Desk& desk, const Console& console) {
                     return RunDbArchive(*wanted, desk.retention(), services, console);
                   });
}

void AddGc(CLI::App* db, const Scene& scene) {
  auto wanted = std::make_shared<CollectCommand>();
  auto* gc = db->add_subcommand(
      "gc", "Delete what is older than retention.keep of the configuration says");
  gc->add_flag("--dry-run", wanted->is_dry_run, "Only count what would go");
  gc->add_flag("--json", wanted->as_json, "For machines, one object a line");
  const auto request = [=] {
    return StoreRequest{.changes = !wanted->is_dry_run, .stops_on_signals = true};
  };
  scene.ChooseDesk(gc, request,
                   [=, &services = scene.services](app::Desk& desk, const Console& console) {
                     return RunDbGc(*wanted, desk.retention(), services, console);
                   });
}

void AddForget(CLI::App* db, const Scene& scene) {
  auto wanted = std::make_shared<ForgetCommand>();
  auto* forget = db->add_subcommand(
      "forget", "Delete all that the store and its archive have of one source; pauses it");
  forget->add_option("SOURCE", wanted->source, "As `patra source list` shows it")->required();
  forget->add_option("--reason", wanted->reason, "Why; it is audited")->required();
  forget->add_flag("--json", wanted->as_json, "For machines, one object a line");
  scene.ChooseDesk(
      forget, [] { return StoreRequest{.changes = true, .stops_on_signals = true}; },
      [=, &services = scene.services](app::Desk& desk, const Console& console) {
        return RunDbForget(*wanted, desk.retention(), services, console);
      });
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
  AddArchive(db, scene);
  AddGc(db, scene);
  AddForget(db, scene);
  AddExamples(*db, {{"archive",
                     {"patra db archive", "patra db archive --older-than 30d --to /mnt/archive"}},
                    {"forget", {"patra db forget crossref --reason 'the contract has ended'"}},
                    {"gc", {"patra db gc --dry-run", "patra db gc"}},
                    {"migrate", {"patra db migrate --db new.db"}},
                    {"check", {"patra db check --db demo.db", "patra db check --json"}},
                    {"backup", {"patra db backup copy.db --db demo.db"}},
                    {"restore", {"patra db restore copy.db --db restored.db"}}});
}

}  // namespace patra::adapter::cli
