#include "app/alert/alerting_log.h"

#include <gmock/gmock.h>

namespace patra::app::alerting_log_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FakeAlerts final : public AlertRepository {
 public:
  Result<void> Raise(const domain::Alert& alert) override {
    if (is_broken) return Fail(ErrorCode::kUnavailable, "the disk is full");
    raised.push_back(alert);
    return {};
  }
  Result<bool> Resolve(const std::string& key) override {
    resolved.push_back(key);
    return true;
  }
  Result<std::vector<domain::Alert>> List(const AlertFilter&) override { return raised; }
  Result<void> Silence(const std::string&, Instant, const Decision&) override { return {}; }
  Result<std::vector<domain::Silence>> Silences() override { return {}; }

  std::vector<domain::Alert> raised;
  std::vector<std::string> resolved;
  bool is_broken = false;
};

class MemoryLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object&) override {
    events.emplace_back(event);
  }
  std::vector<std::string> events;
};

class AlertingLogTest : public ::testing::Test {
 protected:
  MemoryLog log_;
  FakeAlerts alerts_;
  AlertingLog alerting_{log_, alerts_};
};

TEST_F(AlertingLogTest, ARefusedCredentialIsAnAlertOfItsOwn) {
  alerting_.Write(LogLevel::kError, "credential.refused", {},
                  {{"source", "crossref"}, {"endpoint", "works"}, {"credential", "main"}});
  ASSERT_THAT(alerts_.raised, SizeIs(1));
  EXPECT_EQ(alerts_.raised[0].key, "credential/crossref/main");
  EXPECT_EQ(alerts_.raised[0].severity, domain::Severity::kCritical);
  EXPECT_EQ(alerts_.raised[0].endpoint, "works");
  EXPECT_THAT(log_.events, ::testing::ElementsAre("credential.refused"));
}

TEST_F(AlertingLogTest, TheReasonIsPartOfTheMessage) {
  alerting_.Write(LogLevel::kWarn, "wait.too_long", {},
                  {{"source", "crossref"}, {"endpoint", "works"}, {"reason", "Retry-After 86400"}});
  ASSERT_THAT(alerts_.raised, SizeIs(1));
  EXPECT_THAT(alerts_.raised[0].message, HasSubstr("(Retry-After 86400)"));
}

TEST_F(AlertingLogTest, AClockThatIsAheadIsAnAlertUntilItAgrees) {
  const Value::Object details{{"source", "crossref"}, {"endpoint", "works"}, {"clock", "provider"}};
  alerting_.Write(LogLevel::kError, "clock.ahead", {}, details);
  ASSERT_THAT(alerts_.raised, SizeIs(1));
  EXPECT_EQ(alerts_.raised[0].key, "clock/crossref/provider");
  EXPECT_EQ(alerts_.raised[0].severity, domain::Severity::kCritical);
  alerting_.Write(LogLevel::kInfo, "clock.agrees", {}, details);
  EXPECT_THAT(alerts_.raised, SizeIs(1));
  EXPECT_THAT(alerts_.resolved, ::testing::ElementsAre("clock/crossref/provider"));
}

TEST_F(AlertingLogTest, WhatWaitedOrFailedIsAnAlertUntilItIsDone) {
  const Value::Object details{{"source", "crossref"}, {"endpoint", "works"}};
  alerting_.Write(LogLevel::kWarn, "wait.too_long", {}, details);
  alerting_.Write(LogLevel::kError, "slice.failed", {}, details);
  ASSERT_THAT(alerts_.raised, SizeIs(2));
  alerting_.Write(LogLevel::kInfo, "slice.recovered", {}, details);
  EXPECT_THAT(alerts_.resolved,
              ::testing::ElementsAre(alerts_.raised[0].key, alerts_.raised[1].key));
}

TEST_F(AlertingLogTest, WhatHappensEveryDayIsNoAlert) {
  alerting_.Write(LogLevel::kWarn, "request.retry", {}, {{"reason", "HTTP 503"}});
  EXPECT_THAT(alerts_.raised, IsEmpty());
}

TEST_F(AlertingLogTest, AnAlertThatCannotBeStoredStopsNothingAndIsLogged) {
  alerts_.is_broken = true;
  alerting_.Write(LogLevel::kError, "credential.refused", {}, {});
  EXPECT_THAT(log_.events, ::testing::ElementsAre("credential.refused", "alert.lost"));
}

}  // namespace patra::app::alerting_log_test
