// A MariaDB server of the test's own, which keeps safe what it has said is safe, to be killed, paused and started again.
#pragma once

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "infra/mysql/connection.h"
#include "tests/child_process.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

class MariadbServer {
 public:
  static Result<std::unique_ptr<MariadbServer>> Start() {
    auto server = std::unique_ptr<MariadbServer>(new MariadbServer);
    PATRA_TRY(server->Tell({"start", server->home(), "durable"}));
    std::ifstream(server->home() + "/port") >> server->port_;
    return server;
  }
  ~MariadbServer() {
    Continue();
    (void)Tell({"stop", home()});
  }
  MariadbServer(const MariadbServer&) = delete;
  MariadbServer& operator=(const MariadbServer&) = delete;

  unsigned port() const { return port_; }
  std::string Url(const std::string& database) const { return UrlAt(port_, database); }
  // The same database behind another port, such as that of a proxy.
  static std::string UrlAt(unsigned port, const std::string& database) {
    return fmt::format("mysql://root@127.0.0.1:{}/{}", port, database);
  }

  Result<void> Run(const std::string& sql) const {
    const auto address = PATRA_TRY(infra::mysql::Address::Parse(Url("mysql")));
    const auto connection = PATRA_TRY(infra::mysql::Connection::Open(address, {}));
    return connection->Execute(sql);
  }

  // Without warning, and gone when this returns.
  void Kill() { End(SIGKILL); }
  // As its administrator would.
  void ShutDown() { End(SIGTERM); }
  Result<void> StartAgain() { return Tell({"again", home()}); }

  void Pause() const { kill(Pid(), SIGSTOP); }
  void Continue() const { kill(Pid(), SIGCONT); }

 private:
  static constexpr Duration kEndsWithin = std::chrono::seconds(20);
  static constexpr Duration kStartsWithin = std::chrono::seconds(60);

  // The server's user is another one where we are root.
  MariadbServer() { std::filesystem::permissions(folder_.Path("."), std::filesystem::perms(0711)); }

  std::string home() const { return folder_.Path("server"); }

  pid_t Pid() const {
    pid_t pid = 0;
    std::ifstream(home() + "/pid") >> pid;
    PATRA_ASSERT(pid > 1);
    return pid;
  }

  void End(int signal) const {
    const auto pid = Pid();
    kill(pid, signal);
    SystemClock clock;
    for (const auto begin = clock.Elapsed(); clock.Elapsed() - begin < kEndsWithin;) {
      if (kill(pid, 0) != 0) return;
      clock.SleepFor(std::chrono::milliseconds(1));
    }
    kill(pid, SIGKILL);
  }

  Result<void> Tell(std::vector<std::string> words) const {
    words.insert(words.begin(), PATRA_SOURCE_DIR "/tools/test_mariadb");
    auto child = PATRA_TRY(ChildProcess::Start(words));
    const auto code = child.AwaitUntil(SystemClock().Elapsed() + kStartsWithin);
    if (code == 0) return {};
    return Fail(ErrorCode::kUnavailable, fmt::format("test_mariadb {} failed", words[1]));
  }

  TemporaryFolder folder_;
  unsigned port_ = 0;
};

}  // namespace patra::testing
