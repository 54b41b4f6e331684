#include "adapter/cli/audit_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/audit_command.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {

void AddAudit(CLI::App& app, const Scene& scene) {
  auto* audit =
      app.add_subcommand("audit", "See what people decided, and why")->require_subcommand(1);
  auto listing = std::make_shared<AuditListing>();
  auto* list = audit->add_subcommand("list", "Decisions, newest first");
  auto* object = list->add_option("--object", listing->object,
                                  "Only about this, such as task/42 or source/crossref/works");
  list->add_option("--before", listing->before, "Only those before the one with this id")
      ->excludes(object);
  list->add_option("--limit,--max", listing->entries_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, kRowsMax));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunAuditList(*listing, desk.read().ledger(), console);
  });

  auto showing = std::make_shared<AuditListing>();
  auto* show = audit->add_subcommand("show", "One decision, with what it was decided on");
  show->add_option("ID", showing->id, "As `patra audit list` shows it")->required();
  show->add_flag("--json", showing->as_json, "For machines");
  scene.ChooseLook(show, [=](app::Desk& desk, const Console& console) {
    return RunAuditShow(*showing, desk.read().ledger(), console);
  });
  AddExamples(*audit, {{"list",
                        {"patra audit list", "patra audit list --object task/42 --json",
                         "patra audit list --object source/crossref/works"}},
                       {"show", {"patra audit show 17"}}});
}

}  // namespace patra::adapter::cli
