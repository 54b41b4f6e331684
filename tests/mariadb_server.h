// A MariaDB server of the test's own, which keeps safe what it has said is safe, to be killed, paused and started again.
#pragma once

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
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
    PATRA_TRY(server->Tell("test_mariadb", {"start", server->home(), "durable"}));
    std::ifstream(server->home() + "/port") >> server->port_;
    return server;
  }
  virtual ~MariadbServer() {
    if (!FileOf("pid")) return;  // it has not begun
    Continue();
    (void)Tell("test_mariadb", {"stop", home()});
  }
  MariadbServer(const MariadbServer&) = delete;
  MariadbServer& operator=(const MariadbServer&) = delete;

  virtual unsigned port() const { return port_; }
  std::string Url(const std::string& database) const { return UrlAt(port(), database); }
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
  virtual void Kill() { End(Pid(), SIGKILL); }
  // As its administrator would.
  virtual void ShutDown() { End(Pid(), SIGTERM); }
  virtual Result<void> StartAgain() { return Tell("test_mariadb", {"again", home()}); }

  virtual void Pause() { kill(Pid(), SIGSTOP); }
  virtual void Continue() { kill(Pid(), SIGCONT); }

 protected:
  static constexpr Duration kEndsWithin = std::chrono::seconds(20);
  static constexpr Duration kStartsWithin = std::chrono::seconds(120);

  // The server's user is another one where we are root.
  MariadbServer() { std::filesystem::permissions(folder_.Path("."), std::filesystem::perms(0711)); }

  // The number in a file of the script's.
  std::optional<int> FileOf(const std::string& name) const {
    int number = 0;
    if (std::ifstream(home() + "/" + name) >> number) return number;
    return std::nullopt;
  }
  virtual pid_t Pid() const { return FileOf("pid").value(); }

  static void End(pid_t pid, int signal) {
    kill(pid, signal);
    SystemClock clock;
    for (const auto begin = clock.Elapsed(); clock.Elapsed() - begin < kEndsWithin;) {
      if (kill(pid, 0) != 0) return;
      clock.SleepFor(std::chrono::milliseconds(1));
    }
    kill(pid, SIGKILL);
  }

  static Result<void> Tell(const std::string& tool, std::vector<std::string> words) {
    words.insert(words.begin(), PATRA_SOURCE_DIR "/tools/" + tool);
    auto child = PATRA_TRY(ChildProcess::Start(words));
    const auto code = child.AwaitUntil(SystemClock().Elapsed() + kStartsWithin);
    if (code == 0) return {};
    return Fail(ErrorCode::kUnavailable, fmt::format("{} {} failed", tool, words[1]));
  }

  std::string home() const { return folder_.Path("server"); }

 private:
  TemporaryFolder folder_;
  unsigned port_ = 0;
};

}  // namespace patra::testing
