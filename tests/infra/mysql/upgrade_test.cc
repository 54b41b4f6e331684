// A newer program changes the schema of a store that others work with, and is interrupted.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "infra/mysql/migration.h"
#include "tests/infra/mysql/mysql_backend.h"

namespace patra::upgrade_test {

using namespace std::chrono_literals;
using infra::mysql::EmbeddedMigrations;
using infra::mysql::Migrate;
using infra::sql::Migration;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr int kMakesRecordsSmall = 77;

std::vector<Migration> ChangesBefore(int number) {
  auto changes = EmbeddedMigrations();
  std::erase_if(changes, [&](const Migration& change) { return change.number >= number; });
  return changes;
}

// A database that goes with the test: others would find the schema that it leaves.
class OwnDatabase final : public testing::LedgerBackend {
 public:
  OwnDatabase() { Server().Run("CREATE DATABASE " + name_ + " CHARACTER SET utf8mb4"); }
  ~OwnDatabase() override { Server().Run("DROP DATABASE " + name_); }

  std::unique_ptr<testing::LedgerPorts> Connect(Clock& clock) override {
    auto ports = testing::MysqlPorts::Open(address(), clock);
    if (!ports) ADD_FAILURE() << ports.error().Describe();
    return *std::move(ports);
  }
  infra::mysql::Address address() const { return testing::AddressOf(name_); }

 private:
  static testing::TestServer Server() {
    return testing::TestServer::At(testing::AddressOf("mysql"));
  }

  const std::string name_ = fmt::format("patra_upgrade_{}", getpid());
};

class MysqlUpgrade : public ::testing::Test {
 protected:
  Result<app::SchemaChange> MigrateBy(const std::vector<Migration>& changes) {
    return Migrate(database_.address(), changes, clock_.Now());
  }
  // What there is, as text.
  std::vector<std::string> Schema() {
    auto schema = server_.List(
        "SELECT concat_ws(' ', table_name, column_name, column_type, is_nullable, column_default) "
        "FROM "
        "information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1");
    for (const auto* sql :
         {"SELECT concat_ws(' ', table_name, index_name, seq_in_index, column_name, non_unique) "
          "FROM "
          "information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1",
          "SELECT concat_ws(' ', id, type_id, item_code, item_name) FROM sys_dict_item ORDER BY id",
          "SELECT concat_ws(' ', number, name, checksum, reader_min) FROM patra_schema ORDER BY "
          "number",
          "SELECT number FROM patra_schema_step"}) {
      for (auto& line : server_.List(sql)) schema.push_back(std::move(line));
    }
    return schema;
  }

  SystemClock clock_;
  OwnDatabase database_;
  testing::TestServer server_ = testing::TestServer::At(database_.address());
};

TEST_F(MysqlUpgrade, GoesOnBehindWhicheverStatementItWasInterrupted) {
  // Between a statement and the note that it is done, each time.
  for (const auto& change : EmbeddedMigrations()) {
    const auto statements = infra::mysql::StatementsOf(change.sql);
    std::vector<Migration> until_here = ChangesBefore(change.number);
    until_here.push_back(change);
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (change.number > 1) {
        server_.Run(statements[i]);
        server_.Run(
            fmt::format("REPLACE INTO patra_schema_step VALUES ({}, {})", change.number, i));
      }
      std::string so_far;
      for (std::size_t j = 0; j <= i; ++j) so_far += statements[j] + ";\n";
      until_here.back().sql = so_far;
      const auto again = MigrateBy(until_here);
      ASSERT_TRUE(again) << again.error().Describe();
      if (i + 1 == statements.size()) break;
      server_.Run(
          fmt::format("DELETE FROM patra_schema WHERE number = {0}; "
                      "REPLACE INTO patra_schema_step VALUES ({0}, {1})",
                      change.number, i + 1));
    }
    server_.Run(fmt::format("UPDATE patra_schema SET checksum = '{}' WHERE number = {}",
                            Sha256Hex(change.sql), change.number));
  }
  const auto interrupted = Schema();

  server_.Run(fmt::format("DROP DATABASE {0}; CREATE DATABASE {0} CHARACTER SET utf8mb4; USE {0}",
                          database_.address().database));
  ASSERT_TRUE(MigrateBy(EmbeddedMigrations()));
  EXPECT_THAT(interrupted, ElementsAreArray(Schema()));
}

TEST_F(MysqlUpgrade, AChangeThatExecutorsHaveToKnowWaitsUntilNoneIsAtWork) {
  ASSERT_TRUE(MigrateBy(ChangesBefore(kMakesRecordsSmall)));
  server_.Run(
      "INSERT INTO ing_executor (owner, host, started_at, last_seen_at, tasks) VALUES "
      "('an-older-one', 'h', 0, CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), 1)");
  const auto before = Schema();
  const auto refused = MigrateBy(EmbeddedMigrations());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("1 executor is at work"));
  EXPECT_THAT(Schema(), ElementsAreArray(before));

  server_.Run("UPDATE ing_executor SET last_seen_at = last_seen_at - 241000000");
  EXPECT_TRUE(MigrateBy(EmbeddedMigrations())) << "one that is not seen for so long is dead";
}

// Additive changes, as a program of the next version brings them.
std::vector<Migration> WithAdditions() {
  auto changes = EmbeddedMigrations();
  changes.push_back({9001, "9001_add_to_tasks",
                     "ALTER TABLE ing_task ADD COLUMN added BIGINT;\n"
                     "ALTER TABLE ing_task ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;\n"
                     "CREATE INDEX idx_task_added ON ing_task (added);\n"});
  changes.push_back({9002, "9002_add_to_the_rest",
                     "ALTER TABLE ing_plan ADD COLUMN added BIGINT;\n"
                     "ALTER TABLE ing_plan_slice ADD COLUMN added BIGINT;\n"
                     "ALTER TABLE ing_item ADD COLUMN added LONGTEXT;\n"
                     "CREATE TABLE ing_added (id BIGINT NOT NULL PRIMARY KEY);\n"});
  return changes;
}

class MysqlUpgradeUnderWork : public testing::LedgerTest {
 protected:
  infra::mysql::Address Address() const { return static_cast<OwnDatabase&>(*backend_).address(); }
};
INSTANTIATE_TEST_SUITE_P(
    OnAServer, MysqlUpgradeUnderWork,
    ::testing::Values(testing::LedgerBackendFactory{
        "Mysql", [] { return std::unique_ptr<testing::LedgerBackend>(new OwnDatabase); }}),
    [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(MysqlUpgradeUnderWork, ExecutorsGoOnWhileAndAfterANewerProgramAddsToTheSchema) {
  constexpr int kSlices = 400;
  Planned(0, kSlices);
  std::atomic<int> finished = 0;
  std::atomic<bool> is_over = false;
  {
    std::jthread worker([&] {
      while (true) {
        const auto claimed = Claim(1);
        if (claimed.empty() || ::testing::Test::HasFailure()) break;
        const auto done = Finish(claimed.front());
        EXPECT_TRUE(done) << done.error().Describe();
        ++finished;
      }
      is_over = true;
    });
    // Reads see one moment, also when a table is changed between two of their statements.
    std::jthread reader([&] {
      while (!is_over) {
        const auto read =
            ports_->database().Read([](infra::sql::Session& session) -> Result<std::int64_t> {
              PATRA_TRY(session.Integer("SELECT count(*) FROM ing_plan"));
              SystemClock().SleepFor(5ms);
              return PATRA_TRY(session.Integer("SELECT count(*) FROM ing_task")) +
                     PATRA_TRY(session.Integer("SELECT count(*) FROM ing_item"));
            });
        EXPECT_TRUE(read) << read.error().Describe();
      }
    });
    SystemClock clock;
    while (finished < kSlices / 10 && !is_over) clock.SleepFor(1ms);
    const auto changed = Migrate(Address(), WithAdditions(), clock.Now());
    EXPECT_TRUE(changed) << changed.error().Describe();
    EXPECT_LT(finished.load(), kSlices) << "nobody was at work";
  }
  EXPECT_EQ(finished.load(), kSlices);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task WHERE status_code = 'SUCCEEDED'"),
            kSlices);
  const auto reopened = backend_->Connect(clock_);
  ASSERT_TRUE(reopened) << "an older program is let in, too";
}

class MysqlViewsOfRecords : public testing::LedgerTest {};
INSTANTIATE_TEST_SUITE_P(OnAServer, MysqlViewsOfRecords, ::testing::Values(testing::kMysql),
                         [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(MysqlViewsOfRecords, ComeBackWhereAMigrationEndedBehindItsLastChange) {
  auto plan = Draft(0, 1);
  const domain::SpecSnapshot spec{
      .provenance = "demo", .endpoint = "items", .fields = {{.name = "title", .path = "$.title"}}};
  plan.snapshot = CanonicalJson(spec.ToValue());
  AddReady(plan);
  const auto views = [&] {
    return ports_->Count(
        "SELECT count(*) FROM information_schema.views WHERE table_schema = DATABASE() AND "
        "table_name = 'v_demo_items'");
  };
  ASSERT_EQ(views(), 1);
  auto server = testing::TestServer::At(static_cast<testing::MysqlBackend&>(*backend_).address());
  server.Run("INSERT INTO patra_schema_step (number, done) VALUES (0, 1); DROP VIEW v_demo_items");
  ASSERT_TRUE(backend_->Connect(clock_));
  EXPECT_EQ(views(), 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM patra_schema_step"), 0);
}

}  // namespace patra::upgrade_test
