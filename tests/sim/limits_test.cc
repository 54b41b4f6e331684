#include "sim/limits.h"

#include <gtest/gtest.h>

namespace patra::sim::limits_test {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

const Caller kCaller{.key = "k", .address = "1.2.3.4", .pool = "polite", .endpoint = "/works"};

int Admitted(LimitGate& gate, const Caller& caller, Duration now, int tries) {
  int admitted = 0;
  for (int i = 0; i < tries; ++i) admitted += gate.Enter(caller, now).rejection ? 0 : 1;
  return admitted;
}

TEST(LimitGate, SlidingWindowNeverAdmitsMoreThanItsCountInAnyWindow) {
  LimitGate gate({LimitRule{.count_max = 3}});
  EXPECT_EQ(Admitted(gate, kCaller, milliseconds(900), 5), 3);
  EXPECT_EQ(Admitted(gate, kCaller, milliseconds(1'100), 5), 0);  // a fixed window would admit
  EXPECT_EQ(Admitted(gate, kCaller, milliseconds(1'901), 5), 3);
}

TEST(LimitGate, FixedWindowStartsOverAtItsBoundary) {
  LimitGate gate({{.kind = LimitRule::Kind::kFixedWindow, .count_max = 3, .window = minutes(1)}});
  EXPECT_EQ(Admitted(gate, kCaller, seconds(59), 5), 3);
  EXPECT_EQ(Admitted(gate, kCaller, seconds(60), 5), 3);
}

TEST(LimitGate, RejectionTellsTheCountAndHowLongToWait) {
  LimitGate gate({LimitRule{.count_max = 1}});
  EXPECT_FALSE(gate.Enter(kCaller, milliseconds(100)).rejection);
  const auto decision = gate.Enter(kCaller, milliseconds(400));
  ASSERT_TRUE(decision.rejection);
  EXPECT_EQ(decision.rejection->count, 2);
  EXPECT_EQ(decision.rejection->retry_after, milliseconds(700));
}

TEST(LimitGate, ConcurrencyCountsPlacesUntilTheyAreGivenBack) {
  LimitGate gate({{.kind = LimitRule::Kind::kConcurrency, .count_max = 1}});
  auto first = gate.Enter(kCaller, {});
  EXPECT_FALSE(first.rejection);
  EXPECT_TRUE(gate.Enter(kCaller, {}).rejection);
  first.place.reset();
  EXPECT_FALSE(gate.Enter(kCaller, {}).rejection);
}

TEST(LimitGate, RulesApplyPerKeyAddressEndpointAndPool) {
  const auto other_key =
      Caller{.key = "l", .address = "1.2.3.4", .pool = "polite", .endpoint = "/x"};
  const auto other_pool =
      Caller{.key = "k", .address = "1.2.3.4", .pool = "plus", .endpoint = "/works"};
  LimitGate by_key({{.scope = LimitRule::Scope::kKey, .count_max = 1}});
  EXPECT_EQ(Admitted(by_key, kCaller, {}, 2), 1);
  EXPECT_EQ(Admitted(by_key, other_key, {}, 2), 1);
  LimitGate by_address({{.scope = LimitRule::Scope::kAddress, .count_max = 1}});
  EXPECT_EQ(Admitted(by_address, kCaller, {}, 2), 1);
  EXPECT_EQ(Admitted(by_address, other_key, {}, 2), 0);
  LimitGate by_pool({{.pool = "polite", .count_max = 1}});
  EXPECT_EQ(Admitted(by_pool, kCaller, {}, 2), 1);
  EXPECT_EQ(Admitted(by_pool, other_pool, {}, 2), 2);
}

TEST(LimitRule, SurvivesBeingWrittenAndRead) {
  const LimitRule rule{.kind = LimitRule::Kind::kFixedWindow,
                       .scope = LimitRule::Scope::kKeyAndEndpoint,
                       .pool = "p",
                       .count_max = 7,
                       .window = minutes(2)};
  const auto read = ParseLimitRule(DescribeRule(rule));
  ASSERT_TRUE(read) << read.error().Describe();
  EXPECT_EQ(read->kind, rule.kind);
  EXPECT_EQ(read->scope, rule.scope);
  EXPECT_EQ(read->pool, "p");
  EXPECT_EQ(read->count_max, 7);
  EXPECT_EQ(read->window, minutes(2));
}

TEST(LimitRule, RefusesWhatItDoesNotKnow) {
  for (const auto* text : {"3", "{}", R"({"count":-1})", R"({"count":1,"kind":"x"})",
                           R"({"count":1,"window":"soon"})", R"({"count":1,"cuont":1})"}) {
    EXPECT_FALSE(ParseLimitRule(*ParseJson(text))) << text;
  }
}

TEST(ArrivalLog, KnowsThePeakOfAnySlidingWindow) {
  ArrivalLog log;
  for (const auto at : {0, 900, 1'000, 1'100, 1'800, 1'899}) {
    log.Count(kCaller, milliseconds(at), at != 1'100);
  }
  const auto described = log.Describe();
  const auto& key = *described.Find("keys")->Find("k");
  EXPECT_EQ(*key.Find("requests")->AsInteger(), 6);
  EXPECT_EQ(*key.Find("rejected")->AsInteger(), 1);
  EXPECT_EQ(*key.Find("peakPerSecond")->AsInteger(), 5);
  EXPECT_EQ(*key.Find("peakPermittedPerSecond")->AsInteger(), 4);
}

}  // namespace patra::sim::limits_test
