// A part of a benchmark in a process of its own: this very program with other arguments, whose standard output is
// read line by line.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"

namespace patra::bench {

inline void Stop(const Error& error) {
  fmt::print(stderr, "{}\n", error.Describe());
  std::exit(1);
}

template <typename T>
T Must(Result<T> result) {
  if (!result) Stop(result.error());
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

class SideProcess {
 public:
  static SideProcess Start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "/proc/self/exe");
    std::vector<char*> command;
    for (auto& argument : arguments) command.push_back(argument.data());
    command.push_back(nullptr);
    int ends[2];
    if (pipe(ends) != 0) Stop({ErrorCode::kUnavailable, "no pipe can be made"});
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid < 0) Stop({ErrorCode::kUnavailable, "no process can be started"});
    if (pid == 0) {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      execv(command.front(), command.data());
      _exit(127);
    }
    close(ends[1]);
    return {pid, fdopen(ends[0], "r")};
  }

  ~SideProcess() {
    if (pid_ == 0) return;
    std::fclose(output_);
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  SideProcess(SideProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, 0)), output_(std::exchange(other.output_, nullptr)) {}
  SideProcess& operator=(SideProcess&&) = delete;

  // Without its line break; empty when it ended without one.
  std::string ReadLine() {
    std::string line;
    for (int c = std::fgetc(output_); c != EOF && c != '\n'; c = std::fgetc(output_))
      line += static_cast<char>(c);
    return line;
  }

 private:
  SideProcess(pid_t pid, std::FILE* output) : pid_(pid), output_(output) {}

  pid_t pid_;
  std::FILE* output_;
};

}  // namespace patra::bench
