// What a shell offers for the word that is being typed. The scripts of all three shells ask this program, so that none of
// them knows a command.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// The word that scripts begin with when they ask; no command for people.
inline constexpr std::string_view kCompletes = "__complete";

struct Completion {
  std::string word;
  std::string about{};
};

struct Completions {
  enum class Files { kNone, kFiles, kFolders };

  std::vector<Completion> words{};  // those that begin as the last word does
  Files files = Files::kNone;       // the shell offers these as well
};

// The names of sources and SOURCE/ENDPOINTs; asked for only where one is wanted.
using KnownTargets = std::function<std::vector<std::string>()>;

// `words` come after "patra"; the last one, which may be empty, is being typed.
Completions Complete(const CLI::App& app, std::span<const std::string> words,
                     const KnownTargets& targets);

// A line for each: the word, a tab and what it is about; or ":files", ":folders".
std::string Print(const Completions& completions);

// To be read by "bash", "zsh" or "fish".
std::string_view CompletionScript(std::string_view shell);

}  // namespace patra::adapter::cli
