#include "tests/infra/redis/redis_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace patra::testing {

using namespace std::chrono_literals;

int FreePort() {
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  PATRA_ASSERT(bind(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  socklen_t size = sizeof address;
  PATRA_ASSERT(getsockname(file, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  close(file);
  return ntohs(address.sin_port);
}

RedisServer::RedisServer(std::vector<std::string> arguments)
    : arguments_(std::move(arguments)), port_(FreePort()) {
  Start();
}

RedisServer::~RedisServer() { Kill(); }

infra::redis::ConnectOptions RedisServer::connect() const {
  return {.address = {.host = "127.0.0.1", .port = port_}};
}

void RedisServer::Start() {
  constexpr uid_t kNobody = 65534;
  const auto folder = folder_.Path("");
  std::vector<std::string> words{
      "redis-server", "--port", std::to_string(port_), "--bind", "127.0.0.1", "--dir", folder,
      "--save",       "",       "--logfile",           "log"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const bool is_root = geteuid() == 0;
  if (is_root) PATRA_ASSERT(chown(folder.c_str(), kNobody, kNobody) == 0);
  process_ = fork();
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (is_root && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) _exit(126);
    // The server is in redis-tools under this name, and goes by its first word.
    execv("/usr/bin/redis-check-rdb", pointers.data());
    _exit(127);
  }
  SystemClock clock;
  const auto deadline = clock.Elapsed() + 10s;
  while (clock.Elapsed() < deadline) {
    const auto connection = infra::redis::Connection::Open(connect());
    if (connection && (*connection)->Ask({"PING"})) return;
    if (!connection && connection.error().code == ErrorCode::kRefused) return;
    clock.SleepFor(5ms);
  }
  ADD_FAILURE() << "no Redis: install redis-tools";
}

void RedisServer::End(int signal) {
  if (process_ == 0) return;
  kill(process_, SIGCONT);
  kill(process_, signal);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void RedisServer::Stop() { End(SIGTERM); }
void RedisServer::Kill() { End(SIGKILL); }
void RedisServer::Freeze() { kill(process_, SIGSTOP); }
void RedisServer::Thaw() { kill(process_, SIGCONT); }

infra::redis::Reply RedisServer::Ask(const std::vector<std::string_view>& words) const {
  const auto connection = infra::redis::Connection::Open(connect());
  EXPECT_TRUE(connection) << connection.error().Describe();
  if (!connection) return {};
  auto reply = (*connection)->Ask(words);
  EXPECT_TRUE(reply) << reply.error().Describe();
  return reply ? *std::move(reply) : infra::redis::Reply{};
}

RedisServer& EmptyServer() {
  static RedisServer server;
  server.Ask({"FLUSHALL"});
  return server;
}

std::unique_ptr<infra::redis::RateGate> OpenRedisGate(const infra::redis::GateOptions& options,
                                                      app::GateLedger& ledger, const Clock& clock) {
  auto gate = infra::redis::RateGate::Open(options, ledger, clock);
  EXPECT_TRUE(gate) << gate.error().Describe();
  return gate ? *std::move(gate) : nullptr;
}

infra::redis::GateOptions OnVirtualTime(const infra::redis::ConnectOptions& connect) {
  return {.shared = {.connect = connect, .time_by = infra::redis::TimeBy::kCaller},
          .books_ahead = false};
}

}  // namespace patra::testing
