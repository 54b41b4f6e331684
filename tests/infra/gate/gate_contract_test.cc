// What every rate gate promises, whatever keeps its state.
#include <gtest/gtest.h>

#include <filesystem>

#include "infra/gate/rate_gate.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/infra/redis/redis_server.h"
#include "tests/temporary_folder.h"

namespace patra::testing::gate_contract_test {

using namespace std::chrono_literals;
using domain::GateAsk;
using domain::GateRules;
using domain::GateSignal;
using domain::GateTarget;
using domain::Limit;
using domain::LimitKind;
using domain::LimitScope;
using domain::WaitReason;

class MappedGateBackend final : public GateBackend {
 public:
  std::unique_ptr<app::RateGate> Open() override {
    auto gate = infra::gate::RateGate::Open(folder_.Path("store-gate"), ledger_, clock_);
    EXPECT_TRUE(gate) << gate.error().Describe();
    return *std::move(gate);
  }
  void LoseState() override { std::filesystem::remove(folder_.Path("store-gate")); }
  VirtualClock& clock() override { return clock_; }

 private:
  TemporaryFolder folder_;
  PlainGateLedger ledger_;
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
};

struct NamedBackend {
  const char* name;
  std::function<std::unique_ptr<GateBackend>()> make;
};

class GateContract : public ::testing::TestWithParam<NamedBackend> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    backend_->clock().Advance(1h);
    gate_ = backend_->Open();
  }

  app::GateAnswer Ask(app::RateGate& gate, const GateRules& rules, const GateAsk& ask = {}) {
    auto answer = gate.Acquire(target_, rules, ask);
    EXPECT_TRUE(answer) << answer.error().Describe();
    return answer ? *std::move(answer) : app::GateAnswer(app::Reject{});
  }

  // Moves the clock until there is a permit.
  app::Permit Take(app::RateGate& gate, const GateRules& rules, GateAsk ask = {.deadline = 1h}) {
    for (int i = 0; i < 10'000; ++i) {
      auto answer = Ask(gate, rules, ask);
      if (auto* allow = std::get_if<app::Allow>(&answer)) return std::move(allow->permit);
      const auto* wait = std::get_if<app::WaitUntil>(&answer);
      if (wait == nullptr) break;
      ask.booking = wait->booking;
      backend_->clock().Advance(wait->wait);
    }
    ADD_FAILURE() << "no permit";
    return {};
  }

  Duration Now() { return backend_->clock().Elapsed(); }

  std::unique_ptr<GateBackend> backend_;
  std::unique_ptr<app::RateGate> gate_;
  GateTarget target_{.provenance = "demo", .endpoint = "items", .credential = "key"};
};

GateRules Paced(std::int64_t count, Duration window) {
  return {.limits = {{.count = count, .window = window, .jitter = 0s}}};
}

TEST_P(GateContract, AStateThatNeverExistedStartsAtOnceWithOneSlot) {
  auto first = Ask(*gate_, Paced(10, 1s));
  EXPECT_TRUE(std::holds_alternative<app::Allow>(first));
  auto second = Ask(*gate_, Paced(10, 1s));
  ASSERT_TRUE(std::holds_alternative<app::WaitUntil>(second));
  const auto& wait = std::get<app::WaitUntil>(second);
  EXPECT_GE(wait.wait, 100ms);
  EXPECT_EQ(wait.until, backend_->clock().Now() + wait.wait);
  EXPECT_EQ(wait.reason, WaitReason::kPace);
}

TEST_P(GateContract, SeveralGatesShareOneAllowance) {
  const auto other = backend_->Open();
  const auto begin = Now();
  for (int i = 0; i < 50; ++i) Take(i % 2 == 0 ? *gate_ : *other, Paced(10, 1s));
  EXPECT_GE(Now() - begin, 4'900ms);
  EXPECT_LE(Now() - begin, 5'100ms);
}

TEST_P(GateContract, KeysOfOtherSourcesAndEndpointsAreTheirOwn) {
  auto rules = Paced(1, 60s);
  rules.limits[0].scope = LimitScope::kEndpoint;
  EXPECT_TRUE(std::holds_alternative<app::Allow>(Ask(*gate_, rules)));
  target_.endpoint = "others";
  EXPECT_TRUE(std::holds_alternative<app::Allow>(Ask(*gate_, rules)));
  target_.endpoint = "items";
  EXPECT_TRUE(std::holds_alternative<app::Reject>(Ask(*gate_, rules)));
  target_.provenance = "another";
  EXPECT_TRUE(std::holds_alternative<app::Allow>(Ask(*gate_, rules)));
}

TEST_P(GateContract, WhoeverAsksReadsHowTheWayStands) {
  const GateRules rules{.limits = {{.count = 1'000, .window = 10s, .jitter = 0s}}};
  const auto allowed = Ask(*gate_, rules);
  ASSERT_TRUE(std::holds_alternative<app::Allow>(allowed));
  EXPECT_NEAR(std::get<app::Allow>(allowed).reading.per_second, 100, 1e-9);
  ASSERT_TRUE(gate_->Feedback(target_, rules,
                              {.kind = GateSignal::Kind::kThrottled,
                               .sent_at = backend_->clock().Elapsed(),
                               .cool_down = 1h}));
  const auto refused = Ask(*gate_, rules);
  ASSERT_TRUE(std::holds_alternative<app::Reject>(refused));
  EXPECT_GE(std::get<app::Reject>(refused).reading.cools_for, 1h);
}

TEST_P(GateContract, WhoeverTellsOfAComplaintHearsWhatItChanged) {
  auto rules = GateRules{.limits = {{.count = 1'000, .window = 1s, .jitter = 0s}}};
  rules.breaker.failures_in_a_row = 2;
  const auto tell = [&](GateSignal::Kind kind) {
    backend_->clock().Advance(1s);
    const auto told =
        gate_->Feedback(target_, rules, {.kind = kind, .sent_at = backend_->clock().Elapsed()});
    EXPECT_TRUE(told) << told.error().Describe();
    return told.value_or(domain::GateChange{});
  };
  Take(*gate_, rules);
  EXPECT_EQ(tell(GateSignal::Kind::kOk), domain::GateChange{});
  const auto slowed = tell(GateSignal::Kind::kThrottled);
  EXPECT_TRUE(slowed.is_slowed);
  ASSERT_TRUE(slowed.reading);
  EXPECT_LT(slowed.reading->share, 1'000'000);
  EXPECT_GT(slowed.reading->cools_for, 0s);
  const auto opened = tell(GateSignal::Kind::kTransient);
  EXPECT_TRUE(opened.is_opened);
  ASSERT_TRUE(opened.reading);
  EXPECT_GT(opened.reading->shut_for, 0s);
  EXPECT_FALSE(tell(GateSignal::Kind::kRejected).is_opened) << "it is open by now";
}

TEST_P(GateContract, FailuresOfOneEndpointDoNotStopAnotherThatSharesItsLimits) {
  const GateRules rules{.limits = {{.count = 1'000, .window = 1s, .jitter = 0s}},
                        .feedback_scope = LimitScope::kSource,
                        .breaker_scope = LimitScope::kEndpoint};
  const GateTarget sick{.provenance = "demo", .endpoint = "sick"};
  const GateTarget well{.provenance = "demo", .endpoint = "well"};
  const auto reason_for = [&](const GateTarget& target) {
    const auto estimate = gate_->Estimate(target, rules, 10s);
    EXPECT_TRUE(estimate);
    return estimate->reason;
  };
  for (int i = 0; i < rules.breaker.failures_in_a_row; ++i) {
    ASSERT_TRUE(gate_->Acquire(sick, rules, {}));
    backend_->clock().Advance(10ms);
    ASSERT_TRUE(gate_->Feedback(
        sick, rules,
        {.kind = GateSignal::Kind::kTransient, .sent_at = backend_->clock().Elapsed()}));
  }
  EXPECT_EQ(reason_for(sick), WaitReason::kBreaker);
  EXPECT_NE(reason_for(well), WaitReason::kBreaker);
}

TEST_P(GateContract, APermitKeepsItsPlaceUntilItDies) {
  GateRules rules = Paced(1'000, 1s);
  rules.limits.push_back({.kind = LimitKind::kConcurrency, .count = 1, .window = 60s});
  const auto other = backend_->Open();
  {
    const auto permit = Take(*gate_, rules);
    backend_->clock().Advance(1s);
    auto answer = Ask(*other, rules);
    ASSERT_TRUE(std::holds_alternative<app::WaitUntil>(answer));
    EXPECT_EQ(std::get<app::WaitUntil>(answer).reason, WaitReason::kConcurrency);
  }
  EXPECT_TRUE(std::holds_alternative<app::WaitUntil>(Ask(*other, rules)))
      << "the provider may see the end of a request later than we";
  backend_->clock().Advance(50ms);
  EXPECT_TRUE(std::holds_alternative<app::Allow>(Ask(*other, rules)));
}

TEST_P(GateContract, ACoolDownStopsTheOthersToo) {
  const auto other = backend_->Open();
  Take(*gate_, Paced(10, 1s));
  ASSERT_TRUE(
      gate_->Feedback(target_, Paced(10, 1s),
                      {.kind = GateSignal::Kind::kThrottled, .sent_at = Now(), .cool_down = 60s}));
  auto answer = Ask(*other, Paced(10, 1s), {.deadline = 10s});
  ASSERT_TRUE(std::holds_alternative<app::Reject>(answer));
  const auto& reject = std::get<app::Reject>(answer);
  EXPECT_EQ(reject.reason, WaitReason::kCoolDown);
  EXPECT_GE(reject.wait, 63s) << "five to fifteen percent longer than told";
  EXPECT_LE(reject.wait, 69s);
}

TEST_P(GateContract, ALostStateCountsAsAUsedUpWindow) {
  Take(*gate_, Paced(10, 60s));
  backend_->LoseState();
  const auto other = backend_->Open();
  const auto begin = Now();
  Take(*other, Paced(10, 60s));
  EXPECT_GE(Now() - begin, 60s);
}

TEST_P(GateContract, WhatIsKnownOutlivesWhoeverAsked) {
  Take(*gate_, Paced(10, 600s));
  GateTarget stopped{.provenance = "stopped"};
  ASSERT_TRUE(
      gate_->Feedback(stopped, Paced(10, 1s),
                      {.kind = GateSignal::Kind::kThrottled, .sent_at = Now(), .cool_down = 1h}));
  gate_.reset();
  backend_->clock().Advance(20s);
  gate_ = backend_->Open();
  const auto used = Ask(*gate_, Paced(10, 600s), {.deadline = 1h});
  ASSERT_TRUE(std::holds_alternative<app::WaitUntil>(used));
  EXPECT_GE(std::get<app::WaitUntil>(used).wait, 40s);
  EXPECT_LE(std::get<app::WaitUntil>(used).wait, 41s) << "the rest of its step, not a whole window";
  const auto told = gate_->Acquire(stopped, Paced(10, 1s), {});
  ASSERT_TRUE(std::holds_alternative<app::Reject>(*told));
  EXPECT_EQ(std::get<app::Reject>(*told).reason, WaitReason::kCoolDown);
  EXPECT_GE(std::get<app::Reject>(*told).wait, 1h);
}

TEST_P(GateContract, WhoeverSharedALostStateSharesTheNewOne) {
  Take(*gate_, Paced(10, 1s));
  backend_->LoseState();
  const auto other = backend_->Open();
  backend_->clock().Advance(10s);
  const auto begin = Now();
  for (int i = 0; i < 50; ++i) Take(i % 2 == 0 ? *gate_ : *other, Paced(10, 1s));
  EXPECT_GE(Now() - begin, 4'900ms);
}

TEST_P(GateContract, QuotasAreCountedOverAllGates) {
  GateRules rules = Paced(1'000, 1s);
  rules.limits.push_back(
      {.kind = LimitKind::kQuota, .count = 100, .window = 24h, .jitter = 0s, .reserve = 10});
  const auto other = backend_->Open();
  for (int i = 0; i < 90; ++i) Take(i % 2 == 0 ? *gate_ : *other, rules);
  backend_->clock().Advance(1s);
  auto answer = Ask(*gate_, rules);
  ASSERT_TRUE(std::holds_alternative<app::Reject>(answer));
  EXPECT_EQ(std::get<app::Reject>(answer).reason, WaitReason::kQuota);
  backend_->clock().Advance(23h);
  EXPECT_TRUE(std::holds_alternative<app::Allow>(Ask(*gate_, rules))) << "the next day";
}

TEST_P(GateContract, ResetEndsStopsButForgetsNothingUsed) {
  const auto rules = Paced(1, 60s);
  Take(*gate_, rules);
  ASSERT_TRUE(gate_->Feedback(target_, rules, {.kind = GateSignal::Kind::kRefused}));
  EXPECT_EQ(gate_->List()->at(0).reason, WaitReason::kRefused);
  ASSERT_TRUE(gate_->Reset("demo"));
  auto answer = Ask(*gate_, rules);
  ASSERT_TRUE(std::holds_alternative<app::Reject>(answer));
  EXPECT_EQ(std::get<app::Reject>(answer).reason, WaitReason::kPace);
  EXPECT_EQ(gate_->Reset("nobody").error().code, ErrorCode::kNotFound);
}

TEST_P(GateContract, ListsWhatItKnows) {
  Take(*gate_, Paced(10, 1s));
  target_.provenance = "another";
  Take(*gate_, Paced(10, 1s));
  const auto list = gate_->List();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ(list->at(0).key, "another");
  EXPECT_EQ(list->at(1).key, "demo");
  EXPECT_EQ(list->at(1).counts.permits, 1);
  EXPECT_EQ(list->at(1).share_ppm, 1'000'000);
}

TEST_P(GateContract, EstimatesWhatCanBeHad) {
  const auto estimate = gate_->Estimate(target_, Paced(10, 1s), 60s);
  ASSERT_TRUE(estimate);
  EXPECT_GE(estimate->permits, 590);
  EXPECT_LE(estimate->permits, 600);
}

INSTANTIATE_TEST_SUITE_P(
    All, GateContract,
    ::testing::Values(NamedBackend{"Mapped", [] { return std::make_unique<MappedGateBackend>(); }},
                      NamedBackend{"Redis", [] { return std::make_unique<RedisGateBackend>(); }}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace patra::testing::gate_contract_test
