#include "app/gate/allowance.h"

#include <map>

#include <gtest/gtest.h>

namespace patra::app::allowance_test {

using namespace std::chrono_literals;

// A gate that knows what each credential has left.
class KnowingGate final : public RateGate {
 public:
  Result<GateAnswer> Acquire(const domain::GateTarget&, const domain::GateRules&,
                             const domain::GateAsk&) override {
    return Fail(ErrorCode::kInternal, "nobody asks for a permit");
  }
  Result<domain::GateChange> Feedback(const domain::GateTarget&, const domain::GateRules&,
                                      const domain::GateSignal&) override {
    return domain::GateChange{};
  }
  Result<domain::GateEstimate> Estimate(const domain::GateTarget& target, const domain::GateRules&,
                                        Duration) override {
    return domain::GateEstimate{.permits = left.at(target.credential)};
  }
  Result<std::vector<GateStatus>> List() override { return std::vector<GateStatus>{}; }
  Result<void> Reset(const std::string&) override { return {}; }

  std::map<std::string, std::int64_t> left{{"", 40}, {"one", 21}, {"two", 30}};

 private:
  void Release(const domain::GateTarget&, domain::LeaseId) noexcept override {}
};

domain::SpecSnapshot WithQuota(domain::RateScope scope) {
  domain::SpecSnapshot spec{.provenance = "source", .endpoint = "items"};
  domain::LimitSpec limit{.rate = domain::RateSpec{.requests = 40, .per = 24h}};
  limit.per = scope;
  spec.limits = {limit};
  return spec;
}

class Allowance : public ::testing::Test {
 protected:
  std::int64_t Permits(domain::RateScope scope, const std::vector<std::string>& credentials) {
    return AllowanceOf(gate_, WithQuota(scope), domain::Phase::kSearch, {}, credentials, 24h)
        ->permits;
  }

  KnowingGate gate_;
};

TEST_F(Allowance, IsWhatTheCredentialHasLeftAndNotWhatNobodyHasUsed) {
  EXPECT_EQ(Permits(domain::RateScope::kCredential, {"one"}), 21);
  EXPECT_EQ(Permits(domain::RateScope::kCredential, {}), 40);
}

TEST_F(Allowance, AddsUpWhereEveryCredentialHasItsOwn) {
  EXPECT_EQ(Permits(domain::RateScope::kCredential, {"one", "two"}), 51);
  gate_.left["two"] = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Permits(domain::RateScope::kCredential, {"one", "two"}), gate_.left["two"]);
}

TEST_F(Allowance, IsTheBestOnesWhereTheyShareALimit) {
  EXPECT_EQ(Permits(domain::RateScope::kSource, {"one", "two"}), 30);
}

}  // namespace patra::app::allowance_test
