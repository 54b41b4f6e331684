#include "adapter/cli/completion.h"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "adapter/cli/command_tree.h"

namespace patra::adapter::cli {
namespace {

class Gathered {
 public:
  Gathered(std::string_view begins, const KnownTargets& targets)
      : begins_(begins), targets_(targets) {}

  void Add(std::string word, std::string about = {}) {
    if (word.starts_with(begins_))
      completions_.words.push_back({std::move(word), std::move(about)});
  }

  void AddValuesOf(const CLI::Option& option) {
    const auto value = ValueOf(option);
    const auto name = option.get_positional() ? option.get_name(true) : option.get_single_name();
    for (const auto& choice : value.choices) Add(choice);
    if (name.starts_with("SOURCE") || name == "source") {
      for (auto& target : targets_()) Add(std::move(target));
    }
    if (value.word == "DIR" || name == "FOLDER") {
      completions_.files = Completions::Files::kFolders;
    } else if (value.word == "FILE" || name == "FILE" || name == "db") {
      completions_.files = Completions::Files::kFiles;
    }
  }

  void AddOptionsOf(const CLI::App& app) {
    for (const auto* at = &app; at != nullptr; at = at->get_parent()) {
      for (const auto* option : OptionsOf(*at)) {
        const bool is_of_above =
            at != &app && (IsSpelled(*option, "--help") || IsSpelled(*option, "--version"));
        if (!is_of_above) Add(SpellingsOf(*option).back(), option->get_description());
      }
    }
  }

  void AddCommandsOf(const CLI::App& app) {
    for (const auto* sub : SubcommandsOf(app)) Add(sub->get_name(), sub->get_description());
  }

  Completions Take() { return std::move(completions_); }

 private:
  const std::string_view begins_;
  const KnownTargets& targets_;
  Completions completions_;
};

// `patra help plan …` offers what `patra plan …` does.
Completions CompleteHelp(const CLI::App& app, std::span<const std::string> before,
                         std::string_view last, const KnownTargets& targets) {
  Gathered gathered(last, targets);
  const auto* at = &app;
  for (const auto& word : before) {
    at = FindSubcommand(*at, word);
    if (at == nullptr) return {};
  }
  gathered.AddCommandsOf(*at);
  return gathered.Take();
}

// --option=value as one word, as zsh and fish give it: the whole word is what they replace.
Completions CompleteJoined(const CLI::App& app, std::span<const std::string> before,
                           std::string_view last, const KnownTargets& targets) {
  const auto equals = last.find('=');
  std::vector<std::string> words(before.begin(), before.end());
  words.emplace_back(last.substr(0, equals));
  const auto walk = WalkLine(app, words);
  if (walk.awaits == nullptr) return {};
  Gathered gathered(last.substr(equals + 1), targets);
  gathered.AddValuesOf(*walk.awaits);
  auto completions = gathered.Take();
  for (auto& offered : completions.words) offered.word = words.back() + "=" + offered.word;
  return completions;
}

}  // namespace

Completions Complete(const CLI::App& app, std::span<const std::string> words,
                     const KnownTargets& targets) {
  if (words.empty()) return {};
  const auto before = words.first(words.size() - 1);
  const auto& last = words.back();
  if (!before.empty() && (before.front() == "help" || before.front() == "manual") &&
      !last.starts_with('-'))
    return CompleteHelp(app, before.subspan(1), last, targets);
  if (last.starts_with("--") && last.find('=') != std::string::npos)
    return CompleteJoined(app, before, last, targets);
  const auto walk = WalkLine(app, before);
  if (walk.unknown_command || walk.unknown_option) return {};
  Gathered gathered(last, targets);
  if (walk.awaits != nullptr) {
    gathered.AddValuesOf(*walk.awaits);
    if (walk.awaits->get_items_expected_min() > 0) return gathered.Take();
  }
  if (last.starts_with('-')) {
    gathered.AddOptionsOf(*walk.at);
    return gathered.Take();
  }
  gathered.AddCommandsOf(*walk.at);
  const auto arguments = ArgumentsOf(*walk.at);
  if (arguments.empty()) return gathered.Take();
  const auto at = std::min(walk.arguments, arguments.size() - 1);
  const bool is_wanted =
      walk.arguments < arguments.size() || arguments.back()->get_items_expected_max() > 1;
  if (is_wanted) gathered.AddValuesOf(*arguments[at]);
  return gathered.Take();
}

std::string Print(const Completions& completions) {
  std::string text;
  for (const auto& [word, about] : completions.words)
    text += about.empty() ? word + "\n" : fmt::format("{}\t{}\n", word, about);
  switch (completions.files) {
    case Completions::Files::kFiles:
      return text + ":files\n";
    case Completions::Files::kFolders:
      return text + ":folders\n";
    case Completions::Files::kNone:
      break;
  }
  return text;
}

std::string_view CompletionScript(std::string_view shell) {
  if (shell == "zsh") {
    return R"zsh(#compdef patra
# Made by `patra completion zsh`.
_patra() {
  local line word
  local -a offered
  for line in "${(@f)$(patra __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) _files ;;
      :folders) _files -/ ;;
      *$'\t'*) word=${line%%$'\t'*}; offered+=("${word//:/\\:}:${line#*$'\t'}") ;;
      *) offered+=("${line//:/\\:}") ;;
    esac
  done
  (( ${#offered} )) && _describe 'patra' offered
}
if [[ $funcstack[1] == _patra ]]; then _patra "$@"; else compdef _patra patra; fi
)zsh";
  }
  if (shell == "fish") {
    return R"fish(# Made by `patra completion fish`.
function __patra_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    patra __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c patra -f -a '(__patra_complete | string match -v ":*")'
complete -c patra -n '__patra_complete | string match -qr "^:(files|folders)\$"' -F
)fish";
  }
  return R"bash(# Made by `patra completion bash`.
_patra() {
  local line word
  local -a words=()
  # bash takes the = of --option=value for a word of its own.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == '=' ]] || words+=("$word")
  done
  [[ ${COMP_WORDS[COMP_CWORD]} == '=' ]] && words+=('')
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2>/dev/null ;;
      :folders) compopt -o dirnames 2>/dev/null ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(patra __complete "${words[@]}" 2>/dev/null)
}
complete -F _patra patra
)bash";
}

}  // namespace patra::adapter::cli
