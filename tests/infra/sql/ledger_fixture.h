// What the ledger's contract tests share. Every store implementation runs the same tests: it is added by
// one more LedgerBackend.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/port/store.h"
#include "app/port/stored_message.h"
#include "base/canonical_json.h"
#include "base/clock.h"
#include "base/hash.h"
#include "domain/plan/plan.h"
#include "infra/sql/database.h"
#include "tests/memory_archive.h"

namespace patra::testing {

// One process' view of a store, and what looks behind it.
class LedgerPorts {
 public:
  virtual ~LedgerPorts() = default;

  virtual app::Store& store() = 0;
  virtual infra::sql::Database& database() = 0;
  virtual std::int64_t Count(const std::string& sql) = 0;
  virtual void Execute(const std::string& sql) = 0;  // for what only a crash can do

  IdGenerator& ids() { return store().ids(); }
  contract::ReadSide& read() { return store().read(); }
  app::PlanRepository& plans() { return store().plans(); }
  app::TaskQueue& queue() { return store().queue(); }
  app::RunLedger& runs() { return store().runs(); }
  app::CursorRepository& cursors() { return store().cursors(); }
  app::HoldRepository& holds() { return store().holds(); }
  app::IdLedger& found_ids() { return store().found_ids(); }
  app::SignalRepository& signals() { return store().signals(); }
  app::PlanHistory& history() { return store().history(); }
  app::QueryBook& queries() { return store().queries(); }
  app::UpdateCandidates& candidates() { return store().candidates(); }
  app::ItemViews& item_views() { return store().item_views(); }
  app::QuarantineRepository& quarantine() { return store().quarantine(); }
  app::HealthReader& health() { return store().health(); }
  app::HealJournal& journal() { return store().journal(); }
  app::AlertRepository& alerts() { return store().alerts(); }
  app::ExecutorRepository& executors() { return store().executors(); }
  app::OutboxRepository& outbox() { return store().outbox(); }
  app::JobRepository& jobs() { return store().jobs(); }
  app::ExecutionRepository& executions() { return store().executions(); }
  app::ApiTokenRepository& tokens() { return store().tokens(); }
  app::ArchiveStore& archive() { return store().archive(); }
  app::AdjustmentRepository& adjustments() { return store().adjustments(); }
  app::DutyRoster& duties() { return store().duties(); }
  app::ReplayStore& replays() { return store().replays(); }
  app::RemapStore& remaps() { return store().remaps(); }
};

class LedgerBackend {
 public:
  virtual ~LedgerBackend() = default;
  virtual std::unique_ptr<LedgerPorts> Connect(Clock& clock) = 0;

  MemoryArchive archive;  // of all who connect
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
    AddReady(plan);
    return plan;
  }

  void AddReady(const domain::Plan& plan) {
    EXPECT_TRUE(ports_->plans().AddIfAbsent(plan));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    EXPECT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
  }

  domain::Plan Draft(int from, int to, const std::string& source = "demo",
                     domain::Operation operation = domain::Operation::kHarvest) {
    static const auto kSnapshot =
        CanonicalJson(domain::SpecSnapshot{.window = {.start = kStart}}.ToValue());
    const domain::Lane lane{source, "items", operation};
    const auto query_hash = Sha256Hex("{}");
    return {.id = ids_.Next(),
            .trigger_id = ids_.Next(),
            .key = domain::PlanKey(lane, query_hash, Hours(from, to)),
            .lane = lane,
            .query_hash = query_hash,
            .cursor = domain::HarvestNamespace(lane, query_hash, "updated_at"),
            .snapshot = kSnapshot,
            .snapshot_hash = Sha256Hex(kSnapshot),
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
                                          .running_per_lane_max = 1000});
    EXPECT_TRUE(claimed) << claimed.error().Describe();
    return claimed ? *std::move(claimed) : std::vector<app::LeasedTask>{};
  }

  // How many messages about stored records name the id in that list of theirs.
  int TimesTold(const std::string& list, const std::string& id) {
    const auto waiting =
        ports_->outbox().List({.channel = std::string(app::kItemChannel), .messages_max = 1000});
    EXPECT_TRUE(waiting) << waiting.error().Describe();
    int times = 0;
    for (const auto& row : waiting.value_or(std::vector<app::OutboxRow>{})) {
      if (row.message.op_type != "ITEMS_CHANGED") continue;
      const auto payload = ParseJson(row.message.payload);
      const auto* named = payload ? payload->Find(list) : nullptr;
      if (named == nullptr || named->AsArray() == nullptr) continue;
      times += static_cast<int>(std::ranges::count(*named->AsArray(), Value(id)));
    }
    return times;
  }

  // Everything that others would hear of, as "inserted a".
  std::vector<std::string> Told() {
    while (ports_->outbox().NumberChanges(100).value_or(0) > 0) {
    }
    const auto page = ports_->read().changes().After({}, {}, 10'000);
    EXPECT_TRUE(page) << page.error().Describe();
    std::vector<std::string> told;
    for (const auto& row : page.value_or(contract::ChangePage{}).changes)
      told.push_back(fmt::format("{} {}", Name(row.change.kind), row.change.id));
    return told;
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
                      .content_hash = Sha256(record.fields)};
    return record;
  }

  app::BatchCommit BatchOf(const app::LeasedTask& task, const app::RunOpened& run,
                           std::vector<domain::Record> records) {
    return {.task = task,
            .lineage = run.lineage,
            .batch_no = run.batch_no,
            .before = run.start,
            .records = std::move(records),
            .evidence = {.request = "{}", .sent = {.requests = 1}}};
  }

  Result<app::SliceClosed> Finish(const app::LeasedTask& task,
                                  domain::TaskStatus status = domain::TaskStatus::kSucceeded) {
    const auto run = PATRA_TRY(ports_->runs().Open(task, kFirstPage));
    PATRA_TRY(ports_->runs().Commit(BatchOf(task, run, {})));
    return ports_->runs().Close({.task = task, .lineage = run.lineage, .status = status});
  }

  std::optional<Instant> Watermark(const domain::Plan& plan) {
    const auto watermark = ports_->cursors().Watermark(plan.lane, plan.cursor);
    EXPECT_TRUE(watermark);
    return watermark ? *watermark : std::nullopt;
  }

  const app::Position kFirstPage{.page = 1};
  VirtualClock clock_{kStart + std::chrono::days(30)};
  std::unique_ptr<LedgerBackend> backend_ = GetParam().make();
  std::unique_ptr<LedgerPorts> ports_ = backend_->Connect(clock_);
  IdGenerator& ids_ = ports_->ids();
};

}  // namespace patra::testing
