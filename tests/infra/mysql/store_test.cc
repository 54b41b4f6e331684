#include "infra/mysql/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/mysql/migration.h"
#include "tests/infra/mysql/cutting_proxy.h"
#include "tests/infra/mysql/mysql_backend.h"

namespace patra::store_test {

using infra::mysql::Address;
using infra::mysql::Store;
using infra::sql::LockScope;
using infra::sql::Session;
using testing::CuttingProxy;

constexpr std::string_view kAdd =
    "INSERT INTO ing_duty (name, owner, until) VALUES (:name, 'a', 1) "
    "ON CONFLICT (name) DO UPDATE SET until = until + 1";
constexpr std::string_view kCount =
    "SELECT coalesce(max(until), 0) FROM ing_duty WHERE name = :name";

class MysqlStore : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Open(Address address) {
    auto store = Store::Open({.address = std::move(address)}, clock_);
    EXPECT_TRUE(store) << store.error().Describe();
    return store ? *std::move(store) : nullptr;
  }
  std::unique_ptr<Store> Open() { return Open(testing::AddressOf(database_.name())); }

  static Result<void> Add(Store& store, std::string_view name, const LockScope& scope) {
    return store.Write(scope, [&](Session& session) -> Result<void> {
      PATRA_TRY(session.Run(kAdd, {{"name", name}}));
      return {};
    });
  }
  static std::int64_t CountOf(Store& store, std::string_view name) {
    return store.Read([&](Session& session) { return session.Integer(kCount, {{"name", name}}); })
        .value_or(-1);
  }

  testing::TestDatabase database_;
  SystemClock clock_;
};

TEST_F(MysqlStore, ACommitWhoseAnswerIsLostTakesEffectOnce) {
  CuttingProxy proxy(*testing::TestServerPort());
  auto address = testing::AddressOf(database_.name());
  address.port = proxy.port();
  const auto store = Open(address);
  for (int i = 1; i <= 20; ++i) {
    proxy.CutNext(i % 2 == 0 ? CuttingProxy::Cut::kBefore : CuttingProxy::Cut::kAfter);
    const auto added = Add(*store, "n", LockScope::Source("demo"));
    ASSERT_TRUE(added) << added.error().Describe();
    ASSERT_TRUE(proxy.has_cut());
    ASSERT_EQ(CountOf(*store, "n"), i);
  }
}

TEST_F(MysqlStore, ACommitOfWhichTheServerSaysThatItFailedTakesEffectOnce) {
  CuttingProxy proxy(*testing::TestServerPort());
  auto address = testing::AddressOf(database_.name());
  address.port = proxy.port();
  const auto store = Open(address);
  ASSERT_TRUE(Add(*store, "n", LockScope::Source("demo")));
  const auto add = [&](unsigned said, CuttingProxy::Cut cut) {
    proxy.RefuseNextCommit(said, cut);
    return Add(*store, "n", LockScope::Source("demo"));
  };
  // As a Galera node does that loses the others while it commits.
  constexpr unsigned kDuringCommit = 1180;
  for (const auto cut : {CuttingProxy::Cut::kBefore, CuttingProxy::Cut::kAfter}) {
    const auto before = CountOf(*store, "n");
    const auto added = add(kDuringCommit, cut);
    ASSERT_TRUE(added) << added.error().Describe();
    ASSERT_TRUE(proxy.has_cut());
    ASSERT_EQ(CountOf(*store, "n"), before + 1);
  }
  // One that nobody knows.
  constexpr unsigned kUnknown = 1105;
  ASSERT_TRUE(add(kUnknown, CuttingProxy::Cut::kAfter)) << "it was done all the same";
  ASSERT_EQ(CountOf(*store, "n"), 4);
  const auto refused = add(kUnknown, CuttingProxy::Cut::kBefore);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
  ASSERT_EQ(CountOf(*store, "n"), 4);
}

TEST_F(MysqlStore, TransactionsThatLockEachOtherRunAgainUntilBothAreDone) {
  const auto store = Open();
  const auto both_ways = [&](std::string_view first, std::string_view second) {
    for (int i = 0; i < 20; ++i) {
      const auto added =
          store->Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
            PATRA_TRY(session.Run(kAdd, {{"name", first}}));
            PATRA_TRY(session.Run(kAdd, {{"name", second}}));
            return {};
          });
      EXPECT_TRUE(added) << added.error().Describe();
    }
  };
  {
    std::jthread other([&] { both_ways("a", "b"); });
    both_ways("b", "a");
  }
  EXPECT_EQ(CountOf(*store, "a"), 40);
  EXPECT_EQ(CountOf(*store, "b"), 40);
}

TEST_F(MysqlStore, WhoReadsAndDecidesInTheSameScopeTakesTurns) {
  const auto store = Open();
  const auto read_then_write = [&] {
    for (int i = 0; i < 30; ++i) {
      const auto done =
          store->Write(LockScope::Source("demo"), [&](Session& session) -> Result<void> {
            const auto count = PATRA_TRY(session.Integer(kCount, {{"name", "n"}}));
            if (count == 0) PATRA_TRY(session.Run(kAdd, {{"name", "n"}}));
            PATRA_TRY(session.Run("UPDATE ing_duty SET until = :next WHERE name = 'n'",
                                  {{"next", count + 1}}));
            return {};
          });
      EXPECT_TRUE(done) << done.error().Describe();
    }
  };
  {
    std::jthread first(read_then_write), second(read_then_write);
  }
  EXPECT_EQ(CountOf(*store, "n"), 60);
}

TEST_F(MysqlStore, AFailedJobLeavesNothing) {
  const auto store = Open();
  const auto failed = store->Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kAdd, {{"name", "n"}}));
    return Fail(ErrorCode::kConflict, "no");
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kConflict);
  EXPECT_EQ(CountOf(*store, "n"), 0);
}

// The server says so and hangs up, which looks like one that went away.
TEST_F(MysqlStore, WhatIsLargerThanTheServerTakesFailsAndIsNotTriedForEver) {
  const auto store = Open();
  const std::string owner(std::size_t{70} << 20, 'o');
  const auto failed = store->Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run("INSERT INTO ing_duty (name, owner, until) VALUES ('n', :owner, 1)",
                          {{"owner", owner}}));
    return {};
  });
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().Describe(), ::testing::HasSubstr("max_allowed_packet"));
  EXPECT_TRUE(Add(*store, "n", LockScope::WholeStore())) << "it goes on with another connection";
}

TEST_F(MysqlStore, ReadsSeeOneMomentWhateverOthersCommit) {
  const auto store = Open();
  const auto seen = store->Read([&](Session& session) -> Result<std::int64_t> {
    const auto before = PATRA_TRY(session.Integer(kCount, {{"name", "n"}}));
    PATRA_TRY(Add(*store, "n", LockScope::WholeStore()));
    return PATRA_TRY(session.Integer(kCount, {{"name", "n"}})) - before;
  });
  EXPECT_EQ(seen, 0);
  EXPECT_EQ(CountOf(*store, "n"), 1);
}

TEST_F(MysqlStore, ManyRowsAreAFewRoundTrips) {
  const auto store = Open();
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back(fmt::format("name {}", i));
  const auto insert = [&] {
    return store->Write([&](Session& session) {
      return session.RunEach(
          "INSERT INTO ing_duty (name, owner, until) VALUES (:name, 'a', :until)", names.size(),
          [&](std::size_t i, const auto& with) {
            return with({{"name", names[i]}, {"until", static_cast<std::int64_t>(i)}});
          });
    });
  };
  ASSERT_TRUE(insert());
  EXPECT_EQ(CountOf(*store, "name 999"), 999);
  EXPECT_LE(store->round_trips(), 40);
}

TEST_F(MysqlStore, AServerThatIsNotThereIsToldAtOnce) {
  const auto store = Store::Open(
      {.address = {.user = "root", .host = "127.0.0.1", .port = 1, .database = "x"}}, clock_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
}

TEST_F(MysqlStore, AMissingDatabaseIsToldWithWhatToDo) {
  const auto store = Store::Open({.address = testing::AddressOf("no_such_database")}, clock_);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().Describe(), ::testing::HasSubstr("CREATE DATABASE"));
}

TEST(MysqlAddress, IsReadAndNeverHoldsAPassword) {
  const auto address = Address::Parse("mysql://patra@db.example.org:3307/ledger?tls=verify");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "db.example.org");
  EXPECT_EQ(address->port, 3307U);
  EXPECT_EQ(address->Describe(), "mysql://patra@db.example.org:3307/ledger");
  EXPECT_EQ(Address::Parse("mysql://patra@[::1]/ledger")->host, "::1");
  for (const auto* wrong :
       {"mysql://patra:secret@h/db", "mysql://h", "mysql://h/", "mysql://h:0/db", "mysql:///db",
        "mysql://h/db?tls=maybe", "mysql://h/a/b"}) {
    EXPECT_FALSE(Address::Parse(wrong)) << wrong;
  }
  EXPECT_THAT(Address::Parse("mysql://patra:secret@h/db").error().Describe(),
              ::testing::Not(::testing::HasSubstr("secret@")));
}

TEST(MysqlMigration, SplitsAChangeIntoItsStatements) {
  EXPECT_THAT(
      infra::mysql::StatementsOf(
          "-- why\nCREATE TABLE a (\n  b INT);\n\nINSERT INTO a VALUES (';');\n"),
      ::testing::ElementsAre("CREATE TABLE a (\n  b INT)\n", "INSERT INTO a VALUES (';')\n"));
}

}  // namespace patra::store_test
