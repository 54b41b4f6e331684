#pragma once

#include <memory>

#include "app/port/transport.h"
#include "base/clock.h"

namespace patra::infra::curl {

struct TransportOptions {
  std::string user_agent = "patra/0.1";
  Duration connect_timeout = std::chrono::seconds(10);
  Duration total_timeout = std::chrono::seconds(60);
  std::size_t body_bytes_max = std::size_t{64} << 20;
  std::size_t header_bytes_max = std::size_t{256} << 10;
};

// libcurl with one handle and its own connection pool. Not thread-safe: one per worker.
class Transport final : public app::Transport {
 public:
  static Result<std::unique_ptr<Transport>> Create(TransportOptions options, const Clock& clock);
  ~Transport() override;

  Result<app::HttpResponse> Send(const app::HttpRequest& request) override;

 private:
  struct Handle;
  Transport(TransportOptions options, const Clock& clock, std::unique_ptr<Handle> handle);

  const TransportOptions options_;
  const Clock& clock_;
  std::unique_ptr<Handle> handle_;
};

}  // namespace patra::infra::curl
