// Machines that share a server, and whose clocks differ by minutes: who holds a task is the same to all of them.
#include <chrono>
#include <functional>
#include <thread>

#include "tests/infra/mysql/mysql_backend.h"

namespace patra::machines_test {

using namespace std::chrono_literals;

class OffClock final : public Clock {
 public:
  explicit OffClock(Duration ahead) : ahead_(ahead) {}
  Instant Now() const override { return right_.Now() + ahead_; }
  Duration Elapsed() const override { return right_.Elapsed(); }
  void SleepFor(Duration duration) override { right_.SleepFor(duration); }

 private:
  SystemClock right_;
  const Duration ahead_;
};

// A store as a program opens it: by the server's time.
class Machine {
 public:
  Machine(const infra::mysql::Address& address, Duration ahead) : clock_(ahead) {
    auto database = infra::mysql::Store::Open({.address = address}, clock_);
    PATRA_ASSERT(database.has_value());
    auto& by = (*database)->server_clock();
    auto store = infra::sql::SqlStore::Open(*std::move(database), by);
    PATRA_ASSERT(store.has_value());
    store_ = *std::move(store);
  }

  app::Store& store() { return *store_; }
  std::vector<app::LeasedTask> Claim(const std::string& owner, Duration lease) {
    auto claimed = store_->queue().Claim(
        {.owner = owner, .tasks_max = 1, .lease = lease, .running_per_lane_max = 9});
    EXPECT_TRUE(claimed) << claimed.error().Describe();
    return claimed.value_or(std::vector<app::LeasedTask>{});
  }
  int Rescue() { return store_->queue().RescueExpired().value_or(-1); }

 private:
  OffClock clock_;
  std::unique_ptr<infra::sql::SqlStore> store_;
};

class Machines : public testing::LedgerTest {
 protected:
  static constexpr Duration kWaitMax = 20s;

  infra::mysql::Address Address() const {
    return static_cast<testing::MysqlBackend&>(*backend_).address();
  }

  // Bounded. Whether it came.
  static bool Await(const std::function<bool()>& condition) {
    SystemClock clock;
    for (const auto begin = clock.Elapsed(); clock.Elapsed() - begin < kWaitMax;) {
      if (condition()) return true;
      clock.SleepFor(2ms);
    }
    return false;
  }

  Machine slow_{Address(), -7min};
  Machine fast_{Address(), 7min};
};
INSTANTIATE_TEST_SUITE_P(OnAServer, Machines, ::testing::Values(testing::kMysql),
                         [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(Machines, AgreeOnWhoHoldsATaskWhateverTheirClocksSay) {
  Planned(1, 2);
  ASSERT_EQ(slow_.Claim("slow", 1min).size(), 1u);
  EXPECT_EQ(fast_.Rescue(), 0) << "a minute is not over";
  EXPECT_TRUE(fast_.Claim("fast", 1min).empty());

  Planned(3, 4);
  SystemClock clock;
  const auto claimed_at = clock.Elapsed();
  const auto tasks = fast_.Claim("fast", 300ms);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_TRUE(Await([&] { return slow_.Rescue() == 1; })) << "a lease comes to its end";
  EXPECT_GE(clock.Elapsed() - claimed_at, 300ms) << "and not before";
  EXPECT_EQ(slow_.Claim("slow", 1min).size(), 1u);
  const auto late = fast_.store().runs().Open(tasks.front(), kFirstPage);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kLeaseLost);
}

// Who has to wait for its turn hears of the server's time late.
TEST_P(Machines, KnowTheTimeAlsoWhereTheFirstTurnIsLongInComing) {
  constexpr Duration kHeld = 300ms;
  OffClock clock(-7min);
  const auto store = infra::mysql::Store::Open({.address = Address()}, clock);
  ASSERT_TRUE(store) << store.error().Describe();
  auto other = testing::TestServer::At(Address());
  other.Run("START TRANSACTION; SELECT name FROM patra_lock WHERE name = 'store' FOR UPDATE");
  Instant told{};
  {
    std::jthread asks([&] {
      const auto written = (*store)->Write(infra::sql::LockScope::Outbox(),
                                           [&](infra::sql::Session&) -> Result<void> {
                                             told = (*store)->server_clock().Now();
                                             return {};
                                           });
      EXPECT_TRUE(written) << written.error().Describe();
    });
    auto onlooker = testing::TestServer::At(Address());
    const auto waiting =
        "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND id <> "
        "connection_id() AND info LIKE '%patra_lock%'";
    EXPECT_TRUE(Await([&] { return onlooker.Texts(waiting) == std::vector<std::string>{"1"}; }));
    const auto begin = clock.Elapsed();
    EXPECT_TRUE(Await([&] { return clock.Elapsed() - begin > kHeld; }));
    other.Run("ROLLBACK");
  }
  EXPECT_LT(std::chrono::abs(SystemClock().Now() - told), 30s);
}

}  // namespace patra::machines_test
