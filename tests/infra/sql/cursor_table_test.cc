// The compare-and-set of a cursor. The repository reads and sets within one transaction of one writer; the version
// guards whoever does not.
#include <gtest/gtest.h>

#include "infra/sql/cursor_table.h"
#include "infra/sqlite/store.h"
#include "tests/temporary_folder.h"

namespace patra::cursor_table_test {

using namespace std::chrono_literals;
using infra::sqlite::Connection;
namespace cursor_table = infra::sql::cursor_table;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

TEST(CursorTable, SetsOnlyTheVersionThatWasRead) {
  testing::TemporaryFolder folder;
  SystemClock clock;
  const auto store = infra::sqlite::Store::Open({.path = folder.Path("patra.db")}, clock);
  ASSERT_TRUE(store);
  domain::CursorMove move{.lane = {"s", "e", domain::Operation::kHarvest},
                          .cursor = {.scope = "EXPR", .key = "k", .cursor_key = "updated"},
                          .to = kStart};
  const auto done = (*store)->Write([&](infra::sql::Session& connection) -> Result<void> {
    EXPECT_TRUE(PATRA_TRY(cursor_table::Insert(connection, move, 1, kStart)));
    EXPECT_FALSE(PATRA_TRY(cursor_table::Insert(connection, move, 2, kStart)));
    const auto read = PATRA_TRY(cursor_table::Find(connection, move.lane, move.cursor));
    EXPECT_TRUE(read.has_value());
    move.to = kStart + 1h;
    EXPECT_TRUE(PATRA_TRY(cursor_table::Set(connection, move, read->version, kStart)));
    move.to = kStart + 2h;
    EXPECT_FALSE(PATRA_TRY(cursor_table::Set(connection, move, read->version, kStart)))
        << "somebody else was faster";
    const auto now = PATRA_TRY(cursor_table::Find(connection, move.lane, move.cursor));
    EXPECT_EQ(now->value, domain::CursorValue(kStart + 1h));
    return {};
  });
  EXPECT_TRUE(done) << done.error().Describe();
}

}  // namespace patra::cursor_table_test
