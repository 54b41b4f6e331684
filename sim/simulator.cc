// The way of a request: /__sim goes to the controls; everything else finds its provider by the
// first part of the path, passes the limits, and is answered.
#include "sim/simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/http_date.h"
#include "sim/controls.h"
#include "sim/crossref_provider.h"
#include "sim/fault_effects.h"
#include "sim/faults.h"
#include "sim/gzip.h"
#include "sim/limits.h"
#include "sim/oai_provider.h"
#include "sim/provider.h"
#include "sim/pubmed_provider.h"
#include "sim/rest_provider.h"
#include "sim/server.h"
#include "sim/sim_clock.h"
#include "sim/tushare_provider.h"
#include "sim/world.h"

namespace patra::sim {
namespace {

constexpr std::int64_t kSizeMax = 1'000'000'000;

struct Station {
  std::unique_ptr<Provider> provider;
  LimitGate gate;
  ArrivalLog log;

  Station(std::unique_ptr<Provider> made, bool enforce_limits)
      : provider(std::move(made)),
        gate(enforce_limits ? provider->DefaultLimits() : std::vector<LimitRule>()) {}
};

using MakeProvider = std::unique_ptr<Provider> (*)(const World&);

template <typename T>
std::unique_ptr<Provider> Make(const World& world) {
  return std::make_unique<T>(world);
}

struct KnownProvider {
  std::string_view name;
  MakeProvider make;
};

constexpr auto kProviders = std::to_array<KnownProvider>({
    {"rest", Make<RestProvider>},
    {"crossref", Make<CrossrefProvider>},
    {"pubmed", Make<PubmedProvider>},
    {"oai", Make<OaiProvider>},
    {"tushare", Make<TushareProvider>},
});

Result<void> CheckOptions(const SimulatorOptions& options) {
  const auto invalid = [](std::string message) {
    return Fail(ErrorCode::kInvalidInput, std::move(message));
  };
  if (options.size < 1 || options.size > kSizeMax) {
    return invalid(fmt::format("the size must be between 1 and {}", kSizeMax));
  }
  if (options.begin >= options.now) return invalid("the history must begin before now");
  if (options.speed < 0 || options.speed > 1e6) return invalid("the speed must be 0 to 1000000");
  if (options.late_by < Duration::zero()) return invalid("late arrivals cannot be early");
  for (const auto& name : options.providers) {
    if (std::ranges::find(kProviders, name, &KnownProvider::name) == kProviders.end()) {
      return invalid(fmt::format("there is no provider '{}'", name));
    }
  }
  return {};
}

}  // namespace

class Simulator::Running final : public Handler, public Controls::Target {
 public:
  explicit Running(const SimulatorOptions& options)
      : world_({.seed = options.seed,
                .size = options.size,
                .begin = options.begin,
                .start = options.now,
                .late_by = options.late_by}),
        clock_(options.now, options.speed,
               options.clock_offset.value_or(options.now - SystemClock().Now())),
        tls_(options.tls),
        gzip_(options.gzip) {
    for (const auto& known : kProviders) {
      const bool wanted =
          options.providers.empty() ||
          std::ranges::find(options.providers, known.name) != options.providers.end();
      if (wanted) {
        stations_.push_back(std::make_unique<Station>(known.make(world_), options.enforce_limits));
      }
    }
  }

  Result<void> Listen(const SimulatorOptions& options) {
    ServerOptions server;
    server.address = options.address;
    server.port = options.port;
    server.tls = options.tls;
    server.connections_max = options.connections_max;
    address_ =
        options.address.contains(':') ? fmt::format("[{}]", options.address) : options.address;
    server_ = PATRA_TRY(Server::Start(server, *this));
    return {};
  }

  void Answer(const Request& request, Response& response) override {
    if (request.path == "/__sim" || request.path.starts_with("/__sim/")) {
      return controls_.Answer(request, response);
    }
    auto* station = StationOf(request.path);
    if (!station) return AnswerUnknown(response);
    AnswerAt(*station, request, response);
  }

  std::string url() const override {
    return fmt::format("{}://{}:{}", tls_ ? "https" : "http", address_, server_->port());
  }
  Server& server() { return *server_; }
  const Server& server() const { return *server_; }

  std::vector<std::string> Endpoints() const override {
    std::vector<std::string> endpoints;
    for (const auto& station : stations_) {
      for (auto& line : station->provider->Endpoints()) endpoints.push_back(std::move(line));
    }
    return endpoints;
  }

  Instant WorldNow() const override { return clock_.WorldNow(); }
  void Advance(Duration duration) override { clock_.Advance(duration); }
  void SetClockOffset(Duration offset) { clock_.SetOffset(offset); }

  Result<std::unique_ptr<TruthWalk>> Truth(std::string_view source, Instant from,
                                           Instant to) const override {
    const auto slash = source.find('/');
    const auto variant = slash == std::string_view::npos ? "" : source.substr(slash + 1);
    const auto* station = PATRA_TRY(Named(source.substr(0, slash)));
    auto walk = station->provider->Truth(variant, from, to, clock_.WorldNow());
    if (!walk) return Fail(ErrorCode::kNotFound, fmt::format("there is no source '{}'", source));
    return walk;
  }

  Result<void> SetLimits(std::string_view source, const Value& rules) override {
    auto* station = PATRA_TRY(Named(source));
    if (!rules.AsArray()) return Fail(ErrorCode::kInvalidInput, "limits must be an array");
    std::vector<LimitRule> parsed;
    for (const auto& rule : *rules.AsArray()) parsed.push_back(PATRA_TRY(ParseLimitRule(rule)));
    station->gate.SetRules(std::move(parsed));
    return {};
  }

  Result<void> SetFaults(const Value& scenario) override { return faults_.Load(scenario); }
  Value Faults() const override { return faults_.Describe(); }

  Value Limits() const override {
    Value::Object all;
    for (const auto& station : stations_) {
      Value::Array rules;
      for (const auto& rule : station->gate.rules()) rules.push_back(DescribeRule(rule));
      all[std::string(station->provider->name())] = std::move(rules);
    }
    return all;
  }

  Value Stats() const override {
    Value::Object sources;
    for (const auto& station : stations_) {
      sources[std::string(station->provider->name())] = station->log.Describe();
    }
    const auto connections = server_->connections();
    return Value::Object{{"sources", std::move(sources)},
                         {"connections", Value::Object{{"open", connections.open},
                                                       {"peak", connections.peak},
                                                       {"accepted", connections.accepted},
                                                       {"refused", connections.refused}}}};
  }

  void ClearStats() override {
    for (const auto& station : stations_) station->log.Clear();
  }

 private:
  Station* StationOf(std::string_view path) const {
    for (const auto& station : stations_) {
      const auto name = station->provider->name();
      if (path.size() > name.size() && path.substr(1).starts_with(name) &&
          (path.size() == name.size() + 1 || path[name.size() + 1] == '/')) {
        return station.get();
      }
    }
    return nullptr;
  }

  Result<Station*> Named(std::string_view source) const {
    for (const auto& station : stations_) {
      if (station->provider->name() == source) return station.get();
    }
    return Fail(ErrorCode::kNotFound, fmt::format("there is no source '{}'", source));
  }

  Call MakeCall(const Station& station, const Request& request) const {
    const auto name = station.provider->name();
    const auto* host = request.Header("host");
    auto path = request.path.substr(name.size() + 1);
    if (path.empty()) path = "/";
    return {
        .request = request,
        .path = std::move(path),
        .base_url = fmt::format(
            "{}/{}", host ? fmt::format("{}://{}", tls_ ? "https" : "http", *host) : url(), name),
        .world_now = clock_.WorldNow(),
        .server_time = clock_.ServerTime(),
        .troubles = {}};
  }

  void AnswerAt(Station& station, const Request& request, Response& response) {
    auto call = MakeCall(station, request);
    const auto date = FormatHttpDate(clock_.ServerNow());
    response.SetHeader("date", date);
    const auto caller = station.provider->IdentifyCaller(call);
    auto decision = station.gate.Enter(caller, call.server_time);
    station.log.Count(caller, call.server_time, !decision.rejection);
    if (decision.rejection) {
      station.provider->Reject(call, *decision.rejection, response);
      response.SetHeader("date", date);
      return;
    }
    response.held_while_sending = std::move(decision.place);
    const auto strikes =
        faults_.StrikesOn(station.provider->name(), request.target, call.server_time);
    call.troubles = TroublesOf(strikes);
    if (!AnswerInstead(strikes, *station.provider, call, response)) {
      station.provider->Answer(call, response);
    }
    response.SetHeader("date", date);  // also where the provider writes its own headers
    station.provider->ShowLimits(call, decision.state, response);
    if (gzip_) CompressFor(request, response);
    SpoilAnswer(strikes, response);
  }

  static void CompressFor(const Request& request, Response& response) {
    constexpr std::size_t kWorthIt = 1'000;
    const auto* accepted = request.Header("accept-encoding");
    const bool can = accepted && accepted->find("gzip") != std::string::npos;
    const bool packed = std::ranges::any_of(response.headers, [](const NameAndText& header) {
      return header.first == "content-encoding";
    });
    if (!can || packed || response.body.size() < kWorthIt) return;
    response.body = Gzip(response.body);
    response.SetHeader("content-encoding", "gzip");
  }

  void AnswerUnknown(Response& response) const {
    response.status = 404;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "Nothing is simulated here. Try:\n";
    for (const auto& line : Endpoints()) response.body += "  " + line + "\n";
  }

  const World world_;
  SimClock clock_;
  const bool tls_;
  const bool gzip_;
  std::string address_;
  std::vector<std::unique_ptr<Station>> stations_;
  FaultPlan faults_;
  Controls controls_{*this};
  std::unique_ptr<Server> server_;  // last: its threads use everything above
};

Result<std::unique_ptr<Simulator>> Simulator::Start(SimulatorOptions options) {
  if (auto checked = CheckOptions(options); !checked) return std::unexpected(checked.error());
  auto running = std::make_unique<Running>(options);
  if (auto loaded = running->SetFaults(options.faults); !loaded) {
    return std::unexpected(std::move(loaded).error().While("reading the faults"));
  }
  if (auto listening = running->Listen(options); !listening) {
    return std::unexpected(std::move(listening).error().While("starting the simulator"));
  }
  return std::unique_ptr<Simulator>(new Simulator(std::move(running)));
}

Simulator::Simulator(std::unique_ptr<Running> running) : running_(std::move(running)) {}
Simulator::~Simulator() = default;

std::string Simulator::url() const { return running_->url(); }
std::uint16_t Simulator::port() const { return running_->server().port(); }
const std::string& Simulator::certificate() const { return running_->server().certificate(); }
std::vector<std::string> Simulator::Endpoints() const { return running_->Endpoints(); }
Instant Simulator::WorldNow() const { return running_->WorldNow(); }
void Simulator::Advance(Duration duration) { running_->Advance(duration); }
void Simulator::SetClockOffset(Duration offset) { running_->SetClockOffset(offset); }

Result<std::unique_ptr<TruthWalk>> Simulator::Truth(std::string_view source, Instant from,
                                                    Instant to) const {
  return running_->Truth(source, from, to);
}

Result<void> Simulator::SetLimits(std::string_view source, const Value& rules) {
  return running_->SetLimits(source, rules);
}

Result<void> Simulator::SetFaults(const Value& scenario) { return running_->SetFaults(scenario); }
Value Simulator::Stats() const { return running_->Stats(); }
void Simulator::ClearStats() { running_->ClearStats(); }
void Simulator::Stop() { running_->server().Stop(); }

}  // namespace patra::sim
