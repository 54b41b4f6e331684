#include "adapter/cli/command_tree.h"

#include <algorithm>
#include <ranges>

#include <CLI/CLI.hpp>

namespace patra::adapter::cli {
namespace {

bool IsShown(const CLI::Option& option) { return !option.get_group().empty(); }

// Options of families above are understood, too.
const CLI::Option* FindOption(const CLI::App& app, std::string_view spelled) {
  for (const auto* at = &app; at != nullptr; at = at->get_parent()) {
    for (const auto* option : at->get_options()) {
      if (IsSpelled(*option, spelled)) return option;
    }
  }
  return nullptr;
}

bool LooksLikeOption(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

std::vector<std::string> Split(std::string_view text, char divider) {
  std::vector<std::string> parts;
  for (const auto part : text | std::views::split(divider))
    parts.emplace_back(std::string_view(part));
  return parts;
}

}  // namespace

std::string CommandName(const CLI::App& app) {
  const auto* above = app.get_parent();
  return above == nullptr ? app.get_name() : CommandName(*above) + " " + app.get_name();
}

std::string CommandPath(const CLI::App& app) {
  const auto* above = app.get_parent();
  if (above == nullptr) return {};
  const auto path = CommandPath(*above);
  return path.empty() ? app.get_name() : path + " " + app.get_name();
}

std::vector<const CLI::App*> SubcommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); });
}

std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return IsShown(*option) && option->get_positional(); });
}

std::vector<const CLI::Option*> OptionsOf(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return IsShown(*option) && option->nonpositional(); });
}

const CLI::App* FindSubcommand(const CLI::App& app, std::string_view name) {
  const auto found =
      app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

bool IsSpelled(const CLI::Option& option, std::string_view spelled) {
  return std::ranges::any_of(SpellingsOf(option),
                             [&](const std::string& one) { return one == spelled; });
}

std::vector<std::string> SpellingsOf(const CLI::Option& option) {
  std::vector<std::string> spellings;
  for (const auto& name : option.get_snames()) spellings.push_back("-" + name);
  for (const auto& name : option.get_lnames()) spellings.push_back("--" + name);
  return spellings;
}

// CLI11 tells a type and what its checks say as one text: "TEXT:{debug,info}", "INT:INT in [1 - 64]".
ValueHelp ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const auto type = option.get_type_name();
  ValueHelp help;
  if (const auto open = type.find('{'); open != std::string::npos) {
    help.choices = Split(type.substr(open + 1, type.find('}') - open - 1), ',');
    return help;
  }
  help.word = type.substr(0, type.find(':'));
  if (help.word == "INT" || help.word == "UINT" || help.word == "FLOAT") help.word = "N";
  if (const auto open = type.find("in ["); open != std::string::npos) {
    help.range = type.substr(open + 4, type.find(']') - open - 4);
    if (const auto dash = help.range.find(" - "); dash != std::string::npos)
      help.range.replace(dash, 3, " to ");
  }
  return help;
}

LineWalk WalkLine(const CLI::App& app, std::span<const std::string> words) {
  LineWalk walk{.at = &app};
  bool options_are_over = false;
  for (const auto& word : words) {
    const bool is_option = !options_are_over && LooksLikeOption(word);
    // What must have a value takes whatever comes.
    if (walk.awaits != nullptr && (!is_option || walk.awaits->get_items_expected_min() > 0)) {
      walk.awaits = nullptr;
      continue;
    }
    walk.awaits = nullptr;
    if (!is_option) {
      const auto* sub = FindSubcommand(*walk.at, word);
      if (sub == nullptr && !SubcommandsOf(*walk.at).empty()) {
        walk.unknown_command = word;
        return walk;
      }
      if (sub == nullptr) {
        ++walk.arguments;
      } else {
        walk.at = sub;
      }
      continue;
    }
    options_are_over = word == "--";
    if (options_are_over) continue;
    const auto equals = word.find('=');
    const auto* option = FindOption(*walk.at, std::string_view(word).substr(0, equals));
    if (option == nullptr) {
      walk.unknown_option = word.substr(0, equals);
      return walk;
    }
    if (equals == std::string::npos && option->get_items_expected_max() > 0) walk.awaits = option;
  }
  return walk;
}

}  // namespace patra::adapter::cli
