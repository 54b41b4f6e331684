// What the ledger's contract tests share. Every store implementation runs the same tests: it is added by
// one more LedgerBackend.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/port/adjustment_repository.h"
#include "app/port/alert_repository.h"
#include "app/port/api_token_repository.h"
#include "app/port/archive_index.h"
#include "app/port/cursor_repository.h"
#include "app/port/duty_roster.h"
#include "app/port/executor_repository.h"
#include "app/port/heal_journal.h"
#include "app/port/health_reader.h"
#include "app/port/hold_repository.h"
#include "app/port/id_ledger.h"
#include "app/port/item_views.h"
#include "app/port/job_repository.h"
#include "app/port/outbox_repository.h"
#include "app/port/plan_history.h"
#include "app/port/plan_repository.h"
#include "app/port/quarantine_repository.h"
#include "app/port/replay_store.h"
#include "app/port/run_ledger.h"
#include "app/port/signal_repository.h"
#include "app/port/task_queue.h"
#include "app/port/update_candidates.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/id.h"
#include "contract/read_side.h"
#include "domain/plan/plan.h"

namespace patra::testing {

// One process' view of a store. Two of them on the same store are two processes.
struct LedgerPorts {
  virtual ~LedgerPorts() = default;
  virtual app::PlanRepository& plans() = 0;
  virtual app::TaskQueue& queue() = 0;
  virtual app::RunLedger& runs() = 0;
  virtual app::CursorRepository& cursors() = 0;
  virtual app::HoldRepository& holds() = 0;
  virtual app::IdLedger& found_ids() = 0;
  virtual app::SignalRepository& signals() = 0;
  virtual app::PlanHistory& history() = 0;
  virtual app::UpdateCandidates& candidates() = 0;
  virtual app::ItemViews& item_views() = 0;
  virtual contract::ReadSide& read() = 0;
  virtual app::QuarantineRepository& quarantine() = 0;
  virtual app::HealthReader& health() = 0;
  virtual app::HealJournal& journal() = 0;
  virtual app::AlertRepository& alerts() = 0;
  virtual app::ExecutorRepository& executors() = 0;
  virtual app::OutboxRepository& outbox() = 0;
  virtual app::JobRepository& jobs() = 0;
  virtual app::ApiTokenRepository& tokens() = 0;
  virtual app::ArchiveIndex& archive() = 0;
  virtual app::AdjustmentRepository& adjustments() = 0;
  virtual app::DutyRoster& duties() = 0;
  virtual app::ReplayStore& replays() = 0;
  virtual std::int64_t Count(const std::string& sql) = 0;  // for looking behind the ports
  virtual void Execute(const std::string& sql) = 0;        // for what only a crash can do
};

class LedgerBackend {
 public:
  virtual ~LedgerBackend() = default;
  virtual std::unique_ptr<LedgerPorts> Connect(Clock& clock, IdGenerator& ids) = 0;
};

struct LedgerBackendFactory {
  const char* name;
  std::unique_ptr<LedgerBackend> (*make)();
};

inline void PrintTo(const LedgerBackendFactory& backend, std::ostream* out) {
  *out << backend.name;
}

inline constexpr Duration kHour = std::chrono::hours(1);
inline const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

inline domain::Window Hours(int from, int to) {
  return *domain::Window::Between(kStart + from * kHour, kStart + to * kHour);
}

class LedgerTest : public ::testing::TestWithParam<LedgerBackendFactory> {
 protected:
  // A plan over the hours [from, to) with one slice and task an hour, ready to be claimed.
  domain::Plan Planned(int from, int to, const std::string& source = "demo",
                       domain::Operation operation = domain::Operation::kHarvest) {
    auto plan = Draft(from, to, source, operation);
    EXPECT_TRUE(ports_->plans().AddIfAbsent(plan));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    EXPECT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
    return plan;
  }

  domain::Plan Draft(int from, int to, const std::string& source = "demo",
                     domain::Operation operation = domain::Operation::kHarvest) {
    const domain::Partition partition{source, "items", operation};
    const auto query_hash = Sha256Hex("{}");
    return {.id = ids_.Next(),
            .trigger_id = ids_.Next(),
            .key = domain::PlanKey(partition, query_hash, Hours(from, to)),
            .partition = partition,
            .query_hash = query_hash,
            .cursor = domain::HarvestNamespace(partition, query_hash, "updated_at"),
            .snapshot = "{}",
            .snapshot_hash = Sha256Hex("{}"),
            .window = Hours(from, to),
            .priority = domain::DefaultPriority(operation)};
  }

  std::vector<domain::SliceWithTask> Cut(const domain::Plan& plan) {
    auto work = domain::CutByTime(plan, kHour, clock_.Now());
    for (auto& [slice, task] : work) {
      slice.id = ids_.Next();
      task.id = ids_.Next();
    }
    return work;
  }

  std::vector<app::LeasedTask> Claim(int tasks_max, const std::string& owner = "worker-1") {
    auto claimed = ports_->queue().Claim({.owner = owner,
                                          .tasks_max = tasks_max,
                                          .lease = std::chrono::seconds(15),
                                          .running_per_partition_max = 1000});
    EXPECT_TRUE(claimed) << claimed.error().Describe();
    return claimed ? *std::move(claimed) : std::vector<app::LeasedTask>{};
  }

  // Of the endpoint "items" of the source "demo", as if its details had not been given.
  void ListBad(const std::string& id) {
    ports_->Execute(fmt::format(
        "INSERT INTO ing_bad_id (provenance_code, endpoint_name, provider_item_id, reason, "
        "batch_id, listed_at) VALUES ('demo', 'items', '{}', 'no details', 1, 0)",
        id));
  }

  domain::Record RecordOf(const std::string& id, Instant updated_at,
                          const std::string& title = "T") {
    domain::Record record{.id = id};
    record.fields = "{\"title\":\"" + title + "\"}";
    record.version = {.updated_at = updated_at,
                      .fetched_at = clock_.Now(),
                      .content_hash = Sha256Hex(record.fields)};
    return record;
  }

  app::BatchCommit BatchOf(const app::LeasedTask& task, const app::RunOpened& run,
                           std::vector<domain::Record> records) {
    return {.task = task,
            .lineage = run.lineage,
            .batch_no = run.batch_no,
            .before = run.start,
            .records = std::move(records),
            .request_digest = "{}",
            .response_digest = "{}"};
  }

  Result<app::SliceClosed> Finish(const app::LeasedTask& task,
                                  domain::TaskStatus status = domain::TaskStatus::kSucceeded) {
    const auto run = PATRA_TRY(ports_->runs().Open(task, kFirstPage));
    PATRA_TRY(ports_->runs().Commit(BatchOf(task, run, {})));
    return ports_->runs().Close({.task = task, .lineage = run.lineage, .status = status});
  }

  std::optional<Instant> Watermark(const domain::Plan& plan) {
    const auto watermark = ports_->cursors().Watermark(plan.partition, plan.cursor);
    EXPECT_TRUE(watermark);
    return watermark ? *watermark : std::nullopt;
  }

  const app::Position kFirstPage{.page = 1};
  VirtualClock clock_{kStart + std::chrono::days(30)};
  IdGenerator ids_{clock_, 1};
  std::unique_ptr<LedgerBackend> backend_ = GetParam().make();
  std::unique_ptr<LedgerPorts> ports_ = backend_->Connect(clock_, ids_);
};

}  // namespace patra::testing
