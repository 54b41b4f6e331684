// A worker whose lease was not renewed stops before another takes the task over.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::lease_test {

using namespace std::chrono_literals;

class Lease : public ::testing::Test {
 protected:
  static std::vector<testing::ModelRecord> Records() { return testing::RecordsEvery(5min, 20); }

  // With one slice of four pages.
  std::unique_ptr<testing::Process> Start() {
    auto process =
        std::make_unique<testing::Process>(database_, stage_, clock_, provider_, ++incarnations_,
                                           app::ExecutePolicy{.fetch_ahead = false});
    EXPECT_TRUE(
        process->plan.Run({.spec = testing::SourceIn("page"), .to = testing::kModelBegin + 2h}));
    return process;
  }

  void Play(const std::function<void()>& body) {
    stage_.Add(body);
    stage_.Run();
  }

  testing::TemporaryFolder folder_;
  const std::string database_ = testing::EmptyStoreIn(folder_);
  testing::Stage stage_{1, testing::kModelBegin + 13h};
  testing::StageClock clock_{stage_};
  testing::ModelProvider provider_{stage_, Records(), 0};
  std::uint64_t incarnations_ = 0;
};

TEST_F(Lease, AWorkerWithoutRenewalAsksNothingMoreAndTheNextOneGoesOnFromThere) {
  Play([&] {
    const auto first = Start();
    const auto claimed = first->queue.Claim({.owner = "first", .tasks_max = 1, .lease = 15s});
    ASSERT_TRUE(claimed);
    ASSERT_EQ(claimed->size(), 1U);
    const auto outcome = first->execute.Run(
        claimed->front(), [](const auto&) {}, [](const auto&) {},
        [&] { return provider_.requests < 2; });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kLeaseLost);
    EXPECT_EQ(provider_.requests, 2);

    stage_.Sleep(16s);
    const auto second = Start();
    const auto worked = second->work.Run({.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(worked);
    EXPECT_EQ(worked->succeeded, 1);
    EXPECT_EQ(worked->totals.counts.inserted, 10) << "the pages of the first were not read again";
  });
}

// Says once that the lease is lost, though it is not.
class OnceLost final : public app::RunLedger {
 public:
  explicit OnceLost(app::RunLedger& inner) : inner_(inner) {}
  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override {
    return inner_.Open(task, first);
  }
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override {
    if (!std::exchange(has_lost_, true)) return Fail(ErrorCode::kLeaseLost, "the lease is lost");
    return inner_.Commit(batch);
  }
  Result<void> GiveBack(const app::RunEnd& end) override { return inner_.GiveBack(end); }
  Result<void> GiveUp(const app::LeasedTask& task, const std::string& reason) override {
    return inner_.GiveUp(task, reason);
  }
  Result<app::SliceClosed> Close(const app::SliceClose& close) override {
    return inner_.Close(close);
  }

 private:
  app::RunLedger& inner_;
  bool has_lost_ = false;
};

class KeptEvents final : public app::Log {
 public:
  void Write(app::LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object& details) override {
    if (event.starts_with("task.")) lines.emplace_back(event, details);
  }

  std::vector<std::pair<std::string, Value::Object>> lines;
};

// Else the renewals of an executor would hold on to what none of its workers does.
TEST_F(Lease, ATaskThatItsWorkerLeftIsFreeAtOnce) {
  Play([&] {
    const auto process = Start();
    OnceLost runs(process->real_runs);
    app::ExecuteTask execute(runs, process->id_ledger, process->holds, process->sender,
                             process->sources, clock_, process->log, process->stop,
                             {.fetch_ahead = false});
    KeptEvents log;
    app::Work work(execute, process->real_queue, clock_, process->stop, "worker", {.log = &log});
    const auto begun = clock_.Elapsed();
    const auto worked = work.Run({.workers = 0, .lease = 10min}, [](const auto&) {});
    ASSERT_TRUE(worked);
    EXPECT_EQ(worked->leases_lost, 1);
    EXPECT_EQ(worked->succeeded, 1);
    EXPECT_EQ(worked->totals.counts.inserted, 20);
    EXPECT_LT(clock_.Elapsed() - begun, 1min);
    std::vector<std::string> events;
    for (const auto& [event, details] : log.lines) {
      events.push_back(event);
      EXPECT_TRUE(details.contains("leasedUntil")) << event;
      EXPECT_EQ(*details.at("slot").AsInteger(), 1) << event;
    }
    EXPECT_THAT(events, ::testing::ElementsAre("task.claimed", "task.lease_lost", "task.claimed",
                                               "task.released"));
  });
}

}  // namespace patra::lease_test
