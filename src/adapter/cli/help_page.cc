#include "adapter/cli/help_page.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/columns.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/command_tree.h"

namespace patra::adapter::cli {
namespace {

// Shorter lines fall apart, longer ones are hard to read.
constexpr std::size_t kColumnsLeast = 40;
constexpr std::size_t kColumnsMost = 100;
constexpr std::size_t kNamesMost = 26;  // columns; what is wider has a line of its own

std::string ValueWord(const CLI::Option& option) {
  const auto value = ValueOf(option);
  auto word = value.choices.empty() ? value.word : fmt::format("{}", fmt::join(value.choices, "|"));
  if (option.get_items_expected_max() > 1) word += "...";
  return option.get_items_expected_min() == 0 && !word.empty() ? "[" + word + "]" : word;
}

HelpRow RowOf(const CLI::Option& option) {
  std::string name = option.get_positional()
                         ? option.get_name(true)
                         : fmt::format("{}", fmt::join(SpellingsOf(option), ", "));
  const auto value = ValueOf(option);
  if (!option.get_positional()) {
    if (const auto word = ValueWord(option); !word.empty()) name += " " + word;
  }
  std::string about = option.get_description();
  if (!value.range.empty()) about += fmt::format(" ({})", value.range);
  if (!option.get_default_str().empty())
    about += fmt::format(" [default: {}]", option.get_default_str());
  if (!option.get_envname().empty()) about += fmt::format(" [env: {}]", option.get_envname());
  return {std::move(name), std::move(about)};
}

std::vector<HelpRow> RowsOf(const std::vector<const CLI::Option*>& options) {
  std::vector<HelpRow> rows;
  for (const auto* option : options) rows.push_back(RowOf(*option));
  return rows;
}

std::string UsageOf(const CLI::App& app) {
  auto usage = CommandName(app);
  if (!SubcommandsOf(app).empty()) return usage + " COMMAND";
  for (const auto* argument : ArgumentsOf(app)) {
    auto name = argument->get_name(true);
    if (argument->get_items_expected_max() > 1) name += "...";
    usage += argument->get_required() ? " " + name : " [" + name + "]";
  }
  for (const auto* option : OptionsOf(app)) {
    if (option->get_required())
      usage += fmt::format(" {} {}", SpellingsOf(*option).back(), ValueWord(*option));
  }
  return usage + " [OPTIONS]";
}

std::vector<HelpSection> CommandsOf(const CLI::App& app) {
  const auto row = [](const CLI::App& sub) {
    return HelpRow{sub.get_name(), sub.get_description()};
  };
  std::vector<HelpSection> sections;
  if (app.get_parent() != nullptr) {
    HelpSection all{.title = "Commands", .rows = {}};
    for (const auto* sub : SubcommandsOf(app)) all.rows.push_back(row(*sub));
    sections.push_back(std::move(all));
    return sections;
  }
  for (const auto& group : CommandGroups()) {
    HelpSection section{.title = std::string(group.title), .rows = {}};
    for (const auto name : group.commands) {
      if (const auto* sub = FindSubcommand(app, name)) section.rows.push_back(row(*sub));
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

// The words of a text, on lines that begin at `indent`.
std::string Wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string lines;
  std::size_t used = indent;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto width = ColumnsOf(word);
    if (used > indent && used + 1 + width > columns) {
      lines += "\n" + std::string(indent, ' ');
      used = indent;
    }
    if (used > indent) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += width;
  }
  return lines;
}

std::string Printed(const HelpSection& section, std::size_t columns) {
  std::size_t width = 0;
  for (const auto& row : section.rows) {
    if (ColumnsOf(row.name) <= kNamesMost) width = std::max(width, ColumnsOf(row.name));
  }
  std::string text = fmt::format("\n{}:\n", section.title);
  const auto indent = width + 4;
  for (const auto& row : section.rows) {
    text += "  " + row.name;
    if (ColumnsOf(row.name) > width) {
      text += "\n" + std::string(indent, ' ');
    } else {
      text += std::string(indent - 2 - ColumnsOf(row.name), ' ');
    }
    text += Wrapped(row.about, indent, columns) + "\n";
  }
  return text;
}

}  // namespace

HelpPage PageOf(const CLI::App& app) {
  HelpPage page{.command = CommandName(app),
                .about = app.get_description(),
                .usage = UsageOf(app),
                .sections = {},
                .inherited = {},
                .exits = ExitsOf(CommandPath(app)),
                .examples = ExamplesOf(app)};
  if (!SubcommandsOf(app).empty()) page.sections = CommandsOf(app);
  if (const auto arguments = ArgumentsOf(app); !arguments.empty())
    page.sections.push_back({"Arguments", RowsOf(arguments)});
  if (const auto options = OptionsOf(app); !options.empty())
    page.sections.push_back({"Options", RowsOf(options)});
  for (const auto* above = app.get_parent(); above != nullptr; above = above->get_parent()) {
    for (const auto* option : OptionsOf(*above)) {
      const bool is_its_own = IsSpelled(*option, "--help") || IsSpelled(*option, "--version");
      if (!is_its_own) page.inherited.rows.push_back(RowOf(*option));
    }
  }
  page.inherited.title = "Options of every command";
  return page;
}

std::string HelpOf(const CLI::App& app, const Console& console) {
  return PrintHelp(PageOf(app), std::clamp(console.OutColumns(), kColumnsLeast, kColumnsMost));
}

std::string PrintHelp(const HelpPage& page, std::size_t columns) {
  auto text = fmt::format("{}\n\nUsage: {}\n", Wrapped(page.about, 0, columns),
                          Wrapped(page.usage, 7, columns));
  for (const auto& section : page.sections) text += Printed(section, columns);
  if (!page.inherited.rows.empty()) text += Printed(page.inherited, columns);
  if (!page.exits.empty()) {
    HelpSection exits{.title = "Exit codes", .rows = {}};
    for (const auto& [code, meaning] : page.exits)
      exits.rows.push_back({fmt::format("{:>3}", code), std::string(meaning)});
    text += Printed(exits, columns);
  }
  if (!page.examples.empty()) {
    text += "\nExamples:\n";
    for (const auto& example : page.examples) text += fmt::format("  {}\n", example);
  }
  return text;
}

}  // namespace patra::adapter::cli
