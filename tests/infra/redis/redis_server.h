// A real Redis on a free port of this machine, for one test: it starts no service, and ends with the test.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "infra/redis/rate_gate.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

class RedisServer {
 public:
  // Further arguments as redis-server takes them: {"--appendonly", "yes"}.
  explicit RedisServer(std::vector<std::string> arguments = {});
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  void Start();  // returns when it answers
  void Stop();   // in good order, so that it writes what it should keep
  void Kill();
  void Freeze();  // it keeps its connections and answers nobody
  void Thaw();

  int port() const { return port_; }
  infra::redis::ConnectOptions connect() const;
  // Over a connection of its own; fails the test where it is refused.
  infra::redis::Reply Ask(const std::vector<std::string_view>& words) const;

 private:
  void End(int signal);

  TemporaryFolder folder_;
  std::vector<std::string> arguments_;
  int port_;
  pid_t process_ = 0;
};

// One for all tests that only need an empty one. Emptied before it is handed out.
RedisServer& EmptyServer();

int FreePort();

// A gate that decides at once and by the time that the test says.
std::unique_ptr<infra::redis::RateGate> OpenRedisGate(const infra::redis::GateOptions& options,
                                                      app::GateLedger& ledger, const Clock& clock);
infra::redis::GateOptions OnVirtualTime(const infra::redis::ConnectOptions& connect);

class RedisGateBackend final : public GateBackend {
 public:
  RedisGateBackend() : server_(EmptyServer()) {}
  std::unique_ptr<app::RateGate> Open() override {
    return OpenRedisGate(OnVirtualTime(server_.connect()), ledger_, clock_);
  }
  void LoseState() override { server_.Ask({"FLUSHALL"}); }
  VirtualClock& clock() override { return clock_; }

 private:
  RedisServer& server_;
  PlainGateLedger ledger_;
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
};

}  // namespace patra::testing
