// What the help and the manual say of a command beyond its options: what its exit codes mean, and examples.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace patra::adapter::cli {

struct ExitNote {
  int code;
  std::string_view meaning;
};

struct CommandNotes {
  std::string_view command;  // as it is typed after "patra": "plan list"; empty: patra itself
  std::span<const ExitNote> exits;
  std::vector<std::string_view> examples;
};

// Nothing but an empty one where there are none.
const CommandNotes& NotesOf(std::string_view command);

// In the order in which they are for those who read patra's own help.
struct CommandGroup {
  std::string_view title;
  std::vector<std::string_view> commands;
};
const std::vector<CommandGroup>& CommandGroups();

}  // namespace patra::adapter::cli
