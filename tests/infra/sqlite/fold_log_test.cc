#include "infra/sqlite/fold_log.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace patra::infra::sqlite::fold_log_test {

using ::testing::HasSubstr;

// As `kill -9` leaves it: what was committed last stands in the log alone.
TEST(OrphanedLog, OfAStoreThatWasMovedIsKeptAndNamedWhereANewStoreWouldThrowItAway) {
  testing::TemporaryFolder folder;
  const auto store = folder.Path("patra.db");
  {
    std::ofstream(store + "-wal") << "records that are nowhere else";
  }
  const auto opened = Connection::Open(store, Connection::Access::kReadWrite);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kConflict);
  EXPECT_THAT(opened.error().message, HasSubstr("patra.db-wal"));
  EXPECT_THAT(opened.error().hint, HasSubstr("put the store back"));
  EXPECT_FALSE(std::filesystem::exists(store));
  EXPECT_GT(std::filesystem::file_size(store + "-wal"), 0U);
}

TEST(OrphanedLog, ThatIsEmptyOrBesideItsStoreIsNone) {
  testing::TemporaryFolder folder;
  const auto store = folder.Path("patra.db");
  {
    const std::ofstream empty(store + "-wal");
  }
  EXPECT_TRUE(RefuseOrphanedLog(store));
  EXPECT_TRUE(Connection::Open(store, Connection::Access::kReadWrite));
  EXPECT_TRUE(RefuseOrphanedLog(store));
}

}  // namespace patra::infra::sqlite::fold_log_test
