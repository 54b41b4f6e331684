// The connection is cut at every single packet of what a page does to the ledger: opened, committed, closed. Each time it is
// there once in the end, with everything that belongs to it.
#include <algorithm>

#include <fmt/format.h>

#include "tests/infra/mysql/cutting_proxy.h"
#include "tests/infra/mysql/mysql_backend.h"

namespace patra::cut_commit_test {

using namespace std::chrono_literals;
using testing::CuttingProxy;
using testing::kStart;
using testing::MysqlPorts;

class CutCommit : public testing::LedgerTest {
 protected:
  struct Sums {
    std::int64_t batches, told, rolled_up, rolled_up_changes, raw_pages, quarantined, changes;
  };
  Sums Count() {
    return {.batches = ports_->Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code IN "
                                     "('SUCCEEDED', 'PARTIAL')"),
            .told = ports_->Count(
                "SELECT count(*) FROM ing_outbox_message WHERE op_type = 'ITEMS_CHANGED'"),
            .rolled_up = ports_->Count("SELECT coalesce(sum(batches), 0) FROM ing_batch_rollup"),
            .rolled_up_changes =
                ports_->Count("SELECT coalesce(sum(inserted + updated), 0) FROM ing_batch_rollup"),
            .raw_pages = ports_->Count("SELECT count(*) FROM ing_raw_page"),
            .quarantined = ports_->Count("SELECT count(*) FROM ing_quarantine"),
            .changes =
                ports_->Count("SELECT coalesce(sum(inserted + updated), 0) FROM ing_plan_slice")};
  }

  // One page, on a connection of its own that is cut. Whether it was: the page may be over before.
  void StorePage(int round, int packet, CuttingProxy::Cut cut, bool& was_cut) {
    SCOPED_TRACE(fmt::format("packet {} is {}", packet,
                             cut == CuttingProxy::Cut::kBefore ? "not sent" : "not answered"));
    Planned(round, round + 1);
    const auto before = Count();
    const auto task = Claim(1).at(0);
    auto address = static_cast<testing::MysqlBackend&>(*backend_).address();
    address.port = proxy_.port();
    const auto cut_off = MysqlPorts::Open(address, clock_);
    ASSERT_TRUE(cut_off) << cut_off.error().Describe();
    auto& ledger = (*cut_off)->runs();

    proxy_.CutAtPacket(packet, cut);
    const auto run = ledger.Open(task, kFirstPage);
    ASSERT_TRUE(run) << run.error().Describe();
    auto batch = BatchOf(task, *run,
                         {RecordOf(fmt::format("new {}", round), kStart),
                          // New at first, and updated from then on.
                          RecordOf("the same", kStart + round * 1min, fmt::format("{}", round))});
    batch.bad_records = {{.id = fmt::format("bad {}", round), .reason = "r", .bytes = "{}"}};
    batch.raw_page = app::RawPage{.content_type = "application/json",
                                  .body = fmt::format("page {}", round),
                                  .fetched_at = clock_.Now()};
    const auto committed = ledger.Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    EXPECT_FALSE(committed->already_there);
    const auto closed = ledger.Close(
        {.task = task, .lineage = run->lineage, .status = domain::TaskStatus::kSucceeded});
    ASSERT_TRUE(closed) << closed.error().Describe();
    was_cut = proxy_.has_cut();

    const auto after = Count();
    EXPECT_EQ(after.batches, before.batches + 1);
    EXPECT_EQ(after.told, before.told + 1);
    EXPECT_EQ(after.rolled_up, before.rolled_up + 1);
    EXPECT_EQ(after.rolled_up_changes, before.rolled_up_changes + 2);
    EXPECT_EQ(after.raw_pages, before.raw_pages + 1);
    EXPECT_EQ(after.quarantined, before.quarantined + 1);
    EXPECT_EQ(after.changes, before.changes + 2);
    EXPECT_EQ(ports_->Count(fmt::format(
                  "SELECT count(*) FROM ing_task WHERE id = {} AND status_code = 'SUCCEEDED'",
                  task.lineage.task)),
              1);
  }

  void StorePagesUntilOneIsNotCut(CuttingProxy::Cut cut) {
    int packet = 0;
    bool was_cut = false;
    do {
      ++packet;
      StorePage(packet, packet, cut, was_cut);
      if (HasFailure()) return;
    } while (was_cut);
    EXPECT_GT(packet, 50) << "a page takes more";
    RecordProperty("packets_cut", packet - 1);
  }

  CuttingProxy proxy_{*testing::TestServerPort()};
};
INSTANTIATE_TEST_SUITE_P(OnAServer, CutCommit, ::testing::Values(testing::kMysql),
                         [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(CutCommit, APageIsThereOnceWhicheverPacketIsNotSent) {
  StorePagesUntilOneIsNotCut(CuttingProxy::Cut::kBefore);
}

TEST_P(CutCommit, APageIsThereOnceWhicheverPacketIsNotAnswered) {
  StorePagesUntilOneIsNotCut(CuttingProxy::Cut::kAfter);
}

}  // namespace patra::cut_commit_test
