#include "infra/sqlite/run_ledger.h"

#include <fmt/format.h>

#include "infra/sqlite/batch_table.h"
#include "infra/sqlite/coverage_table.h"
#include "infra/sqlite/cursor_event_table.h"
#include "infra/sqlite/cursor_table.h"
#include "infra/sqlite/item_table.h"
#include "infra/sqlite/outbox_table.h"
#include "infra/sqlite/plan_table.h"
#include "infra/sqlite/quarantine_table.h"
#include "infra/sqlite/raw_page_table.h"
#include "infra/sqlite/rollup_table.h"
#include "infra/sqlite/run_table.h"
#include "infra/sqlite/slice_table.h"
#include "infra/sqlite/task_table.h"

namespace patra::infra::sqlite {
namespace {

domain::SliceStatus SliceStatusOf(domain::TaskStatus status) {
  switch (status) {
    case domain::TaskStatus::kSucceeded:
      return domain::SliceStatus::kSucceeded;
    case domain::TaskStatus::kPartial:
      return domain::SliceStatus::kPartial;
    case domain::TaskStatus::kCancelled:
      return domain::SliceStatus::kCancelled;
    default:
      return domain::SliceStatus::kFailed;
  }
}

domain::RunStatus RunStatusOf(domain::TaskStatus status) {
  switch (status) {
    case domain::TaskStatus::kSucceeded:
      return domain::RunStatus::kSucceeded;
    case domain::TaskStatus::kPartial:
      return domain::RunStatus::kPartial;
    case domain::TaskStatus::kCancelled:
      return domain::RunStatus::kCancelled;
    default:
      return domain::RunStatus::kFailed;
  }
}

}  // namespace

Result<app::RunOpened> RunLedger::Open(const app::LeasedTask& task, const app::Position& first) {
  return store_.Write([&](Connection& connection) -> Result<app::RunOpened> {
    const auto now = clock_.Now();
    PATRA_TRY(task_table::Start(connection, task, now));
    PATRA_TRY(slice_table::Start(connection, task.lineage.slice, now));
    PATRA_TRY(run_table::FailAbandoned(connection, task.lineage.task, now));

    app::RunOpened opened{.lineage = task.lineage};
    opened.lineage.run = ids_.Next();
    opened.lineage.batch = ids_.Next();
    PATRA_TRY(run_table::Insert(connection, opened.lineage.run, task, task.runs_so_far + 1, now));

    const auto last = PATRA_TRY(batch_table::LastPosition(connection, task.lineage.task));
    opened.is_resumed = last && last->token_is_position;
    opened.start = opened.is_resumed ? *last : first;
    if (opened.is_resumed) {
      opened.so_far = PATRA_TRY(slice_table::Counts(connection, task.lineage.slice));
    } else {
      PATRA_TRY(slice_table::ResetCounts(connection, task.lineage.slice, now));
    }
    PATRA_TRY(batch_table::InsertRunning(connection, task, opened.lineage, opened.batch_no,
                                         opened.start, now));
    return opened;
  });
}

Result<app::BatchCommitted> RunLedger::Commit(const app::BatchCommit& batch) {
  return store_.Write([&](Connection& connection) -> Result<app::BatchCommitted> {
    const auto now = clock_.Now();
    PATRA_TRY(task_table::CheckFence(connection, batch.task, domain::TaskStatus::kExecuting));
    if (const auto old = PATRA_TRY(batch_table::FindCommitted(connection, batch))) {
      return app::BatchCommitted{.counts = old->counts, .already_there = true};
    }

    app::BatchCommitted committed;
    committed.counts = PATRA_TRY(StoreRecords(connection, batch, now));
    if (!PATRA_TRY(batch_table::Succeed(connection, batch, committed.counts, now))) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("batch {} is not running", batch.lineage.batch));
    }
    if (batch.raw_page)
      PATRA_TRY(raw_page_table::Insert(connection, batch.lineage.batch, *batch.raw_page));
    PATRA_TRY(slice_table::AddCounts(connection, batch.lineage.slice, committed.counts,
                                     batch.announced, now));
    PATRA_TRY(rollup_table::Add(connection, batch, committed.counts, now));
    for (const auto& message : batch.outbox) {
      PATRA_TRY(outbox_table::Insert(connection, message, batch.lineage.batch, ids_.Next(), now));
    }
    PATRA_TRY(task_table::Heartbeat(connection, batch.lineage.task, now));

    if (batch.after) {
      auto next = batch.lineage;
      next.batch = committed.next_batch = ids_.Next();
      const auto opened = batch_table::InsertRunning(connection, batch.task, next,
                                                     batch.batch_no + 1, *batch.after, now);
      if (!opened && opened.error().code == ErrorCode::kConflict) {
        return Fail(
            ErrorCode::kCorruption,
            fmt::format("batch {} of run {} leads to a position that this run has visited before",
                        batch.batch_no, batch.lineage.run),
            {}, "the provider's tokens go in a circle; nothing of this page was stored");
      }
      if (!opened) return std::unexpected(opened.error());
    }
    return committed;
  });
}

Result<app::SliceClosed> RunLedger::Close(const app::SliceClose& close) {
  std::optional<domain::CursorMove> move;
  PATRA_TRY(store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(task_table::Finish(connection, close.task, close.status, close.error, now));
    PATRA_TRY(run_table::Finish(connection, close.lineage.run, RunStatusOf(close.status),
                                close.stats, close.error, now));
    PATRA_TRY(slice_table::Close(connection, close.lineage.slice, SliceStatusOf(close.status),
                                 close.gap, now));
    if (close.status == domain::TaskStatus::kSucceeded) {
      move = PATRA_TRY(ProveSlice(connection, close, now));
      if (move) PATRA_TRY(cursor_event_table::Insert(connection, *move, ids_.Next(), now));
    }
    return plan_table::CompleteIfDone(connection, close.lineage.plan, now);
  }));
  if (!move) return app::SliceClosed{};

  // The event is durable; the value follows in a transaction of its own. A crash in between loses
  // nothing: the next slice that closes moves the value over the same stretch.
  PATRA_TRY(cursors_.Follow(*move));
  app::SliceClosed closed{.watermark = std::get<Instant>(move->to)};
  if (move->from) closed.watermark_before = std::get<Instant>(*move->from);
  return closed;
}

Result<domain::RecordCounts> RunLedger::StoreRecords(Connection& connection,
                                                     const app::BatchCommit& batch, Instant now) {
  domain::RecordCounts counts{.quarantined = static_cast<std::int64_t>(batch.bad_records.size()),
                              .filtered = batch.filtered};
  const item_table::Origin origin{batch.task.partition.provenance, batch.task.partition.endpoint,
                                  batch.task.slice_expr_hash, batch.lineage.batch};
  for (const auto& record : batch.records) {
    switch (PATRA_TRY(item_table::Put(connection, origin, record, ids_.Next(), now))) {
      case domain::Overwrite::kInsert:
        ++counts.inserted;
        break;
      case domain::Overwrite::kUpdate:
        ++counts.updated;
        break;
      case domain::Overwrite::kUnchanged:
        ++counts.unchanged;
        break;
      case domain::Overwrite::kStale:
        ++counts.stale;
        break;
    }
  }
  for (std::size_t i = 0; i < batch.bad_records.size(); ++i) {
    PATRA_TRY(quarantine_table::Insert(connection, batch, batch.bad_records[i],
                                       static_cast<int>(i) + 1, ids_.Next(), now));
  }
  counts.received =
      static_cast<std::int64_t>(batch.records.size()) + counts.quarantined + counts.filtered;
  return counts;
}

Result<std::optional<domain::CursorMove>> RunLedger::ProveSlice(Connection& connection,
                                                                const app::SliceClose& close,
                                                                Instant now) {
  const auto& task = close.task;
  PATRA_TRY(coverage_table::Add(connection, task.partition, task.query_hash, task.window(),
                                ids_.Next(), now));
  if (task.partition.operation != domain::Operation::kHarvest) return std::nullopt;

  const auto standing = PATRA_TRY(cursor_table::Find(connection, task.partition, task.cursor));
  const auto start = standing ? std::get<Instant>(standing->value) : task.plan_window.from();
  const auto around = PATRA_TRY(domain::Window::Between(start, start + Duration(1)));
  const auto coverage =
      PATRA_TRY(coverage_table::Around(connection, task.partition, task.query_hash, around));
  const auto frontier = coverage.FrontierFrom(start);
  if (frontier <= start) return std::nullopt;
  domain::CursorMove move{.partition = task.partition,
                          .cursor = task.cursor,
                          .to = frontier,
                          .window = task.window(),
                          .lineage = close.lineage,
                          .expr_hash = task.slice_expr_hash};
  if (standing) move.from = standing->value;
  return move;
}

}  // namespace patra::infra::sqlite
