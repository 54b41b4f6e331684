#include "adapter/cli/front_arguments.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/command_tree.h"
#include "adapter/cli/completion.h"
#include "adapter/cli/config_command.h"
#include "adapter/cli/help_page.h"
#include "adapter/cli/init_command.h"
#include "adapter/cli/text_file.h"
#include "adapter/cli/usage_error.h"

namespace patra::adapter::cli {
namespace {

// What somebody typed is wrong, not what a file says.
int ToldUsage(const Console& console, const Error& error) {
  Report(console, error);
  return kUsage;
}

void AddHelp(CLI::App& app, const Scene& scene) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto* help = app.add_subcommand("help", "Tell about a command");
  help->add_option("COMMAND", *words, "Such as harvest, or task list")->type_name("COMMAND");
  scene.Choose(help, [=, &app](const Console& console) {
    const auto command = FindCommand(app, *words);
    if (!command) return ToldUsage(console, command.error());
    fmt::print(console.out, "{}", HelpOf(**command, console));
    return static_cast<int>(kComplete);
  });
}

void AddCompletion(CLI::App& app, const Scene& scene) {
  auto shell = std::make_shared<std::string>();
  auto* completion =
      app.add_subcommand("completion", "Print the script with which a shell completes commands");
  completion->add_option("SHELL", *shell, "Which shell: bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  scene.Choose(completion, [=](const Console& console) {
    fmt::print(console.out, "{}", CompletionScript(*shell));
    return static_cast<int>(kComplete);
  });
}

std::string ManualName(const CLI::App& app) {
  auto name = CommandName(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string ManualOf(const CLI::App& app) {
  return ManualHeader(ManualName(app), app.get_description()) + PrintManual(PageOf(app));
}

Result<void> WriteManual(const CLI::App& app, const std::filesystem::path& folder) {
  PATRA_TRY(WriteTextFile((folder / (ManualName(app) + ".1")).string(), ManualOf(app)));
  for (const auto* sub : SubcommandsOf(app)) PATRA_TRY(WriteManual(*sub, folder));
  return {};
}

Result<int> WriteAllManuals(const CLI::App& app, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Fail(ErrorCode::kUnavailable, fmt::format("{} cannot be made", folder));
  PATRA_TRY(WriteManual(app, folder));
  return kComplete;
}

void AddManual(CLI::App& app, const Scene& scene) {
  struct Manual {
    std::vector<std::string> words;
    std::string folder;
  };
  auto wanted = std::make_shared<Manual>();
  auto* manual = app.add_subcommand("manual", "Print a page of the manual, for man");
  manual->add_option("COMMAND", wanted->words, "Such as harvest, or task list")
      ->type_name("COMMAND");
  manual->add_option("--into", wanted->folder, "Write the pages of all commands into this folder")
      ->type_name("DIR");
  scene.Choose(manual, [=, &app](const Console& console) {
    if (!wanted->folder.empty()) return PrintError(console, WriteAllManuals(app, wanted->folder));
    const auto command = FindCommand(app, wanted->words);
    if (!command) return ToldUsage(console, command.error());
    fmt::print(console.out, "{}", ManualOf(**command));
    return static_cast<int>(kComplete);
  });
}

void AddConfig(CLI::App& app, const Scene& scene) {
  auto* config = app.add_subcommand("config", "See what patra goes by here")->require_subcommand(1);
  auto as_json = std::make_shared<bool>(false);
  auto* show = config->add_subcommand("show", "Every setting, its value and where it came from");
  show->add_flag("--json", *as_json, "For machines, one object a line");
  scene.Choose(show,
               [=, globals = scene.globals, &services = scene.services](const Console& console) {
                 return RunConfigShow(*globals, *as_json, services, console);
               });
  AddExamples(*config, {{"show", {"patra config show", "patra config show --json"}}});
}

void AddInit(CLI::App& app, const Scene& scene) {
  auto folder = std::make_shared<std::string>(".");
  auto* init = app.add_subcommand(
      "init", "Make a project: a commented patra.yaml, and sources/ with an example");
  init->add_option("FOLDER", *folder, "Where; default: here");
  scene.Choose(init, [=](const Console& console) { return RunInit(*folder, console); });
}

}  // namespace

void AddFront(CLI::App& app, const Scene& scene) {
  AddInit(app, scene);
  AddConfig(app, scene);
  AddHelp(app, scene);
  AddCompletion(app, scene);
  AddManual(app, scene);
  // Those of patra itself come last: commands that are added later would have them, too.
  AddExamples(app, {{"init", {"patra init", "patra init myproject"}},
                    {"help", {"patra help harvest", "patra help task list"}},
                    {"completion",
                     {"source <(patra completion bash)",
                      "patra completion fish > ~/.config/fish/completions/patra.fish"}},
                    {"manual", {"patra manual | man -l -", "patra manual harvest | man -l -"}},
                    {"", {"patra demo", "patra init myproject", "patra help harvest"}}});
}

}  // namespace patra::adapter::cli
