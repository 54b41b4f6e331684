#include "app/gate/rate_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/world_clock.h"

namespace patra::app::rate_book_test {

using namespace std::chrono_literals;
using domain::GateRules;
using domain::GateSignal;
using domain::LimitScope;

class KeptMinutes final : public RateHistory {
 public:
  Result<void> Add(const std::vector<SentInMinute>& sent) override {
    ++asked;
    if (is_away) return Fail(ErrorCode::kUnavailable, "the store is away");
    for (const auto& row : sent) rows.push_back(row);
    return {};
  }
  const SentInMinute& Of(const std::string& key) const {
    static const SentInMinute kNone{};
    for (const auto& row : rows) {
      if (row.key == key) return row;
    }
    ADD_FAILURE() << "nothing of " << key;
    return kNone;
  }

  std::vector<SentInMinute> rows;
  int asked = 0;
  bool is_away = false;
};

class RateBookTest : public ::testing::Test {
 protected:
  void Sent(const domain::GateChange& change = {}, GateSignal::Kind kind = GateSignal::Kind::kOk) {
    book_->Note(target_, rules_, {.kind = kind}, change, clock_.Elapsed());
  }
  void Write() {
    clock_.Advance(RateBook::kWriteEvery);
    (void)book_->WriteIfDue().has_value();
  }

  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}) + 30s};
  KeptMinutes history_;
  std::unique_ptr<RateBook> book_ = std::make_unique<RateBook>(history_, clock_);
  const domain::GateTarget target_{
      .provenance = "demo", .endpoint = "items", .credential = "key-1"};
  GateRules rules_{.limits = {{.scope = LimitScope::kSource, .count = 10, .window = 1s},
                              {.scope = LimitScope::kSource, .count = 300, .window = 1min},
                              {.scope = LimitScope::kEndpoint, .count = 2, .window = 1s},
                              {.kind = domain::LimitKind::kConcurrency,
                               .scope = LimitScope::kCredential,
                               .count = 3}},
                   .feedback_scope = LimitScope::kSource,
                   .breaker_scope = LimitScope::kEndpoint};
};

TEST_F(RateBookTest, ARequestCountsUnderEveryKeyWhoseRateItKeepsTo) {
  Sent();
  Sent();
  Write();
  ASSERT_EQ(history_.rows.size(), 2u) << "a limit on concurrency is no rate";
  EXPECT_EQ(history_.Of("demo").requests, 2);
  EXPECT_EQ(history_.Of("demo").limit_per_day, 300 * 24 * 60) << "the slower one holds";
  EXPECT_EQ(history_.Of("demo").share_ppm_sum, 2'000'000);
  EXPECT_EQ(history_.Of("demo/items").limit_per_day, 2 * 86'400);
  EXPECT_EQ(history_.Of("demo").minute, clock_.Now() - 40s) << "the minute that it was sent in";
  EXPECT_EQ(history_.Of("demo").provenance, "demo");
  EXPECT_EQ(history_.Of("demo").endpoint, "items");
}

TEST_F(RateBookTest, ComplaintsCountWhereTheySlowDownAndTheBreakerWhereItOpens) {
  Sent({.is_slowed = true, .is_frozen = true, .stopped_for = 1h, .share = 700'000},
       GateSignal::Kind::kThrottled);
  Sent({.is_opened = true, .stopped_for = 2s, .share = 700'000}, GateSignal::Kind::kTransient);
  const auto now = clock_.Now();
  Write();
  const auto& source = history_.Of("demo");
  EXPECT_EQ(source.throttled, 1);
  EXPECT_EQ(source.failures, 1);
  EXPECT_EQ(source.cuts, 1);
  EXPECT_EQ(source.cool_downs, 1);
  EXPECT_EQ(source.openings, 0);
  EXPECT_EQ(source.stopped_until, now + 1h);
  EXPECT_EQ(source.share_ppm_sum, 1'400'000);
  const auto& endpoint = history_.Of("demo/items");
  EXPECT_EQ(endpoint.throttled, 0);
  EXPECT_EQ(endpoint.openings, 1);
  EXPECT_EQ(endpoint.stopped_until, now + 2s);
}

TEST_F(RateBookTest, ItIsWrittenNowAndThenAndAtTheEnd) {
  Sent();
  Write();
  Sent();
  ASSERT_TRUE(book_->WriteIfDue());
  EXPECT_EQ(history_.asked, 1) << "not so soon";
  Write();
  Write();
  EXPECT_EQ(history_.asked, 2) << "nothing is not written";
  Sent();
  book_.reset();
  EXPECT_EQ(history_.asked, 3);
}

TEST_F(RateBookTest, WhatCouldNotBeWrittenIsWrittenLater) {
  history_.is_away = true;
  Sent();
  Write();
  Sent();
  clock_.Advance(1min);
  Sent();
  history_.is_away = false;
  Write();
  ASSERT_EQ(history_.rows.size(), 4u) << "two minutes of two keys";
  std::int64_t requests = 0;
  for (const auto& row : history_.rows) requests += row.key == "demo" ? row.requests : 0;
  EXPECT_EQ(requests, 3);
}

}  // namespace patra::app::rate_book_test
