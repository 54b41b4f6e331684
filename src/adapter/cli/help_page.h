// What is to be known of one command, as the tree of commands has it: printed by --help, `patra help` and the manual.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "adapter/cli/command_notes.h"
#include "adapter/cli/console.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

struct HelpRow {
  std::string name;
  std::string about;
};

struct HelpSection {
  std::string title;
  std::vector<HelpRow> rows;
};

struct HelpPage {
  std::string command;  // "patra plan list"
  std::string about;
  std::string usage;
  std::vector<HelpSection> sections;  // arguments, options, commands; none is empty
  HelpSection inherited;              // options of every command
  std::span<const ExitNote> exits;
  std::vector<std::string> examples;
};

HelpPage PageOf(const CLI::App& app);

// The page of a command, for whoever is at the console.
std::string HelpOf(const CLI::App& app, const Console& console);

// As lines no longer than `columns` where words allow it.
std::string PrintHelp(const HelpPage& page, std::size_t columns);

// As troff with the macros of man(7), without its header.
std::string PrintManual(const HelpPage& page);

// The header of a manual page named "patra-plan-list"; `about` is what apropos finds.
std::string ManualHeader(const std::string& name, const std::string& about);

}  // namespace patra::adapter::cli
