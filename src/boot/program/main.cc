#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "adapter/cli/command_line.h"
#include "base/clock.h"
#include "boot/application.h"
#include "boot/keep_out_of_cores.h"

namespace {

// Asked for whenever something is drawn: a window may have another size by then.
std::size_t ColumnsOf(int terminal) {
  winsize size{};
  return ioctl(terminal, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

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
                                           .color = err_is_terminal,
                                           .out_columns = [] { return ColumnsOf(STDOUT_FILENO); },
                                           .err_columns = [] { return ColumnsOf(STDERR_FILENO); }});
  std::cout.flush();
  // A result that could not be written (a full disk, a closed pipe) is not a success.
  return std::cout.good() ? exit_code : patra::adapter::cli::kFailed;
}
