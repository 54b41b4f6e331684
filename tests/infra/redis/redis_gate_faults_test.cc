// What is done to a Redis while gates use it: forgetting, restarts, eviction, pauses, failover, lost answers.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "infra/redis/gate_scripts.h"
#include "tests/infra/redis/redis_server.h"
#include "tests/infra/redis/tcp_proxy.h"

namespace patra::testing::redis_gate_faults_test {

using namespace std::chrono_literals;
using domain::GateRules;
using infra::redis::RateGate;

const domain::GateTarget kTarget{.provenance = "demo", .endpoint = "items"};

GateRules Paced(std::int64_t count, Duration window) {
  return {.limits = {{.count = count, .window = window, .jitter = 0s}}};
}

class RedisGateFaults : public ::testing::Test {
 protected:
  RedisGateFaults() { clock_.Advance(1h); }

  std::unique_ptr<RateGate> Open(const infra::redis::ConnectOptions& connect, int executors = 1) {
    auto options = OnVirtualTime(connect);
    options.shared.connect.timeout = timeout_;
    options.executors = [executors] { return executors; };
    return OpenRedisGate(options, ledger_, clock_);
  }

  // How long, by the clock that the test moves, until there is a permit.
  Duration TimeToPermit(RateGate& gate, const GateRules& rules,
                        const domain::GateTarget& target = kTarget) {
    const auto begin = clock_.Elapsed();
    domain::GateAsk ask{.deadline = 1h};
    for (int i = 0; i < 10'000; ++i) {
      auto answer = gate.Acquire(target, rules, ask);
      EXPECT_TRUE(answer) << answer.error().Describe();
      if (!answer || std::holds_alternative<app::Allow>(*answer)) break;
      const auto* wait = std::get_if<app::WaitUntil>(&*answer);
      EXPECT_NE(wait, nullptr) << "rejected";
      if (wait == nullptr) break;
      ask.booking = wait->booking;
      clock_.Advance(wait->wait);
    }
    return clock_.Elapsed() - begin;
  }

  // Back where Redis is; moves the clock over the time that everybody waits for the others.
  void WaitUntilShared(RateGate& gate) {
    for (int i = 0; i < 200 && gate.Reach().is_away; ++i) {
      clock_.Advance(100ms);
      ASSERT_TRUE(gate.Estimate(kTarget, Paced(10, 1s), 1s));
    }
    EXPECT_FALSE(gate.Reach().is_away);
  }

  Duration timeout_ = 500ms;
  PlainGateLedger ledger_;
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
};

TEST_F(RedisGateFaults, AScriptThatWasForgottenIsHandedOverAgain) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  TimeToPermit(*gate, Paced(10, 1s));
  server.Ask({"SCRIPT", "FLUSH"});
  EXPECT_LE(TimeToPermit(*gate, Paced(10, 1s)), 110ms);
  EXPECT_FALSE(gate->Reach().is_away);
}

TEST_F(RedisGateFaults, WhoLivesThroughAFlushWaitsForAWholeWindow) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  const auto other = Open(server.connect());
  TimeToPermit(*gate, Paced(10, 60s));
  TimeToPermit(*other, Paced(10, 60s));
  server.Ask({"FLUSHALL"});
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 60s)), 60s);
  EXPECT_GE(TimeToPermit(*other, Paced(10, 60s)), 5s) << "it shares what is left";
  EXPECT_LE(TimeToPermit(*gate, Paced(10, 60s)), 7s) << "and nobody waits for a second window";
}

TEST_F(RedisGateFaults, ACoolDownOutlivesAFlushInWhoeverKnowsOfIt) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  TimeToPermit(*gate, Paced(10, 1s));
  ASSERT_TRUE(gate->Feedback(kTarget, Paced(10, 1s),
                             {.kind = domain::GateSignal::Kind::kThrottled,
                              .sent_at = clock_.Elapsed(),
                              .cool_down = 600s}));
  server.Ask({"FLUSHALL"});
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 1s)), 600s);
}

TEST_F(RedisGateFaults, ACellThatWasEvictedCountsAsUsedUpAndTheOthersAreFine) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  const domain::GateTarget other{.provenance = "other"};
  TimeToPermit(*gate, Paced(10, 60s));
  TimeToPermit(*gate, Paced(10, 60s), other);
  const auto newcomer = Open(server.connect());
  server.Ask({"DEL", std::string(infra::redis::kCellPrefix) + "demo"});
  EXPECT_GE(TimeToPermit(*newcomer, Paced(10, 60s)), 60s) << "it never saw the cell itself";
  EXPECT_LE(TimeToPermit(*gate, Paced(10, 60s), other), 7s);
}

TEST_F(RedisGateFaults, WhatAnotherVersionWroteCountsAsUsedUp) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  const std::string cell = std::string(infra::redis::kCellPrefix) + "demo";
  const auto write_as_another_version = [&] {
    auto bytes = server.Ask({"HGET", cell, "bytes"}).text;
    ASSERT_FALSE(bytes.empty());
    bytes.front() = static_cast<char>(bytes.front() ^ 1);  // of the layout, which comes first
    const auto version = server.Ask({"HINCRBY", cell, "version", "1"}).number;
    ASSERT_GT(version, 0);
    server.Ask({"HSET", cell, "bytes", bytes});
  };
  TimeToPermit(*gate, Paced(10, 60s));
  write_as_another_version();
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 60s)), 60s);
  EXPECT_LE(TimeToPermit(*gate, Paced(10, 60s)), 7s) << "and what it wrote itself, it knows again";
  write_as_another_version();
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 60s)), 60s) << "as often as the other writes";
}

TEST_F(RedisGateFaults, ARestartWithoutWhatWasKeptWaitsForAWindow) {
  RedisServer server;
  const auto gate = Open(server.connect());
  TimeToPermit(*gate, Paced(10, 60s));
  server.Kill();
  server.Start();
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 60s)), 60s);
  const auto newcomer = Open(server.connect());
  EXPECT_LE(TimeToPermit(*newcomer, Paced(10, 60s)), 7s);
}

TEST_F(RedisGateFaults, ARestartFromAFileIsNotBelievedButItsStopsAre) {
  RedisServer server({"--appendonly", "yes"});
  const domain::GateTarget stopped{.provenance = "stopped"};
  {
    const auto gate = Open(server.connect());
    TimeToPermit(*gate, Paced(10, 60s));
    ASSERT_TRUE(gate->Feedback(stopped, Paced(10, 1s),
                               {.kind = domain::GateSignal::Kind::kThrottled,
                                .sent_at = clock_.Elapsed(),
                                .cool_down = 1h}));
  }
  server.Stop();
  server.Start();
  const auto gate = Open(server.connect());
  const auto told = gate->Acquire(stopped, Paced(10, 1s), {});
  ASSERT_TRUE(told);
  ASSERT_TRUE(std::holds_alternative<app::Reject>(*told));
  EXPECT_EQ(std::get<app::Reject>(*told).reason, domain::WaitReason::kCoolDown);
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 60s)), 60s) << "its last second may be missing";
}

TEST_F(RedisGateFaults, AnotherServerInItsPlaceIsAStateThatWasLost) {
  RedisServer primary;
  const auto replica_of = std::to_string(primary.port());
  RedisServer replica({"--replicaof", "127.0.0.1 " + replica_of});
  const auto gate = Open(primary.connect());
  TimeToPermit(*gate, Paced(10, 60s));
  // A replica cannot be written to: to the gate it is away.
  const auto at_replica = Open(replica.connect());
  ASSERT_TRUE(at_replica->Acquire(kTarget, Paced(10, 60s), {}));
  EXPECT_TRUE(at_replica->Reach().is_away);
  primary.Kill();
  replica.Ask({"REPLICAOF", "NO", "ONE"});
  const auto after = Open(replica.connect());
  EXPECT_GE(TimeToPermit(*after, Paced(10, 60s)), 60s);
}

TEST_F(RedisGateFaults, AnAnswerThatWasLostIsAskedForAgainAndNothingIsPaidTwice) {
  auto& server = EmptyServer();
  TcpProxy proxy(server.port());
  auto connect = server.connect();
  connect.address.port = proxy.port();
  const auto gate = Open(connect);
  const auto rules = Paced(10, 1s);
  TimeToPermit(*gate, rules);
  const auto begin = clock_.Elapsed();
  constexpr int kRequests = 30;
  for (int i = 0; i < kRequests; ++i) {
    if (i % 2 == 0) proxy.LoseAnswers(1);
    TimeToPermit(*gate, rules);
  }
  EXPECT_GE(proxy.lost(), kRequests / 2);
  EXPECT_GE(clock_.Elapsed() - begin, kRequests * 100ms);
  EXPECT_LE(clock_.Elapsed() - begin, kRequests * 101ms) << "no slot was booked twice";
  EXPECT_EQ(gate->List()->at(0).counts.permits, kRequests + 1);
}

TEST_F(RedisGateFaults, WhileRedisIsAwayEachTakesItsPart) {
  RedisServer server;
  const auto gate = Open(server.connect(), 4);
  const auto rules = Paced(100, 1s);
  TimeToPermit(*gate, rules);
  server.Kill();
  const auto begin = clock_.Elapsed();
  for (int i = 0; i < 50; ++i) TimeToPermit(*gate, rules);
  EXPECT_TRUE(gate->Reach().is_away);
  EXPECT_GE(clock_.Elapsed() - begin, 50 * 40ms);
  EXPECT_LE(clock_.Elapsed() - begin, 52 * 41ms);
}

TEST_F(RedisGateFaults, WhoStartsWhileRedisIsAwayKnowsNothingAndWaits) {
  const auto port = FreePort();
  const auto gate = Open({.address = {.host = "127.0.0.1", .port = port}}, 2);
  EXPECT_TRUE(gate->Reach().is_away);
  EXPECT_GE(TimeToPermit(*gate, Paced(10, 10s)), 10s);
}

TEST_F(RedisGateFaults, AFrozenRedisIsAwayAndComesBackWithoutABurst) {
  RedisServer server;
  timeout_ = 50ms;
  std::vector<std::unique_ptr<RateGate>> gates;
  const auto rules = Paced(100, 1s);
  for (int i = 0; i < 3; ++i) gates.push_back(Open(server.connect(), 3));
  std::vector<Duration> sent;
  // Each asks in turn; the clock goes on to the next moment that somebody waits for.
  std::vector<domain::GateAsk> asks(gates.size(), {.deadline = 1h});
  std::vector<Duration> due(gates.size(), clock_.Elapsed());
  const auto run_until = [&](Duration end) {
    while (true) {
      const auto next = std::ranges::min_element(due) - due.begin();
      const auto i = static_cast<std::size_t>(next);
      if (due[i] >= end) break;
      if (due[i] > clock_.Elapsed()) clock_.Advance(due[i] - clock_.Elapsed());
      auto answer = gates[i]->Acquire(kTarget, rules, asks[i]);
      ASSERT_TRUE(answer) << answer.error().Describe();
      asks[i].booking.reset();
      if (std::holds_alternative<app::Allow>(*answer)) {
        sent.push_back(clock_.Elapsed());
      } else {
        const auto& wait = std::get<app::WaitUntil>(*answer);
        asks[i].booking = wait.booking;
        due[i] = clock_.Elapsed() + wait.wait;
      }
    }
  };
  run_until(clock_.Elapsed() + 3s);
  server.Freeze();
  run_until(clock_.Elapsed() + 5s);
  for (const auto& gate : gates) EXPECT_TRUE(gate->Reach().is_away);
  server.Thaw();
  const auto back_at = clock_.Elapsed();
  run_until(back_at + 10s);
  for (const auto& gate : gates) EXPECT_FALSE(gate->Reach().is_away);
  std::size_t oldest = 0;
  std::size_t peak = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    while (sent[oldest] <= sent[i] - 1s) ++oldest;
    peak = std::max(peak, i - oldest + 1);
  }
  EXPECT_LE(peak, 100U);
  const auto late = std::ranges::count_if(sent, [&](Duration at) { return at > back_at + 5s; });
  EXPECT_GE(late, 450) << "the whole allowance is used again";
}

TEST_F(RedisGateFaults, ARedisThatIsFullIsAway) {
  RedisServer server({"--maxmemory", "1mb"});
  const auto gate = Open(server.connect());
  ASSERT_TRUE(gate->Acquire(kTarget, Paced(10, 1s), {}));
  EXPECT_TRUE(gate->Reach().is_away);
}

TEST_F(RedisGateFaults, AWrongPasswordIsAnErrorAndTheRightOneIsNot) {
  RedisServer server({"--requirepass", "opensesame"});
  auto options = OnVirtualTime(server.connect());
  const auto without = RateGate::Open(options, ledger_, clock_);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::kRefused);
  options.shared.connect.password = "guess";
  const auto wrong = RateGate::Open(options, ledger_, clock_);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kRefused);
  EXPECT_FALSE(wrong.error().Describe().contains("guess"));
  options.shared.connect.password = "opensesame";
  EXPECT_TRUE(RateGate::Open(options, ledger_, clock_));
}

TEST_F(RedisGateFaults, KeysExpireAfterTheirLimitsAndStayAsLongAsAStop) {
  auto& server = EmptyServer();
  const auto gate = Open(server.connect());
  TimeToPermit(*gate, Paced(10, 1s));
  const std::string cell = std::string(infra::redis::kCellPrefix) + "demo";
  const auto hours = [&] { return server.Ask({"PTTL", cell}).number / 3'600'000; };
  EXPECT_GE(hours(), 25);
  EXPECT_LE(hours(), 26);
  EXPECT_GT(server.Ask({"PTTL", infra::redis::kHeadKey}).number, 0);
  ASSERT_TRUE(gate->Feedback(kTarget, Paced(10, 1s),
                             {.kind = domain::GateSignal::Kind::kThrottled,
                              .sent_at = clock_.Elapsed(),
                              .cool_down = 100h}));
  EXPECT_GE(hours(), 126);
}

}  // namespace patra::testing::redis_gate_faults_test
