// The API on a socket: HTTP/1.1, with TLS where it is given a certificate. Every bound is here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "adapter/rest/allowance.h"
#include "adapter/rest/front.h"
#include "adapter/rest/services.h"
#include "adapter/rest/waiting_front.h"
#include "base/clock.h"
#include "base/result.h"

namespace patra::adapter::rest {

struct ServerBounds {
  unsigned connections_max = 512;
  unsigned connections_per_address_max = 128;
  std::size_t header_bytes_max = 32u << 10;
  std::size_t body_bytes_max = kBodyBytesUsual;
  Duration request_deadline = std::chrono::seconds(30);
  Duration answer_deadline = std::chrono::seconds(60);
  unsigned network_threads = 1;
  int workers = 4;
  std::size_t waiting_max = 256;  // requests that no worker has begun with
  Rate caller{.per_second = 1'000, .at_once = 2'000};
  EventBounds events{};
};

struct ServerOptions {
  std::string listen = "127.0.0.1:8470";
  std::string certificate_file{};  // PEM, with the chain; empty: no TLS
  std::string key_file{};          // PEM; only its owner and group may read it
  std::vector<std::string> hosts{};
  std::vector<std::string> origins{};
  ServerBounds bounds{};
};

class Server {
 public:
  // `services` and `clock` outlive it; `clock` measures how long things take.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Services& services,
                                               const Clock& clock, OnAnswered on_answered = {});
  // The same while there is no store: tells probes the reasons, and everybody else to come again.
  static Result<std::unique_ptr<Server>> StartWaiting(const ServerOptions& options,
                                                      WaitingFront::Reasons reasons,
                                                      const Clock& clock);
  // Stops at once.
  virtual ~Server() = default;

  // With the port that it has: "127.0.0.1:8470".
  virtual const std::string& address() const = 0;
  virtual std::string url() const = 0;
  virtual std::size_t connections() const = 0;

  // Takes no new connections, answers what was asked, for so long at most but for what handlers are at, and ends. Once.
  virtual void Stop(Duration deadline) = 0;
};

}  // namespace patra::adapter::rest
