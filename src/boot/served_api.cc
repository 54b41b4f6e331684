#include "boot/served_api.h"

#include <mutex>

#include <fmt/format.h>

#include "app/desk/desk_ports.h"
#include "app/metrics/gauges.h"
#include "app/source/sources.h"
#include "boot/credential_folder.h"
#include "boot/open_gate.h"
#include "infra/definitions/yaml_files.h"
#include "infra/gate/credential_book.h"

namespace patra::boot {
namespace {

constexpr Duration kAnswersEndWithin = std::chrono::seconds(5);
// It is asked every two.
constexpr Duration kStoreIsSilentAfter = std::chrono::seconds(8);
// However many ask.
constexpr Duration kLookAtGaugesEvery = std::chrono::seconds(5);
constexpr app::Meter kBuild{
    .name = "patra_build_info", .help = "What runs", .kind = app::MeterKind::kGauge};

// Who asked for what, and what came of it; what only looks is told to those who want to know everything.
void TellAnswered(const adapter::rest::AnsweredRequest& told, app::Log& log) {
  const bool looks = told.method == "GET" || told.method == "HEAD";
  log.Write(looks ? app::LogLevel::kDebug : app::LogLevel::kInfo, "api.answered", {},
            {{"method", told.method},
             {"path", told.path},
             {"caller", told.caller},
             {"reason", told.reason},
             {"peer", told.peer},
             {"status", std::int64_t{told.status}},
             {"class", fmt::format("{}xx", told.status / 100)},
             {"tookMs", told.took / std::chrono::milliseconds(1)}});
}

adapter::rest::ServerOptions ServerOptionsOf(const ApiOptions& options) {
  return {.listen = options.listen,
          .certificate_file = options.certificate,
          .key_file = options.key,
          .hosts = options.hosts,
          .origins = options.origins};
}

}  // namespace

std::vector<std::string> NotReady(const app::ServiceHealth& health, const Clock& clock) {
  std::vector<std::string> reasons;
  const auto now = clock.Now();
  for (const auto& part : health.Parts()) {
    if (part.error) reasons.push_back(fmt::format("{}: {}", part.part, part.error->message));
    const bool is_silent = (part.part == kStorePart || part.part == kReadStorePart) &&
                           part.done_at && now - *part.done_at > kStoreIsSilentAfter;
    if (is_silent) reasons.push_back(fmt::format("{}: it has not answered for a while", part.part));
  }
  return reasons;
}

Result<std::unique_ptr<adapter::rest::Server>> ListenMeanwhile(const ApiOptions& options,
                                                               const app::ServiceHealth& health,
                                                               const Clock& clock) {
  return adapter::rest::Server::StartWaiting(
      ServerOptionsOf(options), [&health, &clock] { return NotReady(health, clock); }, clock);
}

// In the order in which its parts need each other.
class ServedApi::Parts final : public adapter::rest::Services {
 public:
  Parts(const ApiOptions& options, Engine& engine, const std::optional<ReadFrom>& read_from,
        const std::string& sources_folder, const app::ServiceHealth& health)
      : engine_(engine),
        health_(health),
        meters_(options.meters),
        book_(UsersCredentialFolder(), options.database->name(), clock_),
        mask_(engine.mask_ports(sources_folder)),
        operations_(engine.operations(sources_folder, mask_)),
        library_(files_, sources_folder, &engine.secrets()),
        desk_(DeskOf(engine.store(), *options.database, options, sources_folder)),
        reading_desk_(read_from
                          ? DeskOf(read_from->store, read_from->address, options, sources_folder)
                          : nullptr) {}

  app::Desk& desk() override { return reading_desk_ ? *reading_desk_ : *desk_; }
  app::Desk& desk_for_changes() override { return *desk_; }
  app::Operations& operations() override { return operations_; }
  app::SourceLibrary& library() override { return library_; }
  const Clock& clock() const override { return engine_.store().clock(); }

  std::vector<std::string> NotReady() override { return boot::NotReady(health_, clock_); }

  std::string Metrics() override {
    if (meters_ == nullptr) return {};
    const std::lock_guard lock(mutex_);
    const auto now = clock_.Elapsed();
    if (!looked_at_ || now - *looked_at_ >= kLookAtGaugesEvery) {
      looked_at_ = now;
      // What cannot be known is left out, and /readyz says why.
      if (!app::SetGauges(engine_.store(), *meters_)) meters_->ForgetGauges();
      meters_->Add(kBuild, {{"version", PATRA_VERSION}}, 1);
    }
    return meters_->Text();
  }

  const Clock& real_clock() const { return clock_; }

 private:
  std::unique_ptr<app::Desk> DeskOf(app::Store& store, const StoreAddress& address,
                                    const ApiOptions& options, const std::string& sources_folder) {
    return app::MakeDesk({.store = store,
                          .gate = [this]() -> Result<app::RateGate*> { return &engine_.gate(); },
                          .gate_counts = CountsOfGate(options.gate, address),
                          .gate_is_shared = !options.gate.empty(),
                          .store_is_shared = address.server().has_value(),
                          .book = book_,
                          .files = files_,
                          .sources_folder = sources_folder,
                          .clock = store.clock(),
                          .registry = engine_.registry_elsewhere(),
                          .mask = mask_});
  }

  Engine& engine_;
  const app::ServiceHealth& health_;
  infra::metrics::PrometheusMeters* const meters_;
  SystemClock clock_;
  infra::definitions::YamlFiles files_;
  infra::gate::CredentialBook book_;
  app::SecretMask mask_;
  app::EngineOperations operations_;
  app::Sources library_;
  const std::unique_ptr<app::Desk> desk_;
  const std::unique_ptr<app::Desk> reading_desk_;  // none: the other is for everybody
  std::mutex mutex_;
  std::optional<Duration> looked_at_{};  // the gauges
};

ServedApi::ServedApi(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

ServedApi::~ServedApi() {
  if (server_) server_->Stop(kAnswersEndWithin);
}

Result<void> ServedApi::KeepAlive() {
  return parts_->desk_for_changes().kept_answers().KeepAlive();
}

Result<std::unique_ptr<ServedApi>> ServedApi::Start(const ApiOptions& options, Engine& engine,
                                                    const std::optional<ReadFrom>& read_from,
                                                    const std::string& sources_folder,
                                                    const app::ServiceHealth& health) {
  std::unique_ptr<ServedApi> api(
      new ServedApi(std::make_unique<Parts>(options, engine, read_from, sources_folder, health)));
  api->server_ = PATRA_TRY(adapter::rest::Server::Start(
      ServerOptionsOf(options), *api->parts_, api->parts_->real_clock(),
      [&log = engine.log()](const adapter::rest::AnsweredRequest& told) {
        TellAnswered(told, log);
      }));
  return api;
}

}  // namespace patra::boot
