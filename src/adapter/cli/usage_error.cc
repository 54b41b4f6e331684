#include "adapter/cli/usage_error.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/command_tree.h"
#include "base/close_match.h"

namespace patra::adapter::cli {
namespace {

std::vector<std::string> NamesOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const auto* command : commands) names.push_back(command->get_name());
  return names;
}

// A command of a family whose name somebody left out: `preview` for `source preview`.
std::vector<std::string> InFamilies(const CLI::App& app, const std::string& name) {
  std::vector<std::string> found;
  for (const auto* family : SubcommandsOf(app)) {
    if (FindSubcommand(*family, name) != nullptr) found.push_back(family->get_name() + " " + name);
  }
  return found;
}

Error UnknownCommand(const CLI::App& at, const std::string& word) {
  const auto names = NamesOf(SubcommandsOf(at));
  const auto command = CommandName(at);
  Error error{ErrorCode::kInvalidInput, fmt::format("`{}` has no command '{}'", command, word)};
  if (const auto match = CloseMatch(word, names)) {
    error.hint = fmt::format("did you mean `{}`?", *match);
  } else if (const auto meant = InFamilies(at, word); !meant.empty()) {
    error.hint = fmt::format("did you mean `{}`?", fmt::join(meant, "`, `"));
  } else if (at.get_parent() != nullptr) {
    error.hint = fmt::format("there are {}", fmt::join(names, ", "));
  }
  return error;
}

// Half of an option's name, or more than all of it: `--output` for `--out`.
std::optional<std::string> Continuing(std::string_view word,
                                      const std::vector<std::string>& known) {
  constexpr std::size_t kTellingAtLeast = 5;  // two dashes and three letters
  for (const auto& option : known) {
    if (std::min(word.size(), option.size()) < kTellingAtLeast) continue;
    if (word.starts_with(option) || option.starts_with(word)) return option;
  }
  return std::nullopt;
}

Error UnknownOption(const CLI::App& at, const std::string& word) {
  std::vector<std::string> known;
  for (const auto* from = &at; from != nullptr; from = from->get_parent()) {
    for (const auto* option : OptionsOf(*from)) {
      for (auto& spelling : SpellingsOf(*option)) known.push_back(std::move(spelling));
    }
  }
  Error error{ErrorCode::kInvalidInput,
              fmt::format("`{}` has no option '{}'", CommandName(at), word)};
  if (const auto match = CloseMatch(word, known)) {
    error.hint = fmt::format("did you mean `{}`?", *match);
  } else if (const auto meant = Continuing(word, known)) {
    error.hint = fmt::format("did you mean `{}`?", *meant);
  } else if (!word.starts_with("--")) {
    error.hint = "a value that begins with a dash comes after `--`";
  }
  return error;
}

// "--log-level: warm not in {debug,info,warn,error}": one of them may be meant.
std::string MeantAmong(std::string_view problem) {
  constexpr std::string_view kNotIn = " not in {";
  const auto at = problem.find(kNotIn);
  const auto colon = problem.find(": ");
  if (at == std::string_view::npos || colon == std::string_view::npos || colon > at) return {};
  const auto word = problem.substr(colon + 2, at - colon - 2);
  auto among = problem.substr(at + kNotIn.size());
  among = among.substr(0, among.find('}'));
  std::vector<std::string> choices;
  for (const auto choice : among | std::views::split(','))
    choices.emplace_back(std::string_view(choice));
  return DidYouMean(word, choices);
}

void AddTellsMore(const CLI::App& at, Error& error) {
  const auto path = CommandPath(at);
  error.hint += fmt::format("{}`patra help{}{}` tells more", error.hint.empty() ? "" : "  ",
                            path.empty() ? "" : " ", path);
}

}  // namespace

Error UsageError(const CLI::App& app, std::span<const std::string> words, std::string otherwise) {
  const auto walk = WalkLine(app, words);
  Error error{ErrorCode::kInvalidInput, std::move(otherwise)};
  if (walk.unknown_command) {
    error = UnknownCommand(*walk.at, *walk.unknown_command);
  } else if (walk.unknown_option) {
    error = UnknownOption(*walk.at, *walk.unknown_option);
  } else {
    error.hint = MeantAmong(error.message);
  }
  AddTellsMore(*walk.at, error);
  return error;
}

Result<const CLI::App*> FindCommand(const CLI::App& app, std::span<const std::string> words) {
  const auto* at = &app;
  for (const auto& word : words) {
    const auto* sub = FindSubcommand(*at, word);
    if (sub == nullptr && SubcommandsOf(*at).empty())
      return Fail(ErrorCode::kInvalidInput, fmt::format("`{}` has no commands", CommandName(*at)));
    if (sub == nullptr) return std::unexpected(UnknownCommand(*at, word));
    at = sub;
  }
  return at;
}

}  // namespace patra::adapter::cli
