// The rate gate: what a decision costs, how much of an allowance is used, and whether a provider that
// counts for itself ever says no.
//
//   gate_bench [SECONDS]    how long the real runs last, all of a gate at once; default 30, 0 leaves them out
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "app/gate/await_permit.h"
#include "domain/gate/provider_signal.h"
#include "infra/curl/transport.h"
#include "infra/gate/rate_gate.h"
#include "infra/sql/gate_ledger.h"
#include "infra/sqlite/store.h"
#include "sim/simulator.h"
#include "tests/domain/gate/gate_model.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/infra/redis/redis_server.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using domain::Limit;
using domain::LimitKind;

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

void MeasureDecisions() {
  testing::TemporaryFolder folder;
  testing::PlainGateLedger ledger;
  const SystemClock stopwatch;
  VirtualClock clock(stopwatch.Now());
  const auto gate = *infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  const domain::GateTarget target{
      .provenance = "crossref", .endpoint = "works", .credential = "key"};
  const auto measure = [&](std::string_view name, const domain::GateRules& rules) {
    constexpr int kCalls = 200'000;
    int allowed = 0;
    const auto begin = stopwatch.Elapsed();
    for (int i = 0; i < kCalls; ++i) {
      const auto answer = gate->Acquire(target, rules, {.task = 1});
      allowed += answer && std::holds_alternative<app::Allow>(*answer);
      clock.Advance(10us);
    }
    const auto decided = stopwatch.Elapsed();
    for (int i = 0; i < kCalls; ++i)
      PATRA_ASSERT(gate->Feedback(target, rules, {.sent_at = clock.Elapsed()}).has_value());
    const auto fed = stopwatch.Elapsed();
    fmt::print("{:<44} {:>8.2f} {:>8.2f}   {} % allowed\n", name,
               Seconds(decided - begin) / kCalls * 1e6, Seconds(fed - decided) / kCalls * 1e6,
               allowed * 100 / kCalls);
  };
  fmt::print("{:<44} {:>8} {:>8}   goal: 2 us\n", "a local decision, in us", "acquire", "feedback");
  measure("one paced limit, always free",
          {.limits = {{.count = 1'000'000, .window = 1s, .jitter = 0s}}});
  measure("the same, mostly taken", {.limits = {{.count = 5, .window = 1s}}});
  measure("195 in any minute, full", {.limits = {{.kind = LimitKind::kSlidingWindow,
                                                  .scope = domain::LimitScope::kCredential,
                                                  .count = 195,
                                                  .window = 60s}}});
  measure("any minute, concurrency; three scopes",
          {.limits = {{.kind = LimitKind::kSlidingWindow,
                       .scope = domain::LimitScope::kCredentialAndEndpoint,
                       .count = 100'000'000,
                       .window = 60s},
                      {.kind = LimitKind::kConcurrency,
                       .scope = domain::LimitScope::kEndpoint,
                       .count = 16,
                       .window = 60s}}});
}

struct Allowance {
  const char* name;
  std::vector<Limit> limits;
};

const std::vector<Allowance> kAllowances = {
    {"5 per second", {{.count = 5, .window = 1s}}},
    {"10 per second", {{.count = 10, .window = 1s}}},
    {"50 per second", {{.count = 50, .window = 1s}}},
    {"195 in any 60 s", {{.kind = LimitKind::kSlidingWindow, .count = 195, .window = 60s}}},
    {"195 per 60 s, paced", {{.count = 195, .window = 60s}}},
    {"3 per second, 1 at a time",
     {{.count = 3, .window = 1s}, {.kind = LimitKind::kConcurrency, .count = 1, .window = 60s}}},
};

void MeasureUtilisation() {
  fmt::print(
      "\n10 minutes of virtual time, latency 200 ms, delays of up to 5 ms, strict provider\n");
  fmt::print("{:<26} {:>9} {:>8} {:>10} {:>9} {:>12} {:>10}\n", "allowance", "executors", "used",
             "W/(W+G)", "guard", "at most by", "rejected");
  fmt::print("{:<26} {:>9} {:>8} {:>10} {:>9} {:>12} {:>10}\n", "", "", "", "", "", "latency", "");
  for (const auto& allowance : kAllowances) {
    for (const int executors : {1, 4, 16}) {
      testing::GateScenario scenario{.executors = executors, .latency = 200ms, .latency_spread = 0};
      scenario.rules.limits = allowance.limits;
      scenario.rules.limits[0].jitter = scenario.delay_max;
      const auto& limit = scenario.rules.limits[0];
      const auto result = testing::GateModel(scenario, 1).Run();
      const auto guard = result.guard;
      const auto allowed =
          static_cast<double>(limit.count) * Seconds(scenario.length) / Seconds(limit.window);
      const auto by_latency = executors / 0.205 * Seconds(scenario.length) / allowed;
      const auto over = std::max<std::int64_t>(
          testing::PeakInAnyWindow(result.arrivals, limit.window) - limit.count, 0);
      fmt::print("{:<26} {:>9} {:>7.2f}% {:>9.2f}% {:>7}ms {:>11.1f}% {:>10}\n", allowance.name,
                 executors, 100 * static_cast<double>(result.arrivals.size()) / allowed,
                 100 * Seconds(limit.window) / Seconds(limit.window + guard), guard / 1ms,
                 100 * std::min(by_latency, 1.0), over);
    }
  }
}

// How many ask at the same time, and in how many processes.
struct Crew {
  int processes = 1;
  int threads = 1;  // each

  int executors() const { return processes * threads; }
};
constexpr auto kCrews = std::to_array<Crew>({{1, 1}, {4, 1}, {4, 4}});
constexpr auto kLatency = std::chrono::milliseconds(200);

// The gate's state: in a file beside a store, or in a Redis.
struct Place {
  std::string database;
  std::optional<int> redis_port{};
};

// A process' own way to it.
struct OpenedGate {
  SystemClock clock;
  std::unique_ptr<infra::sqlite::Store> store;
  std::unique_ptr<infra::sql::GateLedger> ledger;
  std::unique_ptr<app::RateGate> gate;

  explicit OpenedGate(const Place& place)
      : store(*infra::sqlite::Store::Open({.path = place.database}, clock)),
        ledger(std::make_unique<infra::sql::GateLedger>(*store, clock)) {
    if (place.redis_port) {
      infra::redis::GateOptions options;
      options.shared.connect.address = {.host = "127.0.0.1", .port = *place.redis_port};
      gate = *infra::redis::RateGate::Open(options, *ledger, clock);
    } else {
      gate = *infra::gate::RateGate::Open(place.database + "-gate", *ledger, clock);
    }
  }
};

// One of the processes that share the allowance: asks as fast as it may for so long.
void SendFor(const std::string& url, const Place& place, const domain::GateRules& rules,
             int threads_count, Duration length) {
  const OpenedGate opened(place);
  auto& gate = opened.gate;
  SystemClock clock;
  const domain::GateTarget target{.provenance = "rest"};
  const app::HttpRequest request{
      .url =
          url + "/rest/page/items?from=2025-01-01T00:00:00Z&to=2025-02-01T00:00:00Z&page=1&size=1"};
  std::vector<std::jthread> threads;
  for (int i = 0; i < threads_count; ++i) {
    threads.emplace_back([&, i] {
      const auto transport = *infra::curl::Transport::Create({.allow_loopback = true}, clock);
      const auto end = clock.Elapsed() + length;
      const domain::GateAsk ask{
          .deadline = 2s,
          .task = static_cast<std::uint64_t>(getpid()) * 100 + static_cast<std::uint64_t>(i)};
      while (clock.Elapsed() < end) {
        const auto awaited = app::AwaitPermit(*gate, clock, target, rules, ask, [](const auto&) {});
        if (!awaited) {
          fmt::print(stderr, "no permit: {}\n", awaited.error().Describe());
          continue;
        }
        const auto& permit = awaited->permit;
        if (!permit || clock.Elapsed() >= end) continue;
        const auto response = transport->Send(request);
        auto signal = response ? domain::ReadSignal(response->status, response->headers,
                                                    response->received_at, rules)
                               : domain::GateSignal{.kind = domain::GateSignal::Kind::kTransient};
        signal.sent_at = permit->granted_at();
        if (response) {
          signal.delay =
              clock.Elapsed() - signal.sent_at - (response->latency - response->first_byte);
        }
        PATRA_ASSERT(gate->Feedback(target, rules, signal).has_value());
      }
    });
  }
}

// What the processes found out about the way, together.
std::optional<Duration> MeasuredJitter(const Place& place) {
  const OpenedGate opened(place);
  const auto keys = opened.gate->List();
  return keys && !keys->empty() ? keys->front().jitter : std::nullopt;
}

std::string SimRules(const std::vector<Limit>& limits) {
  std::string text;
  for (const auto& limit : limits) {
    text += text.empty() ? "[" : ",";
    text += limit.kind == LimitKind::kConcurrency
                ? fmt::format(R"({{"kind":"concurrency","count":{}}})", limit.count)
                : fmt::format(R"({{"kind":"sliding","count":{},"window":"{}us"}})", limit.count,
                              limit.window.count());
  }
  return text + "]";
}

std::string MeasureAgainstSimulator(const Allowance& allowance, const Crew& crew, Duration length,
                                    bool is_redis) {
  testing::TemporaryFolder folder;
  std::optional<testing::RedisServer> redis;
  if (is_redis) redis.emplace();
  const Place place{folder.Path("bench.db"), redis ? std::optional(redis->port()) : std::nullopt};
  domain::GateRules rules{.limits = allowance.limits};
  // The processes are started before the simulator has threads; its address comes by the pipe.
  std::array<int, 2> pipe_ends{};
  PATRA_ASSERT(pipe(pipe_ends.data()) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < crew.processes; ++i) {
    const auto child = fork();
    if (child == 0) {
      std::array<char, 64> url{};
      PATRA_ASSERT(read(pipe_ends[0], url.data(), url.size()) == static_cast<ssize_t>(url.size()));
      SendFor(url.data(), place, rules, crew.threads, length);
      _exit(0);
    }
    children.push_back(child);
  }
  const auto simulator = *sim::Simulator::Start({.size = 1'000, .providers = {"rest"}});
  PATRA_ASSERT(simulator->SetLimits("rest", *ParseJson(SimRules(allowance.limits))).has_value());
  PATRA_ASSERT(simulator
                   ->SetFaults(*ParseJson(fmt::format(
                       R"({{"faults":[{{"kind":"latency","delay":"{}ms"}}]}})", kLatency / 1ms)))
                   .has_value());
  std::array<char, 64> url{};
  std::ranges::copy(simulator->url(), url.begin());
  for (int i = 0; i < crew.processes; ++i)
    PATRA_ASSERT(write(pipe_ends[1], url.data(), url.size()) == static_cast<ssize_t>(url.size()));
  for (const auto child : children) waitpid(child, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);

  const auto stats = simulator->Stats();
  const auto* rest = stats.Find("sources")->Find("rest");
  const auto count = [&](std::string_view name) { return *rest->Find(name)->AsInteger(); };
  const auto& limit = allowance.limits[0];
  const auto allowed = static_cast<double>(limit.count) * Seconds(length) / Seconds(limit.window);
  const auto by_latency = crew.executors() / Seconds(kLatency) * Seconds(length) / allowed;
  const auto jitter = MeasuredJitter(place);
  const auto guard = rules.SlotLife() + jitter.value_or(limit.jitter);
  return fmt::format("{:<26} {:<5} {:>9} {:>8} {:>9} {:>7.2f}% {:>9.2f}% {:>8.1f}ms {:>11.1f}%\n",
                     allowance.name, is_redis ? "redis" : "file", crew.executors(),
                     count("permitted"), count("rejected"),
                     100 * static_cast<double>(count("permitted")) / allowed,
                     100 * Seconds(limit.window) / Seconds(limit.window + guard),
                     1000 * Seconds(guard), 100 * std::min(by_latency, 1.0));
}

// All at once: each is asleep most of the time, and ten minutes of each in turn would take hours.
void MeasureAllAgainstSimulators(Duration length, bool is_redis) {
  struct Running {
    pid_t process;
    int result;
  };
  std::vector<Running> running;
  for (const auto index : {0U, 1U, 2U, 3U, 5U}) {
    for (const auto& crew : kCrews) {
      std::array<int, 2> ends{};
      PATRA_ASSERT(pipe(ends.data()) == 0);
      const auto child = fork();
      if (child == 0) {
        const auto line = MeasureAgainstSimulator(kAllowances[index], crew, length, is_redis);
        PATRA_ASSERT(write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()));
        _exit(0);
      }
      close(ends[1]);
      running.push_back({child, ends[0]});
    }
  }
  for (const auto& [process, result] : running) {
    std::array<char, 256> line{};
    const auto bytes = read(result, line.data(), line.size());
    waitpid(process, nullptr, 0);
    close(result);
    fmt::print("{}",
               std::string_view(line.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0));
  }
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  using namespace patra;
  const auto seconds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 30;
  MeasureDecisions();
  MeasureUtilisation();
  if (seconds <= 0) return 0;
  fmt::print("\n{} s of real time, latency 200 ms, in up to 4 processes, the simulator counting\n",
             seconds);
  fmt::print("{:<26} {:<5} {:>9} {:>8} {:>9} {:>8} {:>10} {:>10} {:>12}\n", "allowance", "gate",
             "executors", "counted", "rejected", "used", "W/(W+G)", "guard", "at most by");
  fmt::print("{:<26} {:<5} {:>9} {:>8} {:>9} {:>8} {:>10} {:>10} {:>12}\n", "", "", "", "", "", "",
             "", "", "latency");
  std::fflush(stdout);
  // One gate after the other, so that the machine has time for the provider's clock.
  for (const bool is_redis : {false, true})
    MeasureAllAgainstSimulators(std::chrono::seconds(seconds), is_redis);
  return 0;
}
