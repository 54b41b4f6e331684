// The ledger on SQLite at size: claims with a million tasks waiting, batch commits, bulk planning,
// dashboards over ten million batches. Every figure stands beside this machine's fdatasync.
//
//   ledger_bench [--small]     (a tenth of the sizes, for a quick look)
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "domain/plan/plan.h"
#include "infra/sql/plan_repository.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/task_queue.h"
#include "infra/sqlite/store.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using infra::sqlite::Connection;
using Steady = std::chrono::steady_clock;

double Milliseconds(Steady::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

double Percentile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(static_cast<double>(values.size()) * p))];
}

std::vector<double> Timed(int times, const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) {
    const auto start = Steady::now();
    work();
    taken.push_back(Milliseconds(Steady::now() - start));
  }
  return taken;
}

template <typename T>
T Must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().Describe());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// Of a file that grows, as the write-ahead log does.
double FdatasyncP95(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  const std::string page(4096, 'x');
  off_t end = 0;
  const auto taken = Timed(300, [&] {
    if (pwrite(file, page.data(), page.size(), end) < 0) std::exit(1);
    end += static_cast<off_t>(page.size());
    fdatasync(file);
  });
  close(file);
  return Percentile(taken, 0.95);
}

class LedgerBench {
 public:
  explicit LedgerBench(int divisor) : divisor_(divisor) {}

  void Run() {
    fmt::print("fdatasync P95 {:.2f} ms\n", FdatasyncP95(folder_.Path("sync")));
    PlanSlices();
    FillQueue();
    Claims();
    Commits();
    Dashboards();
    PageSizes();
  }

 private:
  domain::Plan PlanOf(const std::string& source, int hours) {
    const domain::Lane lane{source, "items", domain::Operation::kHarvest};
    const Instant start{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}};
    const auto window = *domain::Window::Between(start, start + std::chrono::hours(hours));
    return {.id = ids_.Next(),
            .trigger_id = ids_.Next(),
            .key = domain::PlanKey(lane, "q", window),
            .lane = lane,
            .query_hash = "q",
            .cursor = domain::HarvestNamespace(lane, "q", "updated_at"),
            .snapshot = "{}",
            .snapshot_hash = Sha256Hex("{}"),
            .window = window};
  }

  void PlanSlices() {
    const auto plan = PlanOf("bulk", 10'000);
    Must(plans_.AddIfAbsent(plan));
    auto work = domain::CutByTime(plan, std::chrono::hours(1), clock_.Now());
    for (auto& [slice, task] : work) {
      slice.id = ids_.Next();
      task.id = ids_.Next();
    }
    const auto start = Steady::now();
    for (std::size_t i = 0; i < work.size(); i += 500) {
      Must(plans_.AddSlices(plan,
                            std::span(work).subspan(i, std::min<std::size_t>(500, work.size() - i)),
                            plan.window.to()));
    }
    fmt::print("10,000 slices with their tasks: {:.0f} ms (goal 1,000)\n",
               Milliseconds(Steady::now() - start));
    Must(store_->Write([](infra::sql::Session& connection) -> Result<void> {
      return connection.Execute(
          "DELETE FROM ing_task; DELETE FROM ing_plan_slice; DELETE FROM ing_plan");
    }));
  }

  // Rows are made inside SQLite: only the queue's own work is measured.
  void FillQueue() {
    const auto plan = PlanOf("queue", 1);
    Must(plans_.AddIfAbsent(plan));
    const auto fill =
        fmt::format(R"sql(
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {0})
        INSERT INTO ing_plan_slice (id, plan_id, provenance_code, endpoint_name, operation_code, query_hash, slice_no,
            slice_signature_hash, slice_spec, window_from, window_to, expr_hash, expr_snapshot, status_code, created_at, updated_at)
        SELECT i, {1}, 'queue', 'items', 'HARVEST', 'q', i, hex(randomblob(32)), '{3}', 0, 3600000000, 'e', '{{}}', 'READY', 0, 0 FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {0})
        INSERT INTO ing_task (id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code,
            idempotent_key, expr_hash, priority, ready, scheduled_at, created_at, updated_at)
        SELECT i, 1, {1}, i, 'source' || (i % 10), 'items', 'HARVEST', hex(randomblob(32)), 'e', 3 + i % 3,
               CASE WHEN i <= {2} THEN 0 ELSE 1 END, CASE WHEN i <= {2} THEN 9000000000000000 ELSE i END, 0, 0 FROM n)sql",
                    1'300'000 / divisor_, plan.id, 300'000 / divisor_,
                    CanonicalJson(domain::SliceSpec{.window = plan.window}.ToValue()));
    const auto start = Steady::now();
    Must(store_->Write([&](infra::sql::Session& connection) { return connection.Execute(fill); }));
    fmt::print("filled with {} ready and {} parked tasks in {:.1f} s\n", 1'000'000 / divisor_,
               300'000 / divisor_, Milliseconds(Steady::now() - start) / 1000);
  }

  void Claims() {
    const app::ClaimRequest one{.owner = "bench",
                                .tasks_max = 1,
                                .lease = std::chrono::hours(1),
                                .running_per_lane_max = 1 << 20};
    auto fifty = one;
    fifty.tasks_max = 50;
    const auto sync = FdatasyncP95(folder_.Path("sync"));
    const auto single = Timed(500, [&] { leased_ = Must(queue_.Claim(one)); });
    const auto batches = Timed(100, [&] { Must(queue_.Claim(fifty)); });
    const auto p95 = Percentile(single, 0.95);
    fmt::print("claim 1: P50 {:.2f} ms, P95 {:.2f} ms = {:.1f} x fdatasync P95 (goal 3)\n",
               Percentile(single, 0.5), p95, p95 / sync);
    fmt::print("claim 50: P50 {:.2f} ms, P95 {:.2f} ms (goal 20)\n", Percentile(batches, 0.5),
               Percentile(batches, 0.95));
  }

  void Commits() {
    auto task = leased_.at(0);
    auto run = Must(runs_.Open(task, {.page = 1}));
    auto lineage = run.lineage;
    int batch_no = 1, next_item = 0;
    const std::string filler(3300, 'x');
    std::vector<double> taken;
    for (int i = 0; i < 300; ++i) {
      app::BatchCommit batch{.task = task,
                             .lineage = lineage,
                             .batch_no = batch_no,
                             .before = {.page = batch_no},
                             .after = app::Position{.page = batch_no + 1},
                             .evidence = {.request = "{}", .sent = {.requests = 1}}};
      std::string body;
      for (int k = 0; k < 100; ++k) {
        domain::Record record{.id = Sha256Hex(fmt::to_string(next_item++))};
        record.fields =
            fmt::format(R"({{"abstract":"{}","title":"Record {}"}})", filler, next_item);
        record.version = {.updated_at = Instant{},
                          .fetched_at = clock_.Now(),
                          .content_hash = Sha256(record.fields)};
        body += record.fields;
        batch.records.push_back(std::move(record));
      }
      batch.raw_page = app::RawPage{"application/json", body, clock_.Now()};
      const auto start = Steady::now();
      const auto committed = Must(runs_.Commit(batch));
      taken.push_back(Milliseconds(Steady::now() - start));
      lineage.batch = committed.next_batch;
      ++batch_no;
    }
    double sum = 0;
    for (const auto t : taken) sum += t;
    fmt::print(
        "commit of 100 items of 3.4 KB with their raw page: mean {:.2f} ms, P95 {:.2f} ms (goal 5 "
        "on average)\n",
        sum / static_cast<double>(taken.size()), Percentile(taken, 0.95));
  }

  // A year of minutes for a dozen lanes is what ten million batches fold into.
  void Dashboards() {
    const int minutes = 525'600 / divisor_;
    const auto fill = fmt::format(R"sql(
        WITH RECURSIVE m (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < {}), s (j) AS (VALUES (0), (1), (2), (3))
        INSERT INTO ing_batch_rollup (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records)
        SELECT i * 60000000, 'source' || j, 'items', 'HARVEST', 'SUCCEEDED', 5, 500 FROM m, s)sql",
                                  minutes);
    Must(store_->Write([&](infra::sql::Session& connection) { return connection.Execute(fill); }));
    const auto day = std::int64_t{86'400'000'000};
    const auto last = std::int64_t{60'000'000} * minutes;
    const auto total = Must(store_->Read([](infra::sql::Session& c) {
      return c.Integer("SELECT sum(batches) FROM ing_batch_rollup");
    }));
    const auto query = [&](std::int64_t days) {
      return Timed(30, [&] {
        Must(store_->Read([&](infra::sql::Session& connection) -> Result<void> {
          auto rows = PATRA_TRY(
              connection.Query("SELECT provenance_code, status_code, sum(batches), sum(records), "
                               "sum(latency_ms) FROM ing_batch_rollup "
                               "WHERE minute >= :from GROUP BY provenance_code, status_code",
                               {{"from", last - days * day}}));
          while (PATRA_TRY(rows.Next())) {
          }
          return {};
        }));
      });
    };
    fmt::print(
        "dashboard over {} batches by the rollup: last day P95 {:.1f} ms, last 7 days P95 {:.1f} "
        "ms (goal 50)\n",
        total, Percentile(query(1), 0.95), Percentile(query(7), 0.95));
  }

  // Upserts by random keys into a growing table, which is what a harvest does to ing_item.
  void PageSizes() {
    const int items = 300'000 / divisor_;
    for (const int page_bytes : {4096, 8192, 16384}) {
      const auto store = Must(infra::sqlite::Store::Open(
          {.path = folder_.Path(fmt::format("pages-{}.db", page_bytes)), .page_bytes = page_bytes},
          clock_));
      const std::string fields(600, 'x');
      const auto start = Steady::now();
      for (int first = 0; first < items; first += 1000) {
        Must(store->Write([&](infra::sql::Session& connection) -> Result<void> {
          for (int i = first; i < first + 1000; ++i) {
            PATRA_TRY(connection.Run(
                "INSERT INTO ing_item (id, record_set_id, provider_item_id, updated_at, "
                "fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, "
                "refreshed_at) VALUES (:id, 1, :item, :updated, 0, zeroblob(32), :fields, "
                "zeroblob(32), 1, 0, 0)",
                {{"id", i + 1},
                 {"item", Sha256Hex(fmt::to_string(i))},
                 {"updated", i},
                 {"fields", fields}}));
          }
          return {};
        }));
      }
      const auto seconds = Milliseconds(Steady::now() - start) / 1000;
      fmt::print("pages of {} bytes: {:.0f} items/s over {} items\n", page_bytes, items / seconds,
                 items);
    }
  }

  const int divisor_;
  testing::TemporaryFolder folder_;
  SystemClock clock_;
  IdGenerator ids_{clock_, 1};
  std::unique_ptr<infra::sqlite::Store> store_ =
      Must(infra::sqlite::Store::Open({.path = folder_.Path("patra.db")}, clock_));
  infra::sql::PlanRepository plans_{*store_, clock_, ids_};
  infra::sql::TaskQueue queue_{*store_, clock_, ids_};
  infra::sql::RunLedger runs_{*store_, clock_, ids_};
  std::vector<app::LeasedTask> leased_;
};

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  patra::LedgerBench(small ? 10 : 1).Run();
  return 0;
}
