// The simulator's HTTP/1.1 server. It is our own because it must be able to break framing on
// purpose, and because a benchmark must never measure it: it writes prepared bodies as they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "sim/http_message.h"

namespace patra::sim {

// Called from many threads at once.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void Answer(const Request& request, Response& response) = 0;
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0 = any free one
  bool tls = false;
  int connections_max = 512;
  HttpLimits http;
  Duration idle_max = std::chrono::seconds(75);
};

struct ConnectionCounts {
  int open = 0;
  int peak = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;  // over connections_max
};

// Thread-safe. One thread per connection: a simulated provider that is slow blocks only its client.
class Server {
 public:
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler& handler);
  ~Server();

  std::uint16_t port() const;
  const std::string& certificate() const;  // PEM; empty without TLS
  ConnectionCounts connections() const;

  void Stop();  // cuts what is open, waits for every thread; may be called twice

 private:
  class Running;
  explicit Server(std::unique_ptr<Running> running);
  std::unique_ptr<Running> running_;
};

}  // namespace patra::sim
