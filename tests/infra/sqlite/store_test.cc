// The embedded store under trouble: schemas it does not know, files it may not use, disks that fail.
#include "infra/sqlite/store.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/hash.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/migration.h"
#include "tests/temporary_folder.h"

namespace patra::infra::sqlite::store_test {

using ::testing::HasSubstr;

class StoreTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Store>> Open() { return Store::Open({.path = path_}, clock_); }

  void Execute(const std::string& sql) {
    const auto connection = Connection::Open(path_, Connection::Access::kReadWrite);
    ASSERT_TRUE(connection);
    const auto done = (*connection)->Execute(sql);
    ASSERT_TRUE(done) << done.error().Describe();
  }

  SystemClock clock_;
  testing::TemporaryFolder folder_;
  std::string path_ = folder_.Path("patra.db");
};

TEST_F(StoreTest, ANewFileGetsTheNewestSchemaAndKeepsIt) {
  ASSERT_TRUE(Open());
  const auto connection = *Connection::Open(path_, Connection::Access::kReadWrite);
  const auto again = Migrate(*connection, EmbeddedMigrations(), clock_.Now());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->before, EmbeddedMigrations().back().number);
  EXPECT_EQ(again->after, again->before);
}

TEST_F(StoreTest, AStoreThatIsMovedOrDeletedWhileItIsInUseTakesNothingMore) {
  const auto write = [](Store& store) {
    return store.Write([](infra::sql::Session& connection) {
      return connection.Execute("CREATE TABLE IF NOT EXISTS note (text TEXT)");
    });
  };
  const auto moved = *Open();
  ASSERT_TRUE(write(*moved));
  std::filesystem::rename(path_, path_ + ".elsewhere");
  auto refused = write(*moved);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorruption);
  EXPECT_THAT(refused.error().message, HasSubstr("was moved, deleted or replaced"));
  std::filesystem::copy_file(path_ + ".elsewhere", path_);
  EXPECT_FALSE(write(*moved)) << "a copy in its place is another file";
  std::filesystem::remove(path_);
  std::filesystem::rename(path_ + ".elsewhere", path_);
  EXPECT_TRUE(write(*moved)) << "it is back";
  std::filesystem::remove(path_);
  EXPECT_EQ(write(*moved).error().code, ErrorCode::kCorruption);
}

TEST_F(StoreTest, TheLastOneToCloseLeavesOneFileAndNobodyBefore) {
  auto first = *Open();
  auto second = *Open();
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  second.reset();
  for (const auto* beside : {"-wal", "-shm", "-checkpoint"})
    EXPECT_FALSE(std::filesystem::exists(path_ + beside)) << beside;
  const auto copy = folder_.Path("copy.db");
  std::filesystem::copy_file(path_, copy);
  EXPECT_TRUE(Store::Open({.path = copy, .migrate = false}, clock_)) << "all of it is in the file";
}

TEST_F(StoreTest, WhoClosesAStoreThatWasReplacedLeavesTheLogOfTheNewOneAlone) {
  auto old = *Open();
  for (const auto* part : {"", "-wal", "-shm"})
    std::filesystem::rename(path_ + part, folder_.Path("moved.db") + part);
  const auto replacement = *Open();
  old.reset();
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_TRUE(replacement->Write([](infra::sql::Session& session) {
    return session.Execute("CREATE TABLE note (text TEXT)");
  }));
}

TEST_F(StoreTest, OneReadSeesTheStoreAtOneMoment) {
  const auto store = *Open();
  const auto add = [&] {
    return store->Write([](infra::sql::Session& connection) {
      return connection.Execute("INSERT INTO note VALUES ('x')");
    });
  };
  Execute("CREATE TABLE note (text TEXT)");
  ASSERT_TRUE(add());
  const auto counts =
      store->Read([&](infra::sql::Session& connection) -> Result<std::vector<std::int64_t>> {
        const auto before = PATRA_TRY(connection.Integer("SELECT count(*) FROM note"));
        PATRA_TRY(add());
        return std::vector{before,
                           PATRA_TRY(connection.Integer("SELECT count(*) FROM note WHERE 1"))};
      });
  ASSERT_TRUE(counts) << counts.error().Describe();
  EXPECT_EQ(counts->at(0), counts->at(1)) << "what is committed meanwhile is for the next read";
}

TEST_F(StoreTest, ADatabaseOfANewerPatraIsRefused) {
  ASSERT_TRUE(Open());
  Execute("INSERT INTO patra_schema VALUES (999, '0999_future', 'x', 999, 0)");
  const auto refused = Open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("newer patra"));
}

TEST_F(StoreTest, ANewerSchemaThatOnlyAddsThingsIsAccepted) {
  ASSERT_TRUE(Open());
  Execute("INSERT INTO patra_schema VALUES (999, '0999_additive', 'x', 1, 0)");
  EXPECT_TRUE(Open());
}

TEST_F(StoreTest, AChangeThatWasEditedAfterItWasAppliedIsRefused) {
  ASSERT_TRUE(Open());
  Execute("UPDATE patra_schema SET checksum = 'other' WHERE number = 1");
  EXPECT_EQ(Open().error().code, ErrorCode::kCorruption);
}

TEST_F(StoreTest, AnOlderSchemaIsRefusedByThoseWhoMayNotMigrate) {
  const auto connection = *Connection::Open(path_, Connection::Access::kReadWrite);
  const std::vector<Migration> first(EmbeddedMigrations().begin(),
                                     EmbeddedMigrations().begin() + 1);
  ASSERT_TRUE(Migrate(*connection, first, clock_.Now()));
  const auto refused = Store::Open({.path = path_, .migrate = false}, clock_);
  EXPECT_THAT(refused.error().hint, HasSubstr("patra db migrate"));
  EXPECT_TRUE(Open()) << "and brought up to date by the others";
}

TEST_F(StoreTest, AChangeThatFailsLeavesNothingBehind) {
  const auto connection = *Connection::Open(path_, Connection::Access::kReadWrite);
  const std::vector<Migration> broken{{1, "0001_good", "CREATE TABLE a (x)"},
                                      {2, "0002_bad", "CREATE TABLE b (x); CREATE TABLE b (x)"}};
  const auto failed = Migrate(*connection, broken, clock_.Now());
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message, HasSubstr("0002_bad"));
  EXPECT_EQ(connection->Integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'b')"), 1);
  EXPECT_EQ(connection->Integer("SELECT max(number) FROM patra_schema"), 1);
}

TEST_F(StoreTest, SeveralProcessesMigrateAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto store = Open();
      EXPECT_TRUE(store) << store.error().Describe();
    });
  }
}

TEST_F(StoreTest, AForeignDatabaseIsNotTouched) {
  Execute("CREATE TABLE somebody_elses (x)");
  const auto refused = Open();
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("other program"));
}

TEST_F(StoreTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(path_) << std::string(8192, 'x');
  EXPECT_EQ(Open().error().code, ErrorCode::kCorruption);
}

TEST_F(StoreTest, AFolderThatIsMissingIsNamed) {
  const auto refused = Store::Open({.path = folder_.Path("nowhere/patra.db")}, clock_);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(refused.error().message, HasSubstr("nowhere"));
}

TEST_F(StoreTest, AFailedJobIsUndoneAndItsNeighboursAreNot) {
  const auto store = *Open();
  ASSERT_TRUE(store->Write([](infra::sql::Session& connection) {
    return connection.Execute("CREATE TABLE t (x UNIQUE)");
  }));
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0, bad = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const auto written = store->Write([&](infra::sql::Session& connection) -> Result<void> {
        PATRA_TRY(connection.Run("INSERT INTO t VALUES (:x)", {{"x", i}}));
        if (i % 2 == 1) return Fail(ErrorCode::kConflict, "changed my mind");
        return {};
      });
      ++(written ? good : bad);
    });
  }
  threads.clear();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(bad, 4);
  EXPECT_EQ(store->Read([](infra::sql::Session& connection) {
    return connection.Integer("SELECT count(*) FROM t WHERE x % 2 = 0");
  }),
            4);
  EXPECT_EQ(store->Read([](infra::sql::Session& connection) {
    return connection.Integer("SELECT count(*) FROM t");
  }),
            4);
}

TEST_F(StoreTest, AReaderIsNotBlockedByAWriter) {
  const auto store = *Open();
  ASSERT_TRUE(store->Write([&](infra::sql::Session& connection) -> Result<void> {
    PATRA_TRY(connection.Run("INSERT INTO ing_pause VALUES ('a', '*', 'ALL', 'r', 'p', 1, NULL)"));
    // The writer is in the middle of its transaction: a reader sees what was before.
    const auto seen = store->Read([](infra::sql::Session& reader) {
      return reader.Integer("SELECT count(*) FROM ing_pause");
    });
    EXPECT_EQ(seen, 0);
    return {};
  }));
  EXPECT_EQ(store->Read([](infra::sql::Session& reader) {
    return reader.Integer("SELECT count(*) FROM ing_pause");
  }),
            1);
}

TEST_F(StoreTest, AnotherProgramThatHoldsTheFileIsAClearError) {
  const auto store =
      *Store::Open({.path = path_, .lock_wait = std::chrono::milliseconds(50)}, clock_);
  const auto other = *Connection::Open(path_, Connection::Access::kReadWrite);
  ASSERT_TRUE(other->Execute("BEGIN IMMEDIATE"));
  const auto refused = store->Write(
      [](infra::sql::Session& connection) { return connection.Execute("DELETE FROM ing_pause"); });
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  ASSERT_TRUE(other->Execute("ROLLBACK"));
  EXPECT_TRUE(store->Write(
      [](infra::sql::Session& connection) { return connection.Execute("DELETE FROM ing_pause"); }));
}

TEST_F(StoreTest, IntakePausesBelowTheFreeSpaceFloorAndReadingGoesOn) {
  ASSERT_TRUE(Open());
  const auto store = *Store::Open({.path = path_, .free_bytes_min = std::int64_t{1} << 60}, clock_);
  const auto refused = store->Write(
      [](infra::sql::Session& connection) { return connection.Execute("DELETE FROM ing_pause"); });
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("free"));
  EXPECT_TRUE(store->Read([](infra::sql::Session& connection) {
    return connection.Integer("SELECT count(*) FROM ing_item");
  }));
}

TEST_F(StoreTest, TheWriteAheadLogStaysBoundedAlsoWithALongReader) {
  const auto store = *Store::Open({.path = path_,
                                   .synchronous_full = false,
                                   .wal_bytes_soft = 1 << 20,
                                   .wal_bytes_hard = 4 << 20},
                                  clock_);
  ASSERT_TRUE(store->Write(
      [](infra::sql::Session& connection) { return connection.Execute("CREATE TABLE t (x)"); }));
  std::uintmax_t largest = 0;
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(store->Write([](infra::sql::Session& connection) {
      return connection.Run("INSERT INTO t VALUES (zeroblob(100000))");
    }));
    largest = std::max(largest, std::filesystem::file_size(path_ + "-wal"));
  }
  EXPECT_LT(largest, 8u << 20) << "40 MB were written";
}

TEST_F(StoreTest, ABackupTakenWhileOthersWriteIsWholeAndCanBeRestored) {
  const auto store = *Open();
  std::jthread writer([&](std::stop_token stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      ASSERT_TRUE(store->Write([&](infra::sql::Session& connection) -> Result<void> {
        // Two rows that belong together.
        PATRA_TRY(
            connection.Run("INSERT INTO ing_archive_index (id, table_name, first_id, last_id, "
                           "rows, location, sha256, created_at) "
                           "VALUES (:id, 'a', 0, 0, 0, '', '', 0)",
                           {{"id", 2 * i + 1}}));
        PATRA_TRY(
            connection.Run("INSERT INTO ing_archive_index (id, table_name, first_id, last_id, "
                           "rows, location, sha256, created_at) "
                           "VALUES (:id, 'b', 0, 0, 0, '', '', 0)",
                           {{"id", 2 * i + 2}}));
        return {};
      }));
    }
  });
  while (*store->Read([](infra::sql::Session& c) {
    return c.Integer("SELECT count(*) FROM ing_archive_index");
  }) < 100)
    std::this_thread::yield();
  const auto copy = folder_.Path("copy.db");
  const auto done = Backup(path_, copy);
  ASSERT_TRUE(done) << done.error().Describe();
  writer.request_stop();
  writer.join();

  EXPECT_EQ(Backup(path_, copy).error().code, ErrorCode::kConflict)
      << "a backup is never overwritten";
  const auto restored = folder_.Path("restored.db");
  ASSERT_TRUE(Restore(copy, restored));
  const auto connection = *Connection::Open(restored, Connection::Access::kReadOnly);
  const auto rows = *connection->Integer("SELECT count(*) FROM ing_archive_index");
  EXPECT_GE(rows, 100);
  EXPECT_EQ(rows % 2, 0);
  EXPECT_EQ(Restore(copy, path_).error().code, ErrorCode::kConflict)
      << "a store is never overwritten";
}

TEST_F(StoreTest, OnlyItsOwnerMayReadAStoreTheFilesBesideItAndItsCopies) {
  const auto store = *Open();
  const auto copy = folder_.Path("copy.db");
  ASSERT_TRUE(Backup(path_, copy));
  ASSERT_TRUE(Restore(copy, folder_.Path("restored.db")));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.Path(""))) {
    struct stat status{};
    ASSERT_EQ(stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0600u) << entry.path();
  }
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
}

TEST_F(StoreTest, NothingIsCopiedToALinkThatLeadsNowhere) {
  ASSERT_TRUE(Open());
  const auto link = folder_.Path("link.db");
  std::filesystem::create_symlink(folder_.Path("not-mounted/real.db"), link);
  const auto refused = Backup(path_, link);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().Describe().find("is a link"), std::string::npos);
  ASSERT_TRUE(Backup(path_, folder_.Path("copy.db")));
  EXPECT_FALSE(Restore(folder_.Path("copy.db"), link));
}

TEST_F(StoreTest, ABackupTouchesNoFileButItsOwn) {
  ASSERT_TRUE(Open());
  const auto copy = folder_.Path("copy.db");
  // A second backup under way, or a file that only looks like one.
  std::ofstream(copy + ".unfinished") << "mine";
  ASSERT_TRUE(Backup(path_, copy));
  std::ifstream stream(copy + ".unfinished");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "mine");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.Path("")))
    files += entry.path().filename().string().starts_with("copy.db") ? 1 : 0;
  EXPECT_EQ(files, 2) << "nothing is left behind";
}

TEST_F(StoreTest, ADamagedBackupIsNotRestored) {
  ASSERT_TRUE(Open());
  const auto copy = folder_.Path("copy.db");
  ASSERT_TRUE(Backup(path_, copy));
  {
    std::fstream file(copy, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(20'000);
    file << std::string(30'000, '\xff');
  }
  EXPECT_FALSE(Restore(copy, folder_.Path("restored.db")));
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("restored.db")));
}

// The last line of the three levels of idempotency: whatever the code above does, the store takes nothing twice.
TEST_F(StoreTest, EveryKeyOfTheLedgerIsUnique) {
  ASSERT_TRUE(Open());
  const auto connection = *Connection::Open(path_, Connection::Access::kReadOnly);
  for (const auto& [table, columns] : std::vector<std::pair<std::string, std::string>>{
           {"ing_plan", "plan_key"},
           {"ing_plan_slice", "plan_id,slice_no"},
           {"ing_plan_slice", "plan_id,slice_signature_hash"},
           {"ing_task", "idempotent_key"},
           {"ing_task", "slice_id"},
           {"ing_task_run", "task_id,attempt_no"},
           {"ing_task_run_batch", "run_id,batch_no"},
           {"ing_task_run_batch", "run_id,before_token_hash"},
           {"ing_task_run_batch", "idempotent_key"},
           {"ing_cursor",
            "provenance_code,endpoint_name,operation_code,cursor_key,namespace_scope_code,"
            "namespace_key"},
           {"ing_cursor_event", "idempotent_key"},
           {"ing_coverage", "provenance_code,endpoint_name,query_hash,covered_from"},
           {"ing_item", "record_set_id,provider_item_id"},
           {"ing_record_set", "provenance_code,endpoint_name"},
           {"ing_quarantine", "batch_id,record_no"},
           {"ing_outbox_message", "channel,dedup_key"},
           {"ing_signal", "dedup_key"},
           {"ing_fuse", "provenance_code,endpoint_name"},
           {"ing_alert", "alert_key"},
           {"scheduler_execution_log", "job_id,fired_at"}}) {
    const auto unique = connection->Integer(
        "SELECT count(*) FROM pragma_index_list(:table) AS one WHERE one.\"unique\" = 1 AND "
        "(SELECT group_concat(name, ',') FROM pragma_index_info(one.name)) = :columns",
        {{"table", table}, {"columns", columns}});
    ASSERT_TRUE(unique) << unique.error().Describe();
    EXPECT_EQ(*unique, 1) << table << " (" << columns << ")";
  }
}

TEST_F(StoreTest, CheckFindsAMissingIndexAndAMissingTable) {
  ASSERT_TRUE(Open());
  Execute("DROP INDEX uk_task_idem; DROP TABLE ing_signal");
  const auto connection = *Connection::Open(path_, Connection::Access::kReadOnly);
  const auto findings = CheckDatabase(*connection);
  ASSERT_TRUE(findings);
  EXPECT_THAT(findings->problems, ::testing::Contains("index uk_task_idem is missing"));
  EXPECT_THAT(findings->problems, ::testing::Contains("table ing_signal is missing"));
}

TEST_F(StoreTest, CheckHasNothingToSayAboutANewStore) {
  ASSERT_TRUE(Open());
  const auto connection = *Connection::Open(path_, Connection::Access::kReadOnly);
  const auto findings = CheckDatabase(*connection);
  ASSERT_TRUE(findings) << findings.error().Describe();
  EXPECT_THAT(findings->problems, ::testing::IsEmpty());
}

TEST_F(StoreTest, AStatementThatLacksAValueDoesNotRun) {
  const auto store = *Open();
  const auto run = [&](sql::Parameters parameters) {
    return store->Write([&](sql::Session& session) {
      return session.Run("INSERT INTO ing_signal_of_nobody VALUES (:a, :b)", parameters);
    });
  };
  ASSERT_TRUE(store->Write([](sql::Session& session) {
    return session.Execute("CREATE TABLE ing_signal_of_nobody (a, b)");
  }));
  EXPECT_THAT(run({{"a", 1}}).error().message, HasSubstr("lacks the value of ':b'"));
  EXPECT_THAT(run({{"a", 1}, {"b", 2}, {"c", 3}}).error().message,
              HasSubstr("has no parameter ':c'"));
  EXPECT_THAT(run({{"a", 1}, {"b", 2}, {"a", 3}}).error().message, HasSubstr("two values of ':a'"));
  EXPECT_THAT(run({{"a", 1}, {"a", 2}}).error().message, HasSubstr("two values of ':a'"));
  EXPECT_EQ(run({{"b", 2}, {"a", 1}}).value(), 1);
  EXPECT_EQ(store->Read([](sql::Session& session) {
    return session.Integer("SELECT a FROM ing_signal_of_nobody");
  }),
            1)
      << "by their names, not by their order";
}

TEST_F(StoreTest, AQueryKeepsWhatItWasGiven) {
  const auto store = *Open();
  const auto text = store->Read([](sql::Session& session) -> Result<std::string> {
    auto rows = PATRA_TRY(session.Query("SELECT :text AS text", {{"text", std::string(100, 'x')}}));
    (void)PATRA_TRY(rows.Next());
    return rows.Text("text");
  });
  EXPECT_EQ(text, std::string(100, 'x'));
}

}  // namespace patra::infra::sqlite::store_test
