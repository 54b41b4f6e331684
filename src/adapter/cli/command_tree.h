// The commands as a tree of CLI11, read by whatever speaks about them: help, the manual, completion, and what is said of
// a line that is wrong. All of them walk it, so that nothing about a command is written twice.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace patra::adapter::cli {

// "patra plan list"; of patra itself "patra".
std::string CommandName(const CLI::App& app);
// The same without "patra": "plan list".
std::string CommandPath(const CLI::App& app);

// Those that are shown, in the order in which they were added.
std::vector<const CLI::App*> SubcommandsOf(const CLI::App& app);
std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& app);
std::vector<const CLI::Option*> OptionsOf(const CLI::App& app);

const CLI::App* FindSubcommand(const CLI::App& app, std::string_view name);

// The spellings of an option, "--json" or "-h" and "--help".
std::vector<std::string> SpellingsOf(const CLI::Option& option);
bool IsSpelled(const CLI::Option& option, std::string_view spelled);

// What a value looks like: what it may be where only a few are possible, else a word such as FILE, N or TEXT. Empty
// where it takes none.
struct ValueHelp {
  std::vector<std::string> choices{};
  std::string word{};
  std::string range{};  // "1 to 64", of a number
};
ValueHelp ValueOf(const CLI::Option& option);

// How far a line can be followed.
struct LineWalk {
  const CLI::App* at = nullptr;
  const CLI::Option* awaits = nullptr;  // whose value comes next
  std::size_t arguments = 0;            // of `at`, that were given
  std::optional<std::string> unknown_command{};
  std::optional<std::string> unknown_option{};
};

// `words` come after "patra". Stops at the first word that is no command and no option.
LineWalk WalkLine(const CLI::App& app, std::span<const std::string> words);

}  // namespace patra::adapter::cli
