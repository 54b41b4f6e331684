// A process whose clock is minutes to days ahead of the world harvests again and again, dies now and then, and is put right
// in the end. At no moment does the watermark stand where the provider has not been yet, and nothing is left out (I4).

#include <gtest/gtest.h>

#include "tests/run_harvest.h"
#include "tests/simulation/process.h"

namespace patra::clock_test {

using namespace std::chrono_literals;
using testing::Crash;
using testing::ModelProvider;
using testing::Stage;

const Instant kBegin = testing::kModelBegin;
const Instant kNow = kBegin + 12h;

// What the stage's time is to somebody whose clock is wrong.
class WrongClock final : public Clock {
 public:
  explicit WrongClock(Stage& stage) : stage_(stage) {}
  Instant Now() const override { return stage_.Now() + ahead; }
  Duration Elapsed() const override { return stage_.Elapsed(); }
  void SleepFor(Duration duration) override { stage_.Sleep(duration); }

  Duration ahead{};

 private:
  Stage& stage_;
};

// Stamps answers with its owner's clock, as a real one does.
class StampingTransport final : public app::Transport {
 public:
  StampingTransport(app::Transport& inner, const Clock& clock) : inner_(inner), clock_(clock) {}
  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    auto response = PATRA_TRY(inner_.Send(request));
    response.received_at = clock_.Now();
    return response;
  }

 private:
  app::Transport& inner_;
  const Clock& clock_;
};

void Simulate(std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("seed {}", seed));
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);

  Stage stage(seed, kNow);
  const auto records = testing::RecordsEvery(5min, 12 * 40);
  static constexpr auto kStyles = std::to_array<const char*>({"page", "offset", "token", "scroll"});
  const auto spec = testing::SourceIn(kStyles[seed % kStyles.size()]);
  ModelProvider provider(stage, records, 0.01);
  provider.lives_in_time = true;
  stage.SetCrashChance(0.002);

  WrongClock clock(stage);
  StampingTransport transport(provider, clock);
  std::uint64_t incarnations = 0;
  stage.Add([&] {
    const auto live = [&]() -> std::optional<testing::HarvestSummary> {
      try {
        testing::Process process(database, stage, clock, transport, ++incarnations);
        auto summary = process.harvest.Run({.spec = spec}, {.workers = 0}, [](const auto&) {});
        EXPECT_TRUE(summary) << summary.error().Describe();
        if (!summary) return std::nullopt;
        return *summary;
      } catch (const Crash&) {
        return std::nullopt;
      }
    };
    for (int life = 0; life < 8; ++life) {
      clock.ahead = std::chrono::minutes(stage.random().Between(2, 50 * 60));
      const auto summary = live();
      if (summary && summary->watermark) {
        ASSERT_LE(*summary->watermark, stage.Now() - spec.window.safety_lag);
      }
      stage.Sleep(std::chrono::minutes(stage.random().Between(1, 90)));
    }
    // Leases and waits that the wrong clock gave out last until the right one has come there.
    clock.ahead = {};
    for (int life = 0; life < 100; ++life) {
      const auto summary = live();
      const bool is_there = summary && summary->complete() && summary->watermark &&
                            *summary->watermark > stage.Now() - 20min;
      if (is_there) return;
      stage.Sleep(1h);
    }
    ADD_FAILURE() << "the watermark never came to where it should be, seed " << seed;
  });
  stage.Run();

  const auto connection =
      infra::sqlite::Connection::Open(database, infra::sqlite::Connection::Access::kReadOnly);
  ASSERT_TRUE(connection);
  const auto number = [&](const std::string& sql) {
    return (*connection)->Integer(sql).value_or(-1);
  };
  const Instant watermark{Duration(number("SELECT normalized_instant FROM ing_cursor"))};
  ASSERT_GT(watermark, kNow);
  const auto expected = static_cast<std::int64_t>(provider.CountIn(kBegin, watermark));
  EXPECT_EQ(number(fmt::format("SELECT count(*) FROM ing_item WHERE updated_at < {}",
                               watermark.time_since_epoch().count())),
            expected);
}

TEST(ClockSimulation, AClockThatIsAheadProvesNothingOfTheFutureAndLosesNothing) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Simulate(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace patra::clock_test
