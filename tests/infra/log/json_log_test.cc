#include "infra/log/json_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "tests/temporary_folder.h"

namespace patra::testing::json_log_test {

using app::LogLevel;
using infra::log::JsonLog;

class JsonLines : public ::testing::Test {
 protected:
  ~JsonLines() override { std::fclose(file_); }

  std::vector<std::string> Lines() {
    std::fflush(file_);
    std::ifstream in(folder_.Path("log"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  TemporaryFolder folder_;
  std::FILE* file_ = std::fopen(folder_.Path("log").c_str(), "w");
  VirtualClock clock_{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 2})};
};

TEST_F(JsonLines, HaveTimeLevelEventAndTheSixIdsAsTexts) {
  JsonLog log(LogLevel::kInfo, clock_, file_);
  log.Write(LogLevel::kWarn, "batch.retry",
            {.trigger = 1, .plan = 2, .slice = 3, .task = 4, .run = 9'007'199'254'740'993},
            {{"attempt", 2}});
  ASSERT_EQ(Lines().size(), 1U);
  EXPECT_EQ(
      Lines()[0],
      R"({"attempt":2,"batch_id":"","correlation_id":"1","event":"batch.retry","level":"WARN","plan_id":"2",)"
      R"("run_id":"9007199254740993","schedule_instance_id":"1","slice_id":"3",)"
      R"("task_id":"4","ts":"2026-01-02T00:00:00Z"})");
}

TEST_F(JsonLines, CarryTheCorrelationIdThatTheTriggersSchedulerGave) {
  JsonLog log(LogLevel::kInfo, clock_, file_);
  log.Write(LogLevel::kInfo, "run.opened", {.trigger = 1, .correlation = "xxl-77"}, {});
  ASSERT_EQ(Lines().size(), 1U);
  EXPECT_NE(Lines()[0].find(R"("correlation_id":"xxl-77")"), std::string::npos) << Lines()[0];
}

TEST_F(JsonLines, BelowTheLevelAreLeftOut) {
  JsonLog log(LogLevel::kWarn, clock_, file_);
  log.Write(LogLevel::kInfo, "quiet", {}, {});
  log.Write(LogLevel::kError, "loud", {}, {});
  ASSERT_EQ(Lines().size(), 1U);
  EXPECT_THAT(Lines()[0], ::testing::HasSubstr("loud"));
}

TEST_F(JsonLines, StayLinesWhateverTheyHold) {
  JsonLog log(LogLevel::kDebug, clock_, file_);
  constexpr char kNasty[] =
      "a\nb\r\x1B[31m\x7F\xC2\x9B"
      "31m\xFF{} %v \0z";
  const std::string nasty(kNasty, sizeof kNasty - 1);
  log.Write(LogLevel::kInfo, "x\ny", {}, {{"text", nasty}, {nasty, 1}});
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1U);
  for (const char c : lines[0]) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
  EXPECT_EQ(lines[0].find("\xC2\x9B"), std::string::npos);
  const auto parsed = ParseJson(lines[0]);
  ASSERT_TRUE(parsed) << parsed.error().Describe();
  EXPECT_EQ(*parsed->Find("event")->AsString(), "x\ny");
}

TEST_F(JsonLines, AreOfBoundedLength) {
  JsonLog log(LogLevel::kDebug, clock_, file_);
  log.Write(LogLevel::kInfo, "long", {}, {{"text", std::string(1'000'000, 'x')}});
  EXPECT_LT(Lines()[0].size(), 2 * JsonLog::kTextBytesMax);
}

TEST_F(JsonLines, OfManyThreadsDoNotMix) {
  JsonLog log(LogLevel::kDebug, clock_, file_);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) log.Write(LogLevel::kInfo, "e", {}, {{"i", i}});
      });
    }
  }
  const auto lines = Lines();
  EXPECT_EQ(lines.size(), 400U);
  for (const auto& line : lines) EXPECT_TRUE(ParseJson(line)) << line;
}

}  // namespace patra::testing::json_log_test
