// Every row of the tables of error levels that an answer or its absence can
// show, and what single providers do.
#include "domain/error/verdict.h"

#include <gtest/gtest.h>

#include "domain/error/retry_schedule.h"

namespace patra::domain::verdict_test {

using namespace std::chrono_literals;
using enum ErrorLevel;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 10h + 20min + 30s};

Verdict Judge(int status, const std::vector<std::pair<std::string, std::string>>& headers = {},
              const RetrySpec& retry = {}) {
  return JudgeAnswer({.status = status, .headers = headers, .received_at = kNow}, retry);
}

Verdict JudgeByRule(const ErrorRule& rule, int status, std::string_view text = {},
                    const std::vector<std::pair<std::string, std::string>>& headers = {}) {
  return JudgeAnswer(
      {.status = status, .headers = headers, .received_at = kNow, .rule = &rule, .text = text}, {});
}

TEST(Levels, WhatFailsForGoodIsToldInTheProvidersWords) {
  const auto reason = [](int status, std::string_view body) {
    return JudgeAnswer({.status = status, .received_at = kNow, .text = body}, {}).reason;
  };
  EXPECT_EQ(reason(400, R"({"message":
      "rows must be at most 1000"})"),
            R"(HTTP 400: {"message": "rows must be at most 1000"})");
  EXPECT_EQ(reason(400, ""), "HTTP 400");
  EXPECT_EQ(reason(404, "<!doctype html><title>Not found</title>"), "HTTP 404");
  EXPECT_EQ(reason(503, "try later"), "HTTP 503");
  const std::string two_bytes_each = "\u00e9";
  std::string body;
  for (int i = 0; i < 300; ++i) body += i == 0 ? "a" : two_bytes_each;
  EXPECT_EQ(reason(400, body).size(), std::string("HTTP 400: ").size() + 199 + 3)
      << "no character is cut in two";
}

Error Failure(ErrorCode code) { return Fail(code, "no complete response").error(); }

TEST(Levels, OfStatuses) {
  struct Case {
    int status;
    ErrorLevel level;
    std::optional<ErrorAction> action;
  };
  using enum ErrorAction;
  for (const auto& [status, level, action] : std::to_array<Case>({
           {200, kNone, std::nullopt}, {201, kNone, std::nullopt}, {204, kNone, std::nullopt},
           {206, kL1, kRetry},  // nobody asked for a part
           {301, kL2, kFail},          {302, kL2, kFail},          {304, kL2, kFail},
           {400, kL2, kFail},          {402, kL2, kFail},          {403, kL2, kFail},
           {404, kL2, kFail},          {405, kL2, kFail},          {409, kL2, kFail},
           {410, kL2, kFail},          {413, kL2, kFail},          {414, kL2, kFail},
           {415, kL2, kFail},          {422, kL2, kFail},          {423, kL2, kFail},
           {451, kL2, kFail},          {401, kL4, kStop},          {407, kL4, kStop},
           {408, kL1, kRetry},         {425, kL1, kRetry},         {429, kL1, kWait},
           {500, kL1, kRetry},         {502, kL1, kRetry},         {503, kL1, kRetry},
           {504, kL1, kRetry},         {511, kL1, kRetry},         {529, kL1, kRetry},
       })) {
    const auto verdict = Judge(status);
    EXPECT_EQ(verdict.level, level) << status;
    EXPECT_EQ(verdict.action, action) << status;
    EXPECT_EQ(verdict.is_throttled, status == 429) << status;
    EXPECT_EQ(verdict.is_page(), level == kNone) << status;
  }
}

TEST(Levels, ObeyRetryAfterWhateverTheStatus) {
  EXPECT_EQ(Judge(429, {{"Retry-After", "7"}}).wait, 7s);
  EXPECT_EQ(Judge(503, {{"retry-after", "7"}}).wait, 7s);  // OAI-PMH's flow control
  EXPECT_EQ(Judge(503, {{"Date", "Thu, 01 Jan 2026 00:00:00 GMT"},
                        {"Retry-After", "Thu, 01 Jan 2026 00:02:00 GMT"}})
                .wait,
            2min);
  EXPECT_EQ(Judge(429, {{"Retry-After", "-1"}}).wait, std::nullopt);
  EXPECT_EQ(Judge(400, {{"Retry-After", "7"}}).wait, std::nullopt);
}

TEST(Levels, OfWhatTheDefinitionDeclares) {
  RetrySpec retry{.statuses = {{409, 409}, {423, 423}}, .give_up = {{500, 501}, {429, 429}}};
  EXPECT_EQ(Judge(409, {}, retry).level, kL1);
  EXPECT_EQ(Judge(423, {}, retry).level, kL1);
  EXPECT_EQ(Judge(501, {}, retry).level, kL2);
  EXPECT_EQ(Judge(502, {}, retry).level, kL1);
  EXPECT_EQ(Judge(429, {}, retry).level, kL2);
  retry.statuses = {{401, 401}};
  EXPECT_EQ(Judge(401, {}, retry).level, kL4)
      << "a refused credential is not tried again and again";
}

TEST(Levels, OfAnswersThatDidNotCome) {
  struct Case {
    ErrorCode code;
    ErrorLevel level;
  };
  for (const auto& [code, level] : std::to_array<Case>({
           {ErrorCode::kUnavailable, kL1},   // DNS, connect and read timeouts, resets, cut bodies
           {ErrorCode::kLimit, kL2},         // too large
           {ErrorCode::kInvalidInput, kL2},  // the request itself, an address that is not allowed
           {ErrorCode::kRefused, kL4},       // a token endpoint or a proxy refuses us
           {ErrorCode::kCorruption, kL4},    // a certificate that proves nothing
           {ErrorCode::kInternal, kL4},      // what nobody foresaw
       })) {
    const auto verdict = JudgeFailure(Failure(code), {});
    EXPECT_EQ(verdict.level, level) << Name(code);
    EXPECT_EQ(verdict.failure, code);
    EXPECT_FALSE(verdict.is_page());
  }
  EXPECT_EQ(JudgeFailure(Failure(ErrorCode::kUnavailable), {.network_errors = false}).level, kL2);
  EXPECT_EQ(JudgeFailure(Failure(ErrorCode::kLimit), {}).action, ErrorAction::kFail);
  EXPECT_EQ(JudgeFailure(Failure(ErrorCode::kExhausted), {.network_errors = false}).level, kL1)
      << "ours, and it passes";
}

TEST(Levels, OfRules) {
  struct Case {
    ErrorAction action;
    ErrorLevel level;
  };
  using enum ErrorAction;
  for (const auto& [action, level] : std::to_array<Case>({{kRetry, kL1},
                                                          {kWait, kL1},
                                                          {kRestartSlice, kL1},
                                                          {kFail, kL2},
                                                          {kQuarantine, kL3},
                                                          {kStop, kL4},
                                                          {kEmpty, kNone},
                                                          {kEnd, kNone}})) {
    const auto verdict = JudgeByRule({.action = action}, 200);
    EXPECT_EQ(verdict.level, level) << CodeOf(action);
    EXPECT_EQ(verdict.action, action);
    EXPECT_EQ(verdict.is_throttled, action == kWait);
  }
}

TEST(Levels, OfPubMedsErrorsIn200) {
  const ErrorRule rule{.text = "Search Backend failed", .action = ErrorAction::kRetry};
  EXPECT_EQ(JudgeByRule(rule, 200).level, kL1);
  const ErrorRule throttle{
      .text = "API rate limit exceeded", .action = ErrorAction::kWait, .until = "1s"};
  const auto verdict = JudgeByRule(throttle, 429, R"({"error":"API rate limit exceeded"})");
  EXPECT_TRUE(verdict.is_throttled);
  EXPECT_EQ(verdict.wait, 1s);
}

TEST(Levels, OfOpenAlexsPermanent429) {
  const ErrorRule rule{
      .statuses = {{429, 429}}, .text = "Plan upgrade required", .action = ErrorAction::kFail};
  const auto verdict = JudgeByRule(rule, 429, R"({"error":"Plan upgrade required"})");
  EXPECT_EQ(verdict.level, kL2);
  EXPECT_FALSE(verdict.is_throttled);
  EXPECT_EQ(verdict.wait, std::nullopt);
}

TEST(Levels, OfTuSharesTwoMeaningsOf40203) {
  const ErrorRule often{
      .text = "每分钟|次/分钟", .action = ErrorAction::kWait, .until = "NEXT_MINUTE"};
  EXPECT_EQ(JudgeByRule(often, 200, "抱歉，您每分钟最多访问该接口500次").wait, 30s);
  EXPECT_EQ(JudgeByRule(often, 200, "频率超限(200次/分钟)").wait, 30s);
  const ErrorRule daily{.text = "每天", .action = ErrorAction::kWait, .until = "NEXT_DAY"};
  EXPECT_EQ(JudgeByRule(daily, 200, "每天最多访问该接口10次").wait, 5h + 39min + 30s)
      << "to midnight in China";
  const ErrorRule never{.text = "没有.*权限", .action = ErrorAction::kStop};
  const auto stop = JudgeByRule(never, 200, "抱歉，您没有接口访问权限");
  EXPECT_EQ(stop.level, kL4);
  EXPECT_FALSE(stop.is_throttled);
}

TEST(Levels, OfOaiErrorCodes) {
  const ErrorRule none{.body = "/OAI-PMH/error[@code='noRecordsMatch']",
                       .action = ErrorAction::kEmpty};
  EXPECT_EQ(JudgeByRule(none, 200).level, kNone);
  EXPECT_FALSE(JudgeByRule(none, 200).is_page());
  const ErrorRule token{.body = "/OAI-PMH/error[@code='badResumptionToken']",
                        .action = ErrorAction::kRestartSlice};
  EXPECT_EQ(JudgeByRule(token, 200).level, kL1);
  const ErrorRule other{.body = "/OAI-PMH/error", .action = ErrorAction::kFail};
  EXPECT_EQ(JudgeByRule(other, 200).level, kL2);
}

TEST(Levels, WaitTheLongerOfWhatTheProviderAndTheRuleSay) {
  const ErrorRule minute{.action = ErrorAction::kWait, .until = "NEXT_MINUTE"};
  EXPECT_EQ(JudgeByRule(minute, 429, {}, {{"Retry-After", "5"}}).wait, 30s);
  EXPECT_EQ(JudgeByRule(minute, 429, {}, {{"Retry-After", "90"}}).wait, 90s);
  const ErrorRule hour{.action = ErrorAction::kWait, .until = "NEXT_HOUR"};
  EXPECT_EQ(JudgeByRule(hour, 200).wait, 39min + 30s);
  const ErrorRule day{.action = ErrorAction::kWait, .until = "NEXT_DAY"};
  EXPECT_EQ(JudgeByRule(day, 200).wait, 13h + 39min + 30s);
}

TEST(Levels, WaitUntilWhatTheRuleSaysInTheWordsOfDefinitions) {
  for (const auto& [until, wait] : std::vector<std::pair<std::string, Duration>>{
           {"next_minute", 30s}, {"next_hour", 39min + 30s}, {"next_day", 13h + 39min + 30s}}) {
    const ErrorRule rule{.action = ErrorAction::kWait, .until = until};
    EXPECT_EQ(JudgeByRule(rule, 200).wait, wait) << until;
  }
}

TEST(Levels, TheNextDayBeginsAtMidnightOfTheSource) {
  const ErrorRule day{.action = ErrorAction::kWait, .until = "next_day"};
  const auto wait_in = [&](std::string_view timezone) {
    return JudgeAnswer({.status = 200, .received_at = kNow, .rule = &day, .timezone = timezone}, {})
        .wait;
  };
  EXPECT_EQ(wait_in("UTC"), 13h + 39min + 30s);
  EXPECT_EQ(wait_in("Asia/Shanghai"), 5h + 39min + 30s);
}

class Retries : public ::testing::Test {
 protected:
  const Verdict transient_{.level = kL1, .action = ErrorAction::kRetry};
  SeededRandom random_{7};
};

TEST_F(Retries, AreTuSharesThreeSixTwelve) {
  RetrySchedule schedule({.attempts_max = 4, .first_delay = 3s, .delay_max = 12s, .jitter = 0});
  for (const auto wait : {3s, 6s, 12s}) {
    const auto step = schedule.Next(transient_, random_);
    EXPECT_EQ(step.kind, RetryStep::Kind::kRetry);
    EXPECT_EQ(step.wait, wait);
  }
  EXPECT_EQ(schedule.Next(transient_, random_).kind, RetryStep::Kind::kGiveUp);
  EXPECT_EQ(schedule.attempts(), 4);
}

TEST_F(Retries, JitterWithinAFifthByDefault) {
  for (int i = 0; i < 100; ++i) {
    RetrySchedule schedule({});
    const auto step = schedule.Next(transient_, random_);
    EXPECT_GE(step.wait, 80ms);
    EXPECT_LE(step.wait, 120ms);
  }
}

TEST_F(Retries, WaitAtLeastAsLongAsTold) {
  auto told = transient_;
  told.wait = 20s;
  RetrySchedule schedule({});
  EXPECT_EQ(schedule.Next(told, random_).wait, 20s);
}

TEST_F(Retries, ParkBeyondTheCapAndNeverIgnoreIt) {
  auto told = transient_;
  told.wait = 2h;
  RetrySchedule schedule({.retry_after_cap = 1h});
  const auto step = schedule.Next(told, random_);
  EXPECT_EQ(step.kind, RetryStep::Kind::kPark);
  EXPECT_EQ(step.wait, 2h);
}

TEST_F(Retries, AreForWhatPassesByItself) {
  for (const auto level : {kL2, kL3, kL4}) {
    RetrySchedule schedule({});
    EXPECT_EQ(schedule.Next({.level = level}, random_).kind, RetryStep::Kind::kGiveUp);
  }
}

}  // namespace patra::domain::verdict_test
