#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/port/stop_request.h"
#include "app/port/transport.h"
#include "base/clock.h"
#include "infra/curl/address_policy.h"
#include "infra/curl/body_decoder.h"

namespace patra::infra::curl {

struct TransportOptions {
  std::string user_agent = "patra";       // of requests that bring none
  bool allow_loopback = false;            // connect to this machine
  std::vector<std::string> networks{};    // further networks that are not public, "10.1.0.0/16"
  std::string certificate_authorities{};  // PEM, instead of the system's
  std::size_t bodies_bytes_max = std::size_t{1} << 30;  // of all answers that somebody still holds
  Duration idle_max =
      std::chrono::seconds(30);  // of a connection that is kept for the next request
  // Interrupts answers that are not whole soon after somebody asks to stop; null: nobody does. Outlives the transport.
  const app::StopRequest* stop = nullptr;
};

// libcurl, with a handle for every request that is under way: its connection pool is not dependable
// across threads, so each handle keeps its own. Thread-safe.
//
// The address that is connected to is checked when it is known. Behind a proxy it is the proxy's, which
// the operator chose; then only addresses that stand in the URL itself can be checked.
class Transport final : public app::Transport {
 public:
  static Result<std::unique_ptr<Transport>> Create(const TransportOptions& options,
                                                   const Clock& clock);
  ~Transport() override;

  Result<app::HttpResponse> Send(const app::HttpRequest& request) override;
  Result<void> Check(const std::string& url) const override;

 private:
  class Handle;
  Transport(TransportOptions options, AddressPolicy policy, const Clock& clock);

  // One that is connected to that origin already, if there is one.
  Result<std::unique_ptr<Handle>> Take(const std::string& origin);
  void GiveBack(std::unique_ptr<Handle> handle);

  const TransportOptions options_;
  const AddressPolicy policy_;
  const Clock& clock_;
  const std::shared_ptr<BodyRoom> room_;  // with every answer, which may outlive this
  std::mutex mutex_;
  std::vector<std::unique_ptr<Handle>> idle_;
};

}  // namespace patra::infra::curl
