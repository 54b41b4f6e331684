#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
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
  // A file that may not grow any further is an error of who writes it, and no death without a word.
  std::signal(SIGXFSZ, SIG_IGN);
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
  errno = 0;
  std::cout.flush();
  if (std::cout.good()) return exit_code;
  // A result that could not be written (a full disk, a closed pipe) is not a success.
  std::cerr << "patra: what was asked for could not be written to standard output"
            << (errno != 0 ? ": " : "")
            << (errno != 0 ? std::strerror(errno) : "")  // NOLINT(concurrency-mt-unsafe): the end
            << "\n  see whether the disk is full, or whether who reads it has ended\n";
  return patra::adapter::cli::kFailed;
}
