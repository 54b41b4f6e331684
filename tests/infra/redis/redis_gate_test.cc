// The Redis gate beside the mapped one: the same answers, and how little it talks.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <thread>

#include <fmt/format.h>

#include "infra/gate/rate_gate.h"
#include "infra/redis/cell_bytes.h"
#include "tests/infra/redis/redis_server.h"

namespace patra::testing::redis_gate_test {

using namespace std::chrono_literals;
using domain::GateRules;
using domain::LimitKind;
using domain::LimitScope;

const domain::GateTarget kTarget{.provenance = "demo", .endpoint = "items"};

std::string Described(const app::GateAnswer& answer) {
  const auto booking = [](const std::optional<domain::Booking>& b) {
    return b ? fmt::format("{} {} {}", b->slot.count(), b->life.count(), b->booked) : "none";
  };
  if (const auto* allow = std::get_if<app::Allow>(&answer))
    return fmt::format("allow {} {}", allow->permit.granted_at().count(),
                       booking(allow->permit.booking()));
  if (const auto* wait = std::get_if<app::WaitUntil>(&answer))
    return fmt::format("wait {} {} {}", wait->wait.count(), static_cast<int>(wait->reason),
                       booking(wait->booking));
  const auto& reject = std::get<app::Reject>(answer);
  return fmt::format("reject {} {}", reject.wait.count(), static_cast<int>(reject.reason));
}

// The two gates with one of their askers each.
struct Twin {
  std::unique_ptr<app::RateGate> gate;
  std::map<std::uint64_t, std::optional<domain::Booking>> bookings{};
  std::deque<app::Permit> held{};
};

std::vector<std::pair<domain::GateTarget, GateRules>> Ways() {
  GateRules burst{.limits = {{.kind = LimitKind::kSlidingWindow, .count = 40, .window = 2s}}};
  GateRules fixed{.limits = {{.kind = LimitKind::kFixedWindow,
                              .scope = LimitScope::kEndpoint,
                              .count = 50,
                              .window = 5s}}};
  GateRules mixed{.limits = {{.count = 30, .window = 1s},
                             {.kind = LimitKind::kConcurrency, .count = 5, .window = 3s},
                             {.kind = LimitKind::kQuota,
                              .scope = LimitScope::kCredential,
                              .count = 100'000,
                              .window = 24h}},
                  .breaker_scope = LimitScope::kEndpoint,
                  .urgent_rate = 600'000,
                  .warm_up = 10s};
  return {{{.provenance = "paced"}, {.limits = {{.count = 20, .window = 1s}}}},
          {{.provenance = "burst"}, burst},
          {{.provenance = "fixed", .endpoint = "a"}, fixed},
          {{.provenance = "mixed", .endpoint = "a", .credential = "k"}, mixed},
          {{.provenance = "mixed", .endpoint = "b", .credential = "k"}, mixed}};
}

domain::GateSignal RandomSignal(SeededRandom& random, Duration now) {
  using Kind = domain::GateSignal::Kind;
  domain::GateSignal signal{.sent_at = now - Duration(random.Between(0, 200'000))};
  const auto dice = random.Below(200);
  if (dice < 3) signal.kind = Kind::kThrottled;
  if (dice >= 3 && dice < 12) signal.kind = Kind::kTransient;
  if (dice == 12) signal.kind = Kind::kSlowDown, signal.share = 500'000, signal.span = 5s;
  if (dice == 13) signal.kind = Kind::kRejected;
  if (dice == 14) signal.cool_down = 2s;
  if (dice % 3 == 0) signal.delay = Duration(random.Between(5'000, 60'000));
  return signal;
}

// By the time that the test says, both have to say the same to the microsecond.
TEST(RedisGate, SaysTheSameAsTheMappedGateToTheMicrosecond) {
  const auto* asked = std::getenv("PATRA_GATE_OPERATIONS");
  const int operations = asked == nullptr ? 100'000 : std::atoi(asked);
  const auto* seeded = std::getenv("PATRA_SEED");
  const std::uint64_t seed = seeded == nullptr ? 1 : std::strtoull(seeded, nullptr, 10);
  SCOPED_TRACE(fmt::format("PATRA_SEED={}", seed));
  auto& server = EmptyServer();
  TemporaryFolder folder;
  VirtualClock clock{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  clock.Advance(1h);
  PlainGateLedger mapped_ledger;
  PlainGateLedger redis_ledger;
  std::vector<std::array<Twin, 2>> processes;
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto& pair = processes.emplace_back();
    pair[0].gate = *infra::gate::RateGate::Open(folder.Path("gate"), mapped_ledger, clock, i);
    pair[1].gate =
        *infra::redis::RateGate::Open(OnVirtualTime(server.connect()), redis_ledger, clock, i);
  }
  const auto ways = Ways();
  SeededRandom random(seed);
  std::size_t process = 0;
  for (int i = 0; i < operations; ++i) {
    clock.Advance(Duration(random.Between(0, 25'000)));
    // Who asks again finds its last state; who comes after another one has to read that one's first.
    if (random.Below(10) == 0) process = random.Below(processes.size());
    auto& pair = processes[process];
    const auto way = static_cast<std::size_t>(random.Below(ways.size()));
    const auto& [target, rules] = ways[way];
    const auto dice = random.Below(100);
    const auto task = random.Below(4);
    const auto signal = RandomSignal(random, clock.Elapsed());
    const domain::GateAsk ask{.deadline = Duration(random.Between(0, 3'000'000)),
                              .priority = static_cast<domain::GatePriority>(random.Below(3)),
                              .task = task,
                              .is_retry = random.Below(20) == 0};
    std::array<std::string, 2> said;
    for (std::size_t side = 0; side < 2; ++side) {
      auto& twin = pair[side];
      auto& booking = twin.bookings[way * 10 + task];
      if (dice < 60) {
        auto with = ask;
        with.booking = std::exchange(booking, std::nullopt);
        auto answer = twin.gate->Acquire(target, rules, with);
        ASSERT_TRUE(answer) << answer.error().Describe();
        said[side] = Described(*answer);
        if (auto* wait = std::get_if<app::WaitUntil>(&*answer)) booking = wait->booking;
        if (auto* allow = std::get_if<app::Allow>(&*answer))
          twin.held.push_back(std::move(allow->permit));
      } else if (dice < 75) {
        if (!twin.held.empty()) twin.held.pop_front();
      } else if (dice < 97) {
        ASSERT_TRUE(twin.gate->Feedback(target, rules, signal));
      } else if (dice < 99) {
        const auto estimate = twin.gate->Estimate(target, rules, 10s);
        ASSERT_TRUE(estimate);
        said[side] =
            fmt::format("{} {} {} {}", estimate->permits, estimate->concurrency,
                        estimate->blocked_until.count(), static_cast<int>(estimate->reason));
      } else {
        const auto reset = twin.gate->Reset(domain::GateKey(rules.feedback_scope, target));
        said[side] = reset ? "reset" : reset.error().message;
      }
    }
    ASSERT_EQ(said[0], said[1]) << "operation " << i;
  }
  const auto mapped = *processes[0][0].gate->List();
  const auto redis = *processes[0][1].gate->List();
  ASSERT_EQ(mapped.size(), redis.size());
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    EXPECT_EQ(mapped[i].key, redis[i].key);
    EXPECT_EQ(mapped[i].counts.permits, redis[i].counts.permits);
    EXPECT_EQ(mapped[i].counts.waits, redis[i].counts.waits);
    EXPECT_EQ(mapped[i].counts.lost_slots, redis[i].counts.lost_slots);
    EXPECT_EQ(mapped[i].share_ppm, redis[i].share_ppm);
  }
}

struct Sends {
  std::mutex mutex;
  std::vector<Duration> at;

  std::size_t Peak(Duration window) {
    std::ranges::sort(at);
    std::size_t oldest = 0;
    std::size_t peak = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      while (at[oldest] <= at[i] - window) ++oldest;
      peak = std::max(peak, i - oldest + 1);
    }
    return peak;
  }
};

// Asks for permits until it is over, as an executor does.
void SendUntil(app::RateGate& gate, const GateRules& rules, std::uint64_t task,
               const std::function<bool()>& is_over, Sends& sends) {
  SystemClock clock;
  domain::GateAsk ask{.task = task};
  while (!is_over()) {
    auto answer = gate.Acquire(kTarget, rules, ask);
    ASSERT_TRUE(answer) << answer.error().Describe();
    ask.booking.reset();
    if (const auto* allow = std::get_if<app::Allow>(&*answer)) {
      {
        const std::lock_guard lock(sends.mutex);
        sends.at.push_back(allow->permit.granted_at());
      }
      ASSERT_TRUE(gate.Feedback(kTarget, rules, {.sent_at = allow->permit.granted_at()}));
    } else if (const auto* wait = std::get_if<app::WaitUntil>(&*answer)) {
      ask.booking = wait->booking;
      clock.SleepFor(wait->wait);
    } else {
      clock.SleepFor(1ms);
    }
  }
}

// As processes of their own, each with a few workers.
class Senders {
 public:
  Senders(int gates, int threads, GateRules rules) : threads_(threads), rules_(std::move(rules)) {
    auto& server = EmptyServer();
    for (int i = 0; i < gates; ++i)
      gates_.push_back(OpenRedisGate({.shared = {.connect = server.connect()}}, ledger_, clock_));
  }

  void Send(Duration length, Sends& sends) {
    const auto end = clock_.Elapsed() + length;
    std::vector<std::thread> workers;
    std::uint64_t task = 0;
    for (const auto& gate : gates_) {
      for (int i = 0; i < threads_; ++i) {
        ++task;
        workers.emplace_back([&, task] {
          SendUntil(*gate, rules_, task, [&] { return clock_.Elapsed() >= end; }, sends);
        });
      }
    }
    for (auto& worker : workers) worker.join();
  }

  std::int64_t round_trips() {
    std::int64_t sum = 0;
    for (const auto& gate : gates_) sum += gate->round_trips();
    return sum;
  }

 private:
  const int threads_;
  const GateRules rules_;
  SystemClock clock_;
  PlainGateLedger ledger_;
  std::vector<std::unique_ptr<infra::redis::RateGate>> gates_;
};

TEST(RedisGate, TwoHundredRequestsASecondNeedOneRoundTripForTen) {
  Senders senders(1, 8, {.limits = {{.count = 250, .window = 1s, .jitter = 10ms}}});
  Sends sends;
  senders.Send(300ms, sends);
  const auto sent = sends.at.size();
  const auto asked = senders.round_trips();
  senders.Send(2s, sends);
  const auto requests = static_cast<std::int64_t>(sends.at.size() - sent);
  const auto round_trips = senders.round_trips() - asked;
  EXPECT_LE(sends.Peak(1s), 250U);
  EXPECT_GE(requests, 400) << "at least 200 a second";
  EXPECT_LE(round_trips * 10, requests) << round_trips << " for " << requests;
  RecordProperty("round_trips", std::to_string(round_trips));
  RecordProperty("requests", std::to_string(requests));
}

TEST(RedisGate, SeveralProcessesNeverSendMoreThanTheLimitAndUseIt) {
  const GateRules rules{.limits = {{.count = 200, .window = 1s, .jitter = 10ms}}};
  Sends sends;
  Senders(4, 4, rules).Send(2s, sends);
  EXPECT_LE(sends.Peak(1s), 200U);
  EXPECT_GE(sends.at.size(), 300U) << "of 400";
  RecordProperty("requests", std::to_string(sends.at.size()));
}

TEST(RedisGate, PlacesAmongConcurrentRequestsComeBack) {
  const GateRules rules{.limits = {{.count = 400, .window = 1s, .jitter = 5ms},
                                   {.kind = LimitKind::kConcurrency, .count = 8, .window = 60s}}};
  Sends sends;
  Senders(2, 4, rules).Send(1s, sends);
  EXPECT_GE(sends.at.size(), 25U);
  EXPECT_LE(sends.Peak(1s), 400U);
}

// With real time and the thread that looks for Redis.
TEST(RedisGate, WhoSendsWhileRedisIsFrozenNeverSendsTooMuchAndFindsItAgain) {
  RedisServer server;
  auto connect = server.connect();
  connect.timeout = 100ms;
  SystemClock clock;
  PlainGateLedger ledger;
  const GateRules rules{.limits = {{.count = 100, .window = 1s, .jitter = 10ms}}};
  std::vector<std::unique_ptr<infra::redis::RateGate>> gates;
  for (int i = 0; i < 2; ++i) {
    gates.push_back(OpenRedisGate(
        {.shared = {.connect = connect, .settle_for = 1s}, .executors = [] { return 2; }}, ledger,
        clock));
  }
  const auto all_are_away = [&](bool away) {
    const auto deadline = clock.Elapsed() + 10s;
    while (clock.Elapsed() < deadline) {
      if (std::ranges::all_of(gates, [&](auto& gate) { return gate->Reach().is_away == away; }))
        return true;
      clock.SleepFor(5ms);
    }
    return false;
  };
  Sends sends;
  const auto sent = [&] {
    const std::lock_guard lock(sends.mutex);
    return sends.at.size();
  };
  const auto wait_for_more = [&](std::size_t more) {
    const auto enough = sent() + more;
    const auto deadline = clock.Elapsed() + 10s;
    while (sent() < enough && clock.Elapsed() < deadline) clock.SleepFor(5ms);
    return sent() >= enough;
  };
  std::atomic<bool> is_over = false;
  std::vector<std::thread> workers;
  for (std::uint64_t i = 0; i < 8; ++i) {
    workers.emplace_back([&, i] {
      SendUntil(*gates[i % gates.size()], rules, i + 1, [&] { return is_over.load(); }, sends);
    });
  }
  EXPECT_TRUE(wait_for_more(60));
  server.Freeze();
  EXPECT_TRUE(all_are_away(true));
  EXPECT_TRUE(wait_for_more(60)) << "it goes on without";
  server.Thaw();
  EXPECT_TRUE(all_are_away(false));
  EXPECT_TRUE(wait_for_more(120));
  is_over = true;
  for (auto& worker : workers) worker.join();
  EXPECT_LE(sends.Peak(1s), 100U);
}

TEST(RedisGate, ACellIsSmallInRedisAndComesBackAsItWas) {
  domain::GateCell cell;
  domain::Claim(cell, "demo", {}, 5s);
  cell.counts.permits = 7;
  cell.limits[1].log.Book(3s, 2, 10, 1s);
  const auto bytes = infra::redis::BytesOf(cell);
  EXPECT_LT(bytes.size(), 1'000U);
  const auto back = infra::redis::CellIn(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->name(), "demo");
  EXPECT_EQ(back->counts.permits, 7);
  EXPECT_EQ(back->limits[1].log.last(), 3s);
  EXPECT_EQ(infra::redis::BytesOf(*back), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    (void)infra::redis::CellIn(bytes.substr(0, size));
  EXPECT_FALSE(infra::redis::CellIn("nonsense and more of it"));
}

TEST(RedisGate, AddressesAreReadAndWrongOnesSayWhatIsWrong) {
  using infra::redis::RedisAddress;
  EXPECT_EQ(RedisAddress::Parse("redis://cache")->Text(), "redis://cache:6379/0");
  EXPECT_EQ(RedisAddress::Parse("redis://10.0.0.7:7000/3")->Text(), "redis://10.0.0.7:7000/3");
  EXPECT_EQ(RedisAddress::Parse("redis://[::1]:7000/")->Text(), "redis://[::1]:7000/0");
  const auto tls = RedisAddress::Parse("rediss://cache/0");
  ASSERT_FALSE(tls);
  EXPECT_TRUE(tls.error().Describe().contains("TLS"));
  const auto secret = RedisAddress::Parse("redis://:hunter2@cache/0");
  ASSERT_FALSE(secret);
  EXPECT_FALSE(secret.error().Describe().contains("hunter2"));
  for (const auto* wrong : {"", "cache", "redis://", "redis://a:0", "redis://a:b/0", "redis://a/x",
                            "redis://a/-1", "redis://a b/0"})
    EXPECT_FALSE(RedisAddress::Parse(wrong)) << wrong;
}

}  // namespace patra::testing::redis_gate_test
