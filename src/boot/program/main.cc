#include <unistd.h>

#include <iostream>

#include "adapter/cli/command_line.h"
#include "base/clock.h"
#include "boot/application.h"
#include "boot/keep_out_of_cores.h"

int main(int argc, char** argv) {
  patra::boot::KeepSecretsOutOfCores();
  const patra::SystemClock clock;
  patra::boot::Application application;
  const bool err_is_terminal = isatty(STDERR_FILENO) == 1;
  const int exit_code =
      patra::adapter::cli::RunCommandLine(argc, argv, application, clock,
                                          {.out = std::cout,
                                           .err = std::cerr,
                                           .in = std::cin,
                                           .out_is_terminal = isatty(STDOUT_FILENO) == 1,
                                           .err_is_terminal = err_is_terminal,
                                           .color = err_is_terminal});
  std::cout.flush();
  // A result that could not be written (a full disk, a closed pipe) is not a success.
  return std::cout.good() ? exit_code : patra::adapter::cli::kFailed;
}
