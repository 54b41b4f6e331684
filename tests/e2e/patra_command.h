// The program's commands, run within the test.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "adapter/cli/command_line.h"
#include "boot/application.h"

namespace patra::testing {

struct CommandAnswer {
  int code = 0;
  std::string out;
  std::string err;
};

inline CommandAnswer RunPatra(boot::Application& application, Clock& clock,
                              const std::string& database, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "patra");
  arguments.insert(arguments.end(), {"--db", database});
  std::vector<const char*> argv;
  for (const auto& argument : arguments) argv.push_back(argument.c_str());
  std::istringstream in;
  std::ostringstream out, err;
  const int code =
      adapter::cli::RunCommandLine(static_cast<int>(argv.size()), argv.data(), application, clock,
                                   {.out = out, .err = err, .in = in});
  return {code, out.str(), err.str()};
}

}  // namespace patra::testing
