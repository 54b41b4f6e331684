// A machine that has no memory or no descriptors left fails the task that it hits, for as long as that lasts, and blames
// neither the provider nor anybody else.
#include <new>

#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::exhaustion_test {

using namespace std::chrono_literals;

class ScarceTransport final : public app::Transport {
 public:
  explicit ScarceTransport(app::Transport& inner) : inner_(inner) {}
  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    ++sent;
    if (sent <= 4) throw std::bad_alloc();
    if (sent <= 12) return Fail(ErrorCode::kExhausted, "this machine has no more file descriptors");
    return inner_.Send(request);
  }

  int sent = 0;

 private:
  app::Transport& inner_;
};

TEST(Exhaustion, FailsTheTaskThatItHitsAndOpensNoBreaker) {
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);
  testing::Stage stage(1, testing::kModelBegin + 13h);
  testing::ModelProvider provider(stage, testing::RecordsEvery(10min, 60), 0);
  ScarceTransport transport(provider);
  testing::StageClock clock(stage);
  stage.Add([&] {
    testing::Process process(database, stage, clock, transport, 1);
    const auto summary =
        process.harvest.Run({.spec = testing::SourceIn("page"), .to = testing::kModelBegin + 10h},
                            {.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(summary->complete());
  });
  stage.Run();
  EXPECT_GT(transport.sent, 12);
  const auto connection =
      infra::sqlite::Connection::Open(database, infra::sqlite::Connection::Access::kReadOnly);
  ASSERT_TRUE(connection);
  const auto number = [&](const std::string& sql) {
    return (*connection)->Integer(sql).value_or(-1);
  };
  EXPECT_EQ(number("SELECT count(*) FROM ing_item"), 60);
  EXPECT_GT(number("SELECT count(*) FROM ing_task_run WHERE error LIKE '%memory%'"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM ing_task_run_batch WHERE error = 'breaker'"), 0);
}

}  // namespace patra::exhaustion_test
