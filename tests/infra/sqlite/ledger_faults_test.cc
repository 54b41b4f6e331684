// The disk fails at the first, second, third … call of a whole harvest: each time there is a clear error,
// and once the disk works again the same steps end in the same ledger.
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "infra/sqlite/backup.h"
#include "tests/infra/sqlite/fault_vfs.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::ledger_faults_test {

using testing::FaultVfs;
using testing::kStart;

// Plans two slices and walks both, doing again what failed, as a process that is restarted would.
class SmallHarvest {
 public:
  SmallHarvest(const std::string& path, VirtualClock& clock) : path_(path), clock_(clock) {}

  Result<void> Run() {
    const auto open = PATRA_TRY(testing::SqlitePorts::Open({.path = path_}, clock_));
    testing::LedgerPorts& ports = *open;
    PATRA_TRY(Plan(ports));
    while (true) {
      PATRA_TRY(ports.queue().RescueExpired());
      const auto claimed = PATRA_TRY(
          ports.queue().Claim({.owner = "w", .tasks_max = 1, .lease = std::chrono::seconds(15)}));
      if (claimed.empty()) return {};
      PATRA_TRY(Work(ports, claimed.front()));
    }
  }

 private:
  Result<void> Plan(testing::LedgerPorts& ports) {
    const domain::Lane lane{"demo", "items", domain::Operation::kHarvest};
    domain::Plan plan{.id = ports.ids().Next(),
                      .trigger_id = 1,
                      .lane = lane,
                      .query_hash = "q",
                      .cursor = domain::HarvestNamespace(lane, "q", "updated_at"),
                      .snapshot = "{}",
                      .snapshot_hash = "s",
                      .window = testing::Hours(0, 2)};
    plan.key = domain::PlanKey(lane, "q", plan.window);
    PATRA_TRY(ports.cursors().Settle(lane, plan.cursor));
    const auto added = PATRA_TRY(ports.plans().AddIfAbsent(plan));
    plan.id = added.id;
    if (added.status == domain::PlanStatus::kDraft)
      PATRA_TRY(ports.plans().Move(plan.id, domain::PlanStatus::kSlicing));
    if (added.status != domain::PlanStatus::kDraft && added.status != domain::PlanStatus::kSlicing)
      return {};
    auto work = domain::CutByTime(plan, testing::kHour, clock_.Now());
    for (auto& [slice, task] : work) {
      slice.id = ports.ids().Next();
      task.id = ports.ids().Next();
    }
    PATRA_TRY(ports.plans().AddSlices(plan, work, plan.window.to()));
    return ports.plans().Move(plan.id, domain::PlanStatus::kReady);
  }

  Result<void> Work(testing::LedgerPorts& ports, const app::LeasedTask& task) {
    const auto run = PATRA_TRY(ports.runs().Open(task, {.page = 1}));
    auto lineage = run.lineage;
    auto counts = run.so_far;
    int batch_no = run.batch_no;
    for (auto page = run.is_at_end ? 3 : *run.start.page; page <= 2; ++page, ++batch_no) {
      app::BatchCommit batch{.task = task,
                             .lineage = lineage,
                             .batch_no = batch_no,
                             .before = {.page = page},
                             .evidence = {.request = "{}", .sent = {.requests = 1}}};
      if (page < 2) batch.after = app::Position{.page = page + 1};
      for (int i = 0; i < 3; ++i) {
        domain::Record record{
            .id =
                fmt::format("{}-{}-{}", task.window().from().time_since_epoch().count(), page, i)};
        record.fields = "{}";
        record.version = {
            .updated_at = task.window().from(), .fetched_at = kStart, .content_hash = Sha256("h")};
        batch.records.push_back(record);
      }
      batch.raw_page = app::RawPage{"application/json", "{}", kStart};
      const auto committed = PATRA_TRY(ports.runs().Commit(batch));
      counts += committed.counts;
      lineage.batch = committed.next_batch;
    }
    PATRA_TRY(ports.runs().Close({.task = task, .lineage = lineage, .counts = counts}));
    return {};
  }

  std::string path_;
  VirtualClock& clock_;
};

class LedgerFaults : public ::testing::TestWithParam<std::tuple<FaultVfs::Kind, bool>> {};

TEST_P(LedgerFaults, EveryFailingCallLeavesALedgerThatCanBeFinished) {
  const auto [kind, forever] = GetParam();
  testing::TemporaryFolder prepared;
  {
    SystemClock clock;
    ASSERT_TRUE(infra::sqlite::Store::Open({.path = prepared.Path("empty.db")}, clock));
    ASSERT_TRUE(infra::sqlite::Backup(prepared.Path("empty.db"), prepared.Path("copy.db")));
  }
  FaultVfs faults;
  int n = 1;
  // Every fifth call in a normal run, each variant with other ones; all of them where time is no matter.
  const int stride = std::getenv("PATRA_EVERY_FAULT") != nullptr ? 1 : 5;
  n += stride == 1 ? 0 : static_cast<int>(kind) + 2 * static_cast<int>(forever);
  for (bool fired = true; fired; n += stride) {
    SCOPED_TRACE(fmt::format("call {}", n));
    testing::TemporaryFolder folder;
    const auto path = folder.Path("patra.db");
    std::filesystem::copy_file(prepared.Path("copy.db"), path);
    VirtualClock clock(kStart + std::chrono::days(30));
    SmallHarvest harvest(path, clock);

    faults.FailAt(n, kind, forever);
    const auto first = harvest.Run();
    fired = faults.fired();
    faults.Disarm();
    ASSERT_TRUE(first || fired) << first.error().Describe();

    clock.Advance(std::chrono::seconds(16));  // what the failed run had leased is free again
    const auto second = harvest.Run();
    ASSERT_TRUE(second) << second.error().Describe();
    const auto connection =
        infra::sqlite::Connection::Open(path, infra::sqlite::Connection::Access::kReadOnly);
    ASSERT_TRUE(connection);
    EXPECT_EQ((*connection)->Integer("SELECT count(*) FROM ing_item"), 12);
    EXPECT_EQ((*connection)
                  ->Integer("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED' "
                            "AND received = 6"),
              2);
    EXPECT_EQ(
        (*connection)->Integer("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
    EXPECT_EQ((*connection)->Integer("SELECT normalized_instant FROM ing_cursor"),
              testing::Hours(0, 2).to().time_since_epoch().count());
    auto integrity = (*connection)->Query("PRAGMA integrity_check");
    ASSERT_TRUE(integrity && *integrity->Next());
    EXPECT_EQ(integrity->View(infra::sql::kOnly), "ok");
    ASSERT_LT(n, 5000);
  }
  EXPECT_GT(n, 50) << "the harvest has many calls that can fail";
}

INSTANTIATE_TEST_SUITE_P(AtEveryCall, LedgerFaults,
                         ::testing::Combine(::testing::Values(FaultVfs::Kind::kIoError,
                                                              FaultVfs::Kind::kDiskFull),
                                            ::testing::Bool()),
                         [](const auto& fault) {
                           return std::string(std::get<0>(fault.param) == FaultVfs::Kind::kIoError
                                                  ? "IoError"
                                                  : "DiskFull") +
                                  (std::get<1>(fault.param) ? "FromThenOn" : "Once");
                         });

}  // namespace patra::ledger_faults_test
