// What the help and the manual say of commands beyond what their arguments do: what exit codes mean, and which belong
// together.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace patra::adapter::cli {

struct ExitNote {
  int code;
  std::string_view meaning;
};

// Of a command as it is typed after "patra", such as "plan list"; empty where they are those of patra itself, whose name is
// empty.
std::span<const ExitNote> ExitsOf(std::string_view command);

// In the order in which they are for those who read patra's own help.
struct CommandGroup {
  std::string_view title;
  std::vector<std::string_view> commands;
};
const std::vector<CommandGroup>& CommandGroups();

}  // namespace patra::adapter::cli
