#include "infra/log/sampled_log.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace patra::testing::sampled_log_test {

using app::LogLevel;
using infra::log::SampledLog;

// How many lines of each run were written.
class CountingLog final : public app::Log {
 public:
  explicit CountingLog(std::map<Id, int>& lines) : lines_(lines) {}
  void Write(LogLevel, std::string_view, const domain::Lineage& lineage,
             const Value::Object&) override {
    ++lines_[lineage.run];
  }

 private:
  std::map<Id, int>& lines_;
};

struct Sampling : ::testing::Test {
  SampledLog LogOf(double share) { return {std::make_unique<CountingLog>(lines), share}; }

  std::map<Id, int> lines;
};

TEST_F(Sampling, ARunIsLoggedWholeOrNotAtAll) {
  auto log = LogOf(0.01);
  for (Id run = 1; run <= 10'000; ++run) {
    for (int batch = 0; batch < 3; ++batch)
      log.Write(LogLevel::kInfo, "batch.committed", {.run = run}, {});
    log.Write(LogLevel::kDebug, "request.settled", {.run = run}, {});
  }
  EXPECT_GT(lines.size(), 50u);
  EXPECT_LT(lines.size(), 150u) << "one in a hundred";
  for (const auto& [run, count] : lines) EXPECT_EQ(count, 4) << run;
}

TEST_F(Sampling, EveryProcessChoosesTheSameRuns) {
  auto one = LogOf(0.1);
  for (Id run = 1; run <= 1'000; ++run)
    one.Write(LogLevel::kInfo, "batch.committed", {.run = run}, {});
  const auto first = std::exchange(lines, {});
  auto other = LogOf(0.1);
  for (Id run = 1'000; run > 0; --run)
    other.Write(LogLevel::kInfo, "batch.committed", {.run = run}, {});
  EXPECT_EQ(lines, first);
}

TEST_F(Sampling, TroubleAndWhatHappensOnceIsAlwaysWritten) {
  auto log = LogOf(0);
  log.Write(LogLevel::kWarn, "batch.committed", {.run = 7}, {});
  log.Write(LogLevel::kError, "request.settled", {.run = 7}, {});
  log.Write(LogLevel::kInfo, "run.opened", {.run = 7}, {});
  log.Write(LogLevel::kInfo, "batch.committed", {}, {});
  EXPECT_EQ(lines, (std::map<Id, int>{{0, 1}, {7, 3}}));
}

TEST_F(Sampling, TheWholeShareIsEverything) {
  auto log = LogOf(1);
  for (Id run = 1; run <= 100; ++run)
    log.Write(LogLevel::kInfo, "batch.committed", {.run = run}, {});
  EXPECT_EQ(lines.size(), 100u);
}

}  // namespace patra::testing::sampled_log_test
