#include "boot/serve.h"

#include <unistd.h>

#include <future>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/comma_list.h"
#include "boot/configuration.h"
#include "boot/credential_folder.h"
#include "boot/make_log.h"
#include "boot/open_gate.h"
#include "boot/optional_secret.h"
#include "boot/service_signals.h"
#include "boot/shift.h"
#include "boot/sources_folder.h"
#include "boot/stop_on_signals.h"
#include "boot/supervisor.h"
#include "infra/metrics/prometheus_meters.h"

namespace patra::boot {
namespace {

using adapter::cli::ServeReport;
using adapter::cli::ServeRequest;
using adapter::cli::Services;

// How soon a signal is met that came while something else was done, at the latest.
constexpr Duration kLookUpEvery = std::chrono::seconds(5);
constexpr int kCutOff = 1;
constexpr domain::Growth kStorePause{.first = std::chrono::seconds(1),
                                     .most = std::chrono::seconds(15)};

// A file has none.
Result<StoreAddress> ReplicaOf(const StoreAddress& store, const std::string& url) {
  const bool has_own = !PATRA_TRY(OptionalSecret("PATRA_DATABASE_READ_PASSWORD")).empty();
  auto replica = PATRA_TRY(StoreAddress::Parse(
      url, has_own ? "PATRA_DATABASE_READ_PASSWORD" : "PATRA_DATABASE_PASSWORD"));
  if (store.server() && replica.server()) return replica;
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("{} is no replica of {}", replica.name(), store.name()), {},
              "a store on a server can have one, mysql://USER@HOST/DATABASE; leave it out for a "
              "store in a file");
}

class Service {
 public:
  Service(const ServeRequest& request, const Services::OnServing& on_serving)
      : request_(request), on_serving_(on_serving), log_(MakeLog(request.engine.log, clock_)) {}

  Result<ServeReport> Run();

 private:
  // What it goes by; read again when somebody asks for that.
  struct Plan {
    Configuration configuration;
    EngineOptions options;
    std::set<domain::ServiceRole> roles;
    ApiOptions api;
    std::optional<StoreAddress> read_from;  // of the API
    Duration stop_within{};
    app::WatchOptions watch{};
  };

  Result<Plan> ReadPlan();
  // Waits for a store that is away. Nothing where the service was told to end meanwhile.
  Result<std::unique_ptr<Shift>> OpenShift(const Plan& plan);
  Result<void> Begin();
  void Reload();
  // For good, or for another that goes by another configuration: then somebody may first ask for the end meanwhile.
  enum class Ending { kForGood, kForAnother };
  void EndShift(Ending ending);
  void TellServing() const;
  // The signal that ends the service.
  int WaitForEnd();
  Duration Tick() const {
    return std::min(supervisor_.alive_every().value_or(kLookUpEvery), kLookUpEvery);
  }

  const ServeRequest& request_;
  const Services::OnServing& on_serving_;
  SystemClock clock_;
  const ServiceSignals signals_;
  const Supervisor supervisor_;
  const std::unique_ptr<app::Log> log_;
  app::ServiceHealth health_{clock_};
  infra::metrics::PrometheusMeters meters_;
  Configuration begun_with_;
  Plan plan_;
  std::unique_ptr<Shift> shift_;
  std::optional<int> ended_by_;
  std::optional<Error> failure_;  // neither the new configuration nor the one before can be gone by
};

Result<Service::Plan> Service::ReadPlan() {
  const auto& engine = request_.engine;
  Plan plan{.configuration = {},
            .options = {.database = engine.database,
                        .allow_loopback = engine.allow_loopback,
                        .networks = engine.networks,
                        .log = engine.log,
                        .serves = true,
                        .credential_folder = UsersCredentialFolder()}};
  plan.configuration = PATRA_TRY(ReadConfiguration(engine.configuration));
  if (plan.configuration.file.empty() && !begun_with_.file.empty())
    return Fail(ErrorCode::kNotFound, "there is no patra.yaml any more", {},
                "put it back, or end the service and begin it anew to go by defaults");
  PATRA_TRY(Configure(plan.configuration, plan.options));
  plan.options.gate.url = engine.gate;
  plan.options.plan.release = engine.release;
  plan.options.plan.registry = engine.registry;
  const auto& service = plan.configuration.settings.service;
  plan.roles = PATRA_TRY(domain::ServiceRolesOf(request_.roles.value_or(service.roles)));
  plan.options.workers = request_.concurrency.value_or(static_cast<int>(service.concurrency));
  plan.stop_within = service.stop_within;
  plan.watch.patience = service.executions_fail_after;
  const auto kept = plan.options.retention.keep_executions;
  plan.watch.keep = kept == Duration{} ? Duration(std::chrono::days(100 * 365)) : kept;
  auto address = PATRA_TRY(StoreAddress::Parse(engine.database));
  plan.api = {.database = std::move(address),
              .gate = engine.gate,
              .listen = request_.listen.value_or(service.listen),
              .certificate = service.certificate,
              .key = service.key,
              .hosts = CommaList(service.hosts),
              .origins = CommaList(service.origins),
              .meters = &meters_};
  plan.options.meters = &meters_;
  const auto read_from = request_.read_from.value_or(service.read_from);
  if (!read_from.empty() && plan.roles.contains(domain::ServiceRole::kApi))
    plan.read_from = PATRA_TRY(ReplicaOf(*plan.api.database, read_from));
  return plan;
}

Result<std::unique_ptr<Shift>> Service::OpenShift(const Plan& plan) {
  std::unique_ptr<adapter::rest::Server> meanwhile;
  for (int failures = 1;; ++failures) {
    auto opened = Shift::Open(plan.options, plan.read_from,
                              SourcesFolder(request_.engine.sources_folder), plan.watch, clock_);
    if (opened || opened.error().code != ErrorCode::kUnavailable) return opened;
    const auto& error = opened.error();
    health_.Failing(kStorePart, error);
    if (!meanwhile && plan.roles.contains(domain::ServiceRole::kApi))
      meanwhile = PATRA_TRY(ListenMeanwhile(plan.api, health_, clock_));
    if (failures == 1)
      log_->Write(app::LogLevel::kError, "service.waits_for_store", {},
                  {{"reason", error.Describe()}, {"url", meanwhile ? meanwhile->url() : ""}});
    supervisor_.Status("waits for the store: " + error.message);
    const auto again_at = clock_.Elapsed() + kStorePause.After(failures);
    while (clock_.Elapsed() < again_at) {
      supervisor_.Alive();
      ended_by_ = signals_.Wait(std::min<Duration>(again_at - clock_.Elapsed(), Tick()));
      // There is nothing yet that could be read again.
      if (ended_by_ == SIGHUP) ended_by_.reset();
      if (ended_by_) return std::unique_ptr<Shift>();
    }
  }
}

Result<void> Service::Begin() {
  shift_ = PATRA_TRY(OpenShift(plan_));
  if (!shift_) return {};
  PATRA_TRY(shift_->ApplyDefinitions());
  return shift_->Begin(plan_.roles, plan_.api, health_);
}

Result<ServeReport> Service::Run() {
  plan_ = PATRA_TRY(ReadPlan());
  begun_with_ = plan_.configuration;
  PATRA_TRY(Begin());
  if (ended_by_) return ServeReport{.signal = *ended_by_};
  TellServing();
  supervisor_.Ready("serving");
  const int signal = WaitForEnd();
  if (failure_) return std::unexpected(*failure_);
  supervisor_.Stopping();
  StopOnSignals::Note(signal);
  log_->Write(app::LogLevel::kInfo, "service.ends", {}, {{"signal", std::int64_t{signal}}});
  EndShift(Ending::kForGood);
  return ServeReport{.signal = signal};
}

int Service::WaitForEnd() {
  while (!ended_by_ && !failure_) {
    const auto signal = signals_.Wait(Tick());
    supervisor_.Alive();
    if (signal == SIGHUP) {
      Reload();
    } else if (signal) {
      ended_by_ = signal;
    }
  }
  return ended_by_.value_or(0);
}

// A configuration that is wrong changes nothing: the service goes on by the one before.
void Service::Reload() {
  supervisor_.Reloading(clock_.Elapsed());
  auto plan = ReadPlan();
  if (!plan) {
    log_->Write(app::LogLevel::kError, "service.reload_refused", {},
                {{"reason", plan.error().Describe()}});
    supervisor_.Ready("serving by the configuration from before: " + plan.error().message);
    return;
  }
  const auto left = WantsARestart(begun_with_, plan->configuration);
  if (!left.empty())
    log_->Write(app::LogLevel::kWarn, "service.reload_left", {},
                {{"settings", fmt::format("{}", fmt::join(left, ","))},
                 {"reason", "these are read when the service begins: begin it anew"}});
  const auto before = std::exchange(plan_, *std::move(plan));
  EndShift(Ending::kForAnother);
  if (ended_by_) return;
  const auto begun = Begin();
  if (begun) {
    log_->Write(app::LogLevel::kInfo, "service.reloaded", {}, {});
    supervisor_.Ready("serving");
    return;
  }
  // A certificate or an address, say, that cannot be used.
  log_->Write(app::LogLevel::kError, "service.reload_failed", {},
              {{"reason", begun.error().Describe()}});
  shift_.reset();
  plan_ = before;
  if (const auto again = Begin(); !again) {
    failure_ = again.error();
    return;
  }
  supervisor_.Ready("serving by the configuration from before: " + begun.error().message);
}

// Whoever asks a second time does not want to wait. What has not ended by then is not lost: its lease runs out, and somebody
// else goes on with it.
void Service::EndShift(Ending ending) {
  if (!shift_) return;
  auto ended = std::async(std::launch::async, [this] {
    shift_->End();
    shift_.reset();
  });
  const auto until = clock_.Elapsed() + plan_.stop_within;
  while (ended.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    supervisor_.Alive();
    const auto signal = signals_.Wait(std::chrono::milliseconds(20));
    const bool is_told_to_end = signal && signal != SIGHUP;
    if (is_told_to_end && ending == Ending::kForAnother && !ended_by_) {
      ended_by_ = signal;
    } else if (is_told_to_end) {
      _exit(128 + *signal);
    }
    if (clock_.Elapsed() < until) continue;
    log_->Write(app::LogLevel::kWarn, "service.cut_off", {},
                {{"reason", "what is under way has not ended in time"}});
    _exit(kCutOff);
  }
}

void Service::TellServing() const {
  std::vector<std::string> roles;
  for (const auto role : plan_.roles) roles.push_back(domain::LowerCode(domain::CodeOf(role)));
  const auto address = StoreAddress::Parse(plan_.options.database);
  log_->Write(app::LogLevel::kInfo, "service.begins", {},
              {{"roles", fmt::format("{}", fmt::join(roles, ","))},
               {"workers", std::int64_t{plan_.options.workers}}});
  on_serving_({.database = address ? address->name() : plan_.options.database,
               .roles = roles,
               .url = shift_->url()});
}

}  // namespace

Result<ServeReport> Serve(const ServeRequest& request, const Services::OnServing& on_serving) {
  return Service(request, on_serving).Run();
}

}  // namespace patra::boot
