// A program that runs beside this one, to be awaited or killed without warning.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace patra::testing {

class ChildProcess {
 public:
  // What it says goes to the end of `log`; without one, to where our own output goes.
  static Result<ChildProcess> Start(const std::vector<std::string>& command,
                                    const std::string& log = {}) {
    std::vector<char*> arguments;
    for (const auto& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid < 0) return Fail(ErrorCode::kUnavailable, "no process can be started");
    if (pid > 0) return ChildProcess(pid);
    if (!log.empty()) {
      const int file = open(log.c_str(), O_CREAT | O_APPEND | O_WRONLY, 0600);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
    }
    execv(arguments.front(), arguments.data());
    _exit(127);
  }

  ChildProcess(ChildProcess&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    if (this != &other) {
      Kill();
      pid_ = std::exchange(other.pid_, 0);
    }
    return *this;
  }
  ~ChildProcess() { Kill(); }

  // Its exit code, once it has ended; that of a killed one is 128 and the signal.
  std::optional<int> Ended() {
    int status = 0;
    if (pid_ == 0 || waitpid(pid_, &status, WNOHANG) == 0) return std::nullopt;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // Nothing where it lives on at the deadline, told by the clock that only runs forward.
  std::optional<int> AwaitUntil(Duration deadline) {
    SystemClock clock;
    while (clock.Elapsed() < deadline) {
      if (const auto code = Ended()) return code;
      clock.SleepFor(std::chrono::milliseconds(1));
    }
    return Ended();
  }

  void Signal(int signal) const {
    if (pid_ != 0) kill(pid_, signal);
  }

  void Kill() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;
};

}  // namespace patra::testing
