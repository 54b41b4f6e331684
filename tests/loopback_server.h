// A provider on a loopback port that answers as the test says, and remembers what it was asked.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/server.h"

namespace patra::testing {

class LoopbackServer final : public sim::Handler {
 public:
  using Script = std::function<void(const sim::Request&, sim::Response&)>;

  explicit LoopbackServer(Script script, bool tls = false)
      : script_(std::move(script)), server_(*sim::Server::Start({.tls = tls}, *this)), tls_(tls) {}

  std::string url(const std::string& path = "") const {
    return fmt::format("{}://{}{}", tls_ ? "https" : "http", host(), path);
  }
  std::string host() const { return fmt::format("127.0.0.1:{}", server_->port()); }
  const std::string& certificate() const { return server_->certificate(); }
  std::int64_t connections() const { return server_->connections().accepted; }
  void Stop() { server_->Stop(); }

  std::vector<sim::Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  void Answer(const sim::Request& request, sim::Response& response) override {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    script_(request, response);
  }

 private:
  const Script script_;
  mutable std::mutex mutex_;
  std::vector<sim::Request> requests_;
  const std::unique_ptr<sim::Server> server_;
  const bool tls_;
};

}  // namespace patra::testing
