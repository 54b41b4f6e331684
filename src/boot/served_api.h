// The API of a service: a desk and the engine's operations behind a server.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapter/rest/server.h"
#include "app/service/service_health.h"
#include "boot/engine.h"
#include "boot/open_store.h"
#include "infra/metrics/prometheus_meters.h"

namespace patra::boot {

// The part of a service that looks whether the store answers.
inline constexpr const char* kStorePart = "store";
inline constexpr const char* kReadStorePart = "replica";

struct ApiOptions {
  std::optional<StoreAddress> database{};
  std::string gate{};  // a Redis; empty: a file
  std::string listen{};
  std::string certificate{};
  std::string key{};
  std::vector<std::string> hosts{};
  std::vector<std::string> origins{};
  infra::metrics::PrometheusMeters* meters = nullptr;
};

// Where it reads for whoever looks: a replica, which may be a moment behind. Belongs to somebody else.
struct ReadFrom {
  const StoreAddress& address;
  app::Store& store;
};

// What keeps a service from serving, for people.
std::vector<std::string> NotReady(const app::ServiceHealth& health, const Clock& clock);

// Listens in place of an API whose store is waited for, until it is destroyed.
Result<std::unique_ptr<adapter::rest::Server>> ListenMeanwhile(const ApiOptions& options,
                                                               const app::ServiceHealth& health,
                                                               const Clock& clock);

class ServedApi {
 public:
  // All that it is given outlives it.
  static Result<std::unique_ptr<ServedApi>> Start(const ApiOptions& options, Engine& engine,
                                                  const std::optional<ReadFrom>& read_from,
                                                  const std::string& sources_folder,
                                                  const app::ServiceHealth& health);
  ~ServedApi();
  ServedApi(const ServedApi&) = delete;
  ServedApi& operator=(const ServedApi&) = delete;

  std::string url() const { return server_->url(); }

  // Says that the requests that are under way are under way still; asked every app::kKeepAliveEvery.
  Result<void> KeepAlive();

 private:
  class Parts;

  explicit ServedApi(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
  std::unique_ptr<adapter::rest::Server> server_;
};

}  // namespace patra::boot
