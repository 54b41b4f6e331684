// Stores that were filled before records named their endpoint by a number and their hashes by bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "domain/spec/spec_snapshot.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/migration.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::infra::sqlite::migrate_records_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int kMakesRecordsSmall = 77;

std::vector<Migration> ChangesBefore(int number) {
  auto changes = EmbeddedMigrations();
  std::erase_if(changes, [&](const Migration& change) { return change.number >= number; });
  return changes;
}

class MigrateRecords : public ::testing::Test {
 protected:
  void SetUp() override {
    connection_ = *Connection::Open(path_, Connection::Access::kReadWrite);
    ASSERT_TRUE(Migrate(*connection_, ChangesBefore(kMakesRecordsSmall), clock_.Now()));
  }

  void Execute(const std::string& sql) {
    const auto done = connection_->Execute(sql);
    ASSERT_TRUE(done) << done.error().Describe();
  }

  struct Old {
    Id id;
    std::string source = "demo", endpoint = "items", item = "a", fields = R"({"title":"T"})";
    std::string hash = Sha256Hex(fields);
    std::string rest = "NULL, NULL, NULL, NULL";  // deleted_at, merged_into, kept, checked_batch_id
  };
  void Insert(const Old& old) {
    Execute(
        fmt::format("INSERT INTO ing_item VALUES ({0}, '{1}', '{2}', '{3}', 17000000000000{0:02}, "
                    "{0}, {0} + 1, 1700000000000001, '{4}', '{5}', '{6}', {0} + 2, "
                    "1700000000000002, 1700000000000003, {7})",
                    old.id, old.source, old.endpoint, old.item, old.hash, old.fields,
                    Sha256Hex("definition"), old.rest));
  }

  std::vector<std::string> Lines(const std::string& columns, const std::string& from) {
    std::string line;
    for (std::size_t begin = 0; begin < columns.size();) {
      const auto end = std::min(columns.find(", ", begin), columns.size());
      line += (line.empty() ? "quote(" : " || '|' || quote(") + columns.substr(begin, end - begin) +
              ")";
      begin = end + 2;
    }
    const auto sql = fmt::format("SELECT {} FROM {} ORDER BY 1", line, from);
    std::vector<std::string> lines;
    auto rows = connection_->Query(sql);
    EXPECT_TRUE(rows) << rows.error().Describe();
    while (rows && *rows->Next()) lines.push_back(rows->Text(sql::kOnly));
    return lines;
  }

  const std::string kReadable =
      "id, provenance_code, endpoint_name, provider_item_id, updated_at, provider_version, "
      "mapping_generation, fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, "
      "refreshed_at, deleted_at, merged_into";
  const std::string kStored =
      "id, provider_item_id, updated_at, fetched_at, first_seen_at, refreshed_at, deleted_at, "
      "merged_into, kept, checked_batch_id, fields";

  SystemClock clock_;
  testing::TemporaryFolder folder_;
  std::string path_ = folder_.Path("patra.db");
  std::unique_ptr<Connection> connection_;
};

TEST_F(MigrateRecords, WaitsUntilNoExecutorIsAtWorkThatMayNotKnowTheChange) {
  Execute(
      fmt::format("INSERT INTO ing_executor (owner, host, started_at, last_seen_at, tasks) "
                  "VALUES ('an-older-one', 'h', 0, {}, 1)",
                  clock_.Now().time_since_epoch().count()));
  const auto refused = Migrate(*connection_, EmbeddedMigrations(), clock_.Now());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("1 executor is at work"));
  EXPECT_EQ(connection_->Integer("SELECT max(number) FROM patra_schema"), kMakesRecordsSmall - 1);
  EXPECT_TRUE(Migrate(*connection_, EmbeddedMigrations(), clock_.Now() + std::chrono::seconds(241)))
      << "one that is not seen for so long is dead";
}

TEST_F(MigrateRecords, LeavesEveryRecordAsItWas) {
  Insert({.id = 1});
  Insert({.id = 2, .item = "b", .fields = R"({"title":"Ü \u0000"})"});
  Insert({.id = 3, .item = "gone", .rest = "1700000000000003, NULL, NULL, NULL"});
  Insert({.id = 4, .item = "merged", .rest = "NULL, 'a', NULL, NULL"});
  Insert({.id = 5, .item = "kept", .rest = R"(NULL, NULL, '{"own":"x","since":{}}', 77)"});
  Insert({.id = 6, .endpoint = "authors"});
  Insert({.id = 7, .source = "another"});
  Insert({.id = 99, .item = std::string(5'000, 'x'), .fields = std::string(50'000, 'y')});
  const auto readable = Lines(kReadable, "v_ing_item");
  const auto stored = Lines(kStored, "ing_item");
  const auto living =
      Lines("provenance_code, endpoint_name, provider_item_id, refreshed_at, batch_id",
            "ing_living_item");
  ASSERT_THAT(readable, SizeIs(8));

  const auto ports = testing::SqlitePorts::Open({.path = path_}, clock_);
  ASSERT_TRUE(ports) << ports.error().Describe();
  EXPECT_EQ(Lines(kReadable, "v_ing_item"), readable);
  EXPECT_EQ(Lines(kStored, "ing_item"), stored);
  EXPECT_EQ(Lines("provenance_code, endpoint_name, provider_item_id, refreshed_at, batch_id",
                  "ing_living_item"),
            living);
  EXPECT_THAT(Lines("id", "ing_record_set"), SizeIs(3));
  EXPECT_EQ(
      connection_->Integer("SELECT count(*) FROM ing_item WHERE length(content_hash) = 32 AND "
                           "typeof(expr_hash) = 'blob'"),
      8);
  const auto found = (*ports)->read().items().Find("demo", "items", "b");
  ASSERT_TRUE(found) << found.error().Describe();
  ASSERT_THAT(*found, SizeIs(1));
  EXPECT_EQ(found->front().content_hash, Sha256Hex(found->front().fields));
  EXPECT_EQ(found->front().expr_hash, Sha256Hex("definition"));

  const auto findings = CheckDatabase(*connection_);
  ASSERT_TRUE(findings) << findings.error().Describe();
  EXPECT_THAT(findings->problems, IsEmpty());
}

TEST_F(MigrateRecords, WhatWasNoHashIsOneThatNothingHas) {
  Insert({.id = 1, .hash = "spoilt"});
  ASSERT_TRUE(Migrate(*connection_, EmbeddedMigrations(), clock_.Now()));
  EXPECT_EQ(connection_->Integer("SELECT count(*) FROM ing_item WHERE content_hash = zeroblob(32)"),
            1);
}

// Their text is in the store, and it names columns that are gone.
TEST_F(MigrateRecords, ViewsOfRecordsFitAgain) {
  Insert({.id = 1});
  Insert({.id = 2, .item = "gone", .rest = "1, NULL, NULL, NULL"});
  const domain::SpecSnapshot spec{
      .provenance = "demo", .endpoint = "items", .fields = {{.name = "title", .path = "$.title"}}};
  Execute(fmt::format(
      "INSERT INTO ing_plan (id, schedule_instance_id, plan_key, provenance_code, endpoint_name, "
      "operation_code, query_hash, namespace_scope_code, namespace_key, cursor_key, "
      "expr_proto_hash, expr_proto_snapshot, provenance_config_snapshot, provenance_config_hash, "
      "spec_fingerprint, slice_strategy_code, priority, status_code, created_at, updated_at) "
      "VALUES (1, 1, 'k', 'demo', 'items', 'HARVEST', 'q', 'EXPR', 'n', 'c', 'p', '{}', '{{}}', "
      "'h', 'f', 'TIME', 3, 'COMPLETED', 0, 0)",
      CanonicalJson(spec.ToValue())));
  Execute(fmt::format(
      "CREATE VIEW v_demo_items AS /* records of demo/{} */\nSELECT provider_item_id AS item_id,\n"
      "    json_extract(fields, '$.\"title\"') AS \"title\"\nFROM ing_item\n"
      "WHERE provenance_code = 'demo' AND endpoint_name = 'items' AND deleted_at IS NULL",
      Sha256Hex("demo/items")));
  Execute(
      "CREATE VIEW mine AS SELECT provider_item_id FROM ing_item WHERE provenance_code = 'demo'");
  Execute("CREATE VIEW mine_too AS SELECT provider_item_id FROM ing_item");
  const auto before = Lines("item_id, title", "v_demo_items");
  ASSERT_THAT(before, SizeIs(1));
  ASSERT_TRUE(Migrate(*connection_, EmbeddedMigrations(), clock_.Now()));
  EXPECT_EQ(Lines("item_id, title", "v_demo_items"), before);
  EXPECT_THAT(Lines("provider_item_id", "mine_too"), SizeIs(2));
  EXPECT_FALSE(connection_->Query("SELECT provider_item_id FROM mine"))
      << "nobody else's is touched";
}

TEST_F(MigrateRecords, KeepsOlderProgramsOut) {
  EXPECT_TRUE(CheckSchema(*connection_, ChangesBefore(kMakesRecordsSmall)));
  ASSERT_TRUE(Migrate(*connection_, EmbeddedMigrations(), clock_.Now()));
  const auto refused = CheckSchema(*connection_, ChangesBefore(kMakesRecordsSmall));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("newer patra"));
}

}  // namespace patra::infra::sqlite::migrate_records_test
