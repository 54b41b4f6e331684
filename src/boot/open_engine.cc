#include "boot/open_engine.h"

#include <stdlib.h>

#include <filesystem>
#include <optional>

#include "app/desk/engine_operations.h"
#include "base/clock.h"
#include "boot/configuration.h"
#include "boot/credential_folder.h"
#include "boot/engine.h"
#include "boot/sources_folder.h"
#include "boot/stop_on_signals.h"

namespace patra::boot {
namespace {

// Who only looks makes no store where there is none: it looks into an empty one that goes away with it.
class TemporaryStore {
 public:
  static Result<TemporaryStore> Make() {
    auto folder = (std::filesystem::temp_directory_path() / "patra-dry-run-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
      return Fail(ErrorCode::kUnavailable, "no temporary folder can be made");
    return TemporaryStore(std::move(folder));
  }
  ~TemporaryStore() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryStore(TemporaryStore&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  TemporaryStore& operator=(TemporaryStore&&) = delete;

  std::string url() const { return StoreAddress::OfFile(folder_ + "/patra.db").url(); }

 private:
  explicit TemporaryStore(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

// In the order in which its parts need each other.
struct EngineParts {
  std::optional<TemporaryStore> temporary;
  SystemClock clock;
  std::unique_ptr<Engine> engine;
  std::optional<StopOnSignals> stop;
  std::optional<app::SecretMask> mask;
  std::optional<app::EngineOperations> operations;
};

}  // namespace

Result<std::shared_ptr<app::Operations>> OpenEngine(const adapter::cli::EngineRequest& request) {
  const auto address = PATRA_TRY(request.must_exist ? StoreAddress::OfExisting(request.database)
                                                    : StoreAddress::Parse(request.database));
  auto parts = std::make_shared<EngineParts>();
  EngineOptions options{.database = request.database,
                        .allow_loopback = request.allow_loopback,
                        .networks = request.networks,
                        .log = request.log,
                        .workers = request.workers,
                        .use = request.looks ? StoreUse::kLook : StoreUse::kChange,
                        .credential_folder = UsersCredentialFolder()};
  if ((request.looks || request.makes_none) && !address.Exists()) {
    parts->temporary.emplace(PATRA_TRY(TemporaryStore::Make()));
    options.database = parts->temporary->url();
  }
  const auto configuration = PATRA_TRY(ReadConfiguration(request.configuration));
  PATRA_TRY(Configure(configuration, options));
  options.gate.url = request.gate;
  options.plan.release = request.release;
  options.plan.registry = request.registry;
  parts->engine = PATRA_TRY(Engine::Open(options, parts->clock));
  if (request.stops_on_signals) parts->stop.emplace(parts->engine->stop());
  const auto folder = SourcesFolder(request.sources_folder);
  parts->mask.emplace(parts->engine->mask_ports(folder));
  parts->operations.emplace(parts->engine->operations(folder, *parts->mask));
  return std::shared_ptr<app::Operations>(parts, &*parts->operations);
}

}  // namespace patra::boot
