#include "infra/sql/run_ledger.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/item/elsewhere.h"
#include "domain/plan/slice_end.h"
#include "infra/sql/add_up.h"
#include "infra/sql/adjustment_table.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/end_runs.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/plan_table.h"
#include "infra/sql/prove_window.h"
#include "infra/sql/provider_clock_table.h"
#include "infra/sql/quarantine_place_table.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/raw_page_table.h"
#include "infra/sql/refresh_cursor.h"
#include "infra/sql/remark_table.h"
#include "infra/sql/rollup_table.h"
#include "infra/sql/run_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/task_table.h"
#include "infra/sql/walk_page_table.h"
#include "infra/sql/whole_table.h"

namespace patra::infra::sql {
namespace {

// Who waited longer met a store that was away, and not one that has much to do: healing must not slow down for that.
constexpr Duration kLoadMost = std::chrono::seconds(1);

constexpr std::string_view kGivenUp = "GIVEN_UP";
constexpr std::string_view kCut = "CUT";

std::optional<task_table::TaskError> ErrorOf(const app::SliceClose& close) {
  if (!close.error) return std::nullopt;
  return task_table::TaskError{close.code, *close.error};
}

// Of a slice that did not succeed as a whole: states and counts are overwritten when it is taken up again, remarks stay.
remark_table::Remark RemarkOf(const app::SliceClose& close) {
  const auto code = close.code.empty() ? Code(close.status) : close.code;
  return {.what = close.children.empty() ? code : kCut, .why = close.gap.value_or("")};
}

// What was committed under these keys, with where it goes on: nothing is written twice.
Result<app::BatchCommitted> ReadOld(Session& session, const app::BatchCommit& batch,
                                    const batch_table::Committed& old) {
  app::BatchCommitted committed{.counts = old.counts, .after = old.after, .already_there = true};
  committed.walk = PATRA_TRY(slice_table::FindWalk(session, batch.lineage.slice));
  committed.walked = PATRA_TRY(walk_page_table::Read(session, batch.lineage.slice));
  if (!old.after) return committed;
  const auto next =
      PATRA_TRY(batch_table::FindNumber(session, batch.lineage.run, old.batch_no + 1));
  if (!next) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("batch {} of run {} leads on, and the next one is not there",
                            old.batch_no, batch.lineage.run),
                {}, "the account is inconsistent; stop this source and look at the run's batches");
  }
  committed.next_batch = *next;
  return committed;
}

// The one place where a batch ends that came to nothing; what it cost counts like everything else.
Result<void> EndBatch(Session& session, const app::LeasedTask& task, Id batch,
                      const batch_table::Ended& ended, Instant now) {
  const bool was_running = PATRA_TRY(batch_table::End(session, batch, ended, now));
  return rollup_table::AddUnbrought(
      session, task.lane,
      {.status = ended.status, .batches = was_running ? 1 : 0, .sent = ended.sent}, now);
}

}  // namespace

Result<app::RunOpened> RunLedger::Open(const app::LeasedTask& task, const app::Position& first) {
  return database_.Write(
      LockScope::Source(task.lane.provenance), [&](Session& session) -> Result<app::RunOpened> {
        const auto now = clock_.Now();
        PATRA_TRY(task_table::Start(session, task, now));
        PATRA_TRY(slice_table::Start(session, task.lineage.slice, now));
        PATRA_TRY(FailAbandonedRuns(session, task.lineage.task, now));

        app::RunOpened opened{.lineage = task.lineage};
        if (task.slice.dimension == domain::SliceDimension::kTime && task.slice.split.empty()) {
          const auto brought = PATRA_TRY(slice_table::Brought(session, task.lane, task.query_hash));
          opened.usual = domain::UsualOf(brought, task.window().width());
          opened.was_any_empty =
              std::ranges::find(brought, 0, &domain::SliceBrought::records) != brought.end();
        }
        // Most parts of a dimension that nobody knows the ends of are empty.
        opened.was_any_empty = opened.was_any_empty || !task.slice.split.empty();
        opened.clock = PATRA_TRY(provider_clock_table::Find(session, task.lane.provenance));
        const auto in_force = [&](app::AdjustmentKind kind) -> Result<std::optional<std::int64_t>> {
          const auto found = PATRA_TRY(
              adjustment_table::Find(session, task.lane.provenance, task.lane.endpoint, kind, now));
          return found ? std::optional(found->value) : std::nullopt;
        };
        opened.page_size_max = PATRA_TRY(in_force(app::AdjustmentKind::kPageSize));
        opened.concurrency_max = PATRA_TRY(in_force(app::AdjustmentKind::kConcurrency));
        opened.request = PATRA_TRY(
            task_table::NoteProgress(session, task.lineage.task, task_table::Progress::kRun, now));
        opened.met_breaker = PATRA_TRY(
            run_table::LatestWaitedFor(session, task.lineage.task, domain::WaitReason::kBreaker));
        opened.caps = PATRA_TRY(whole_table::CapsOf(session, task.lane, task.query_hash));
        if (!task.is_update())
          opened.proven =
              PATRA_TRY(coverage_table::Around(session, task.lane, task.query_hash, task.window()));
        opened.is_first_use = PATRA_TRY(item_table::LookedAtLast(session, task.lane, 1)).empty();
        opened.lineage.run = ids_.Next();
        opened.lineage.batch = ids_.Next();
        PATRA_TRY(run_table::Insert(session, opened.lineage.run, task, task.runs_so_far + 1, now));

        const Id slice = task.lineage.slice;
        const auto last = PATRA_TRY(batch_table::FindLast(session, task.lineage.task));
        const auto walk = PATRA_TRY(slice_table::FindWalk(session, slice));
        const bool is_walk = task.slice.dimension != domain::SliceDimension::kId;
        // A walk that left no memory cannot be judged by who goes on with it.
        const bool can_go_on = last && (!last->after || last->after->token_is_position);
        opened.is_resumed = can_go_on && (walk || !is_walk);
        opened.is_at_end = opened.is_resumed && !last->after;
        opened.is_first_read = !opened.is_resumed &&
                               !PATRA_TRY(slice_table::WasAnyRead(session, task.expr_proto_hash));
        opened.start = opened.is_resumed ? last->after.value_or(first) : first;
        if (opened.is_resumed) {
          const auto account = PATRA_TRY(slice_table::Account(session, slice));
          opened.so_far = account.counts;
          opened.provable_to = account.provable_to;
          opened.walk = walk.value_or(domain::WalkMemory{});
          opened.walked = PATRA_TRY(walk_page_table::Read(session, slice));
        } else {
          if (walk && is_walk) {
            const auto account = PATRA_TRY(slice_table::Account(session, slice));
            opened.walk = walk->Next(domain::ElsewhereByNow(*walk, account.counts));
          }
          PATRA_TRY(slice_table::ResetCounts(session, slice, now));
          PATRA_TRY(quarantine_place_table::BeginWalk(session, slice));
          if (is_walk) {
            PATRA_TRY(slice_table::RememberWalk(session, slice, opened.walk, now));
            PATRA_TRY(walk_page_table::Forget(session, slice));
            PATRA_TRY(enumerated_id_table::Forget(session, slice));
          }
        }
        if (opened.is_at_end) {
          opened.lineage.batch = 0;
          return opened;
        }
        PATRA_TRY(batch_table::InsertRunning(session, task, opened.lineage, opened.batch_no,
                                             opened.start, now));
        return opened;
      });
}

Result<app::BatchCommitted> RunLedger::Commit(const app::BatchCommit& batch) {
  std::optional<raw_page_table::Packed> raw_page;
  if (batch.raw_page) raw_page.emplace(raw_page_table::Pack(*batch.raw_page));
  std::optional<domain::CursorMove> refreshed;  // of an update
  const auto asked_at = clock_.Elapsed();
  auto stored = database_.Write(
      LockScope::Source(batch.task.lane.provenance),
      [&](Session& session) -> Result<app::BatchCommitted> {
        const auto waited = std::min<Duration>(clock_.Elapsed() - asked_at, kLoadMost);
        const auto now = clock_.Now();
        PATRA_TRY(task_table::CheckFence(session, batch.task, domain::TaskStatus::kExecuting));
        if (const auto old = PATRA_TRY(batch_table::FindCommitted(session, batch))) {
          return ReadOld(session, batch, *old);
        }

        app::BatchCommitted committed{.after = batch.after};
        committed.counts = PATRA_TRY(StoreRecords(session, batch, now));
        committed.counts += PATRA_TRY(StoreIds(session, batch, now));
        if (!PATRA_TRY(batch_table::Succeed(session, batch, committed.counts, now))) {
          return Fail(ErrorCode::kLeaseLost,
                      fmt::format("batch {} is not running", batch.lineage.batch));
        }
        if (raw_page) PATRA_TRY(raw_page_table::Insert(session, batch.lineage.batch, *raw_page));
        PATRA_TRY(slice_table::AddCounts(session, batch.lineage.slice, committed.counts,
                                         batch.announced, batch.walked, now));
        // Only who reads on needs to know what was on the pages before.
        if (batch.walked && batch.after && !batch.after->is_detail) {
          PATRA_TRY(walk_page_table::Insert(session, batch.lineage.slice,
                                            batch.walked->memory.account.pages, batch.walked->ids));
        }
        PATRA_TRY(slice_table::Bound(session, batch.lineage.slice, batch.provable_to));
        PATRA_TRY(rollup_table::Add(session, batch, committed.counts, waited, now));
        PATRA_TRY(task_table::NoteCredential(session, batch.lineage.task, batch.credential));
        committed.request = PATRA_TRY(task_table::NoteProgress(
            session, batch.lineage.task, task_table::Progress::kBatch, now, batch.requests_left));

        if (batch.after) {
          auto next = batch.lineage;
          next.batch = committed.next_batch = ids_.Next();
          const auto opened = batch_table::InsertRunning(session, batch.task, next,
                                                         batch.batch_no + 1, *batch.after, now);
          if (!opened && opened.error().code == ErrorCode::kDuplicate) {
            return Fail(
                ErrorCode::kCorruption,
                fmt::format(
                    "batch {} of run {} leads to a position that this run has visited before",
                    batch.batch_no, batch.lineage.run),
                {}, "the provider's tokens go in a circle; nothing of this page was stored");
          }
          if (!opened) return std::unexpected(opened.error());
        }
        if (batch.task.is_update()) {
          refreshed = PATRA_TRY(
              RecordRefresh(session, batch.lineage, kUncheckedAfterBatch, ids_.Next(), now));
        }
        return committed;
      });
  if (stored && refreshed) PATRA_TRY(cursors_.Follow(*refreshed));
  return stored;
}

Result<void> RunLedger::GiveBack(const app::RunEnd& end) {
  return database_.Write(
      LockScope::Source(end.task.lane.provenance), [&](Session& session) -> Result<void> {
        const auto now = clock_.Now();
        const bool is_failure = end.level.has_value();
        std::optional<task_table::TaskError> error;
        if (is_failure) error = {end.code, end.reason};
        PATRA_TRY(
            task_table::GiveBack(session, end.task, end.again_at, end.reason, error, now, true));
        PATRA_TRY(task_table::NoteCredential(session, end.lineage.task, end.credential));
        PATRA_TRY(run_table::Finish(session, end.lineage.run, end.status, end.stats,
                                    is_failure ? std::optional(end.reason) : std::nullopt, now));
        if (end.waits_for) PATRA_TRY(run_table::WaitFor(session, end.lineage.run, *end.waits_for));
        if (end.start_over) PATRA_TRY(run_table::StartOverNext(session, end.lineage.run));
        PATRA_TRY(EndBatch(
            session, end.task, end.lineage.batch,
            {.status = is_failure ? domain::BatchStatus::kFailed : domain::BatchStatus::kGivenBack,
             .error = end.reason,
             .level = end.level.value_or(domain::ErrorLevel::kNone),
             .page_size = end.page_size,
             .sent = end.sent},
            now));
        return slice_table::GiveBack(session, end.lineage.slice, now);
      });
}

Result<void> RunLedger::GiveUp(const app::LeasedTask& task, const std::string& reason) {
  return database_.Write(
      LockScope::Source(task.lane.provenance), [&](Session& session) -> Result<void> {
        const auto now = clock_.Now();
        if (task_table::CheckFence(session, task, domain::TaskStatus::kDispatched)) {
          PATRA_TRY(task_table::Start(session, task, now));
          PATRA_TRY(slice_table::Start(session, task.lineage.slice, now));
        }
        PATRA_TRY(task_table::Finish(session, task, domain::TaskStatus::kFailed,
                                     task_table::TaskError{kGivenUp, reason}, now));
        PATRA_TRY(remark_table::OnTask(session, task.lineage.task, {kGivenUp, reason}, now));
        PATRA_TRY(remark_table::OnSlice(session, task.lineage.slice, {kGivenUp, reason}, now));
        PATRA_TRY(FailAbandonedRuns(session, task.lineage.task, now));
        PATRA_TRY(slice_table::Close(session, task.lineage.slice, domain::SliceStatus::kFailed,
                                     std::optional("given up: " + reason), now));
        PATRA_TRY(plan_table::CompleteIfDone(session, task.lineage.plan, now));
        return {};
      });
}

Result<app::SliceClosed> RunLedger::Close(const app::SliceClose& close) {
  std::optional<domain::CursorMove> move;
  std::optional<domain::CursorMove> refreshed;  // of an update
  Gone gone;
  std::optional<app::ShortWhole> short_whole;
  std::vector<domain::Window> doubted;
  PATRA_TRY(database_.Write(
      LockScope::Source(close.task.lane.provenance), [&](Session& session) -> Result<void> {
        const auto now = clock_.Now();
        const auto addition = PATRA_TRY(AddUp(session, close));
        short_whole = close.is_read ? addition.falls_short : std::nullopt;
        if (short_whole) return {};
        PATRA_TRY(task_table::Finish(session, close.task, close.status, ErrorOf(close), now));
        PATRA_TRY(task_table::NoteCredential(session, close.lineage.task, close.credential));
        PATRA_TRY(run_table::Finish(session, close.lineage.run,
                                    domain::RunStatusAfter(close.status), close.stats, close.error,
                                    now));
        PATRA_TRY(slice_table::Close(session, close.lineage.slice,
                                     domain::SliceStatusAfter(close.status), close.gap, now));
        if (close.status != domain::TaskStatus::kSucceeded)
          PATRA_TRY(remark_table::OnSlice(session, close.lineage.slice, RemarkOf(close), now));
        // A slice that failed may be taken up again where it stopped.
        const bool is_over =
            close.status == domain::TaskStatus::kSucceeded || !close.children.empty();
        if (is_over) PATRA_TRY(walk_page_table::Forget(session, close.lineage.slice));
        if (close.status != domain::TaskStatus::kSucceeded) {
          PATRA_TRY(EndBatch(session, close.task, close.lineage.batch,
                             {.error = close.error.value_or(close.gap.value_or("")),
                              .level = close.level,
                              .wrong_parameter = close.wrong_parameter,
                              .page_size = close.page_size,
                              .sent = close.sent},
                             now));
        } else {
          PATRA_TRY(rollup_table::AddUnbrought(
              session, close.task.lane,
              {.status = domain::BatchStatus::kSucceeded, .sent = close.sent}, now));
        }
        if (close.clock) {
          PATRA_TRY(provider_clock_table::Note(session, close.task.lane.provenance, *close.clock));
        }
        if (close.bad_page) PATRA_TRY(IsolatePage(session, close, now));
        PATRA_TRY(AddChildren(session, close, now));
        if (close.status == domain::TaskStatus::kSucceeded || close.proven)
          move = PATRA_TRY(ProveSlice(session, close, gone, now));
        if (auto again = PATRA_TRY(NoteAddition(session, close, addition, ids_, now)))
          move = std::move(again);
        doubted = PATRA_TRY(DoubtAlike(session, close, addition, ids_, now));
        PATRA_TRY(plan_table::CompleteIfDone(session, close.lineage.plan, now));
        if (close.task.is_update()) {
          refreshed =
              PATRA_TRY(RecordRefresh(session, close.lineage, kUncheckedAtEnd, ids_.Next(), now));
        }
        return {};
      }));
  if (short_whole) return app::SliceClosed{.short_whole = std::move(short_whole)};
  if (refreshed) PATRA_TRY(cursors_.Follow(*refreshed));
  app::SliceClosed closed{.gone = gone.records,
                          .tells_gone = gone.is_told,
                          .gone_doubt = gone.doubt,
                          .doubted = std::move(doubted)};
  if (!move) return closed;

  // The event is durable; the value follows in a transaction of its own. A crash in between loses
  // nothing: the next slice that closes moves the value over the same stretch.
  // A cursor that is held follows when it is let go.
  if (!PATRA_TRY(cursors_.Follow(*move))) return closed;
  closed.watermark = std::get<Instant>(move->to);
  if (move->from) closed.watermark_before = std::get<Instant>(*move->from);
  return closed;
}

Result<void> RunLedger::IsolatePage(Session& session, const app::SliceClose& close, Instant now) {
  const auto& page = *close.bad_page;
  const domain::BadRecord bad{
      .path = "", .rule = "page", .reason = page.reason, .bytes = page.bytes, .is_page = true};
  PATRA_TRY(quarantine_table::InsertAll(session, {close.task, close.lineage, page.batch_no},
                                        {&bad, 1}, ids_, now));
  return {};
}

Result<void> RunLedger::AddChildren(Session& session, const app::SliceClose& close, Instant now) {
  if (close.children.empty()) return {};
  const auto& task = close.task;
  if (close.owed_by_children)
    PATRA_TRY(whole_table::NoteCut(session, task.lineage.slice, *close.owed_by_children));
  // What it met, they meet or not.
  PATRA_TRY(quarantine_place_table::BeginWalk(session, task.lineage.slice));
  const auto snapshot = PATRA_TRY(ParseJson(task.plan_snapshot));
  const auto spec = PATRA_TRY(domain::SpecSnapshot::FromValue(snapshot));
  const domain::Plan plan{.id = task.lineage.plan,
                          .trigger_id = task.lineage.trigger,
                          .key = task.plan_key,
                          .lane = task.lane,
                          .query_hash = task.query_hash,
                          .expr_proto_hash = task.expr_proto_hash,
                          .window = task.plan_window,
                          .priority = task.priority,
                          .rate_key = task.rate_key,
                          .at_once = task.at_once,
                          .correlation = task.lineage.correlation,
                          .wishes = domain::WishesIn(task.params),
                          .expression = domain::ExpressionPrototype::Of(spec)};
  const auto number = PATRA_TRY(slice_table::NextChildNumber(session, plan.id));
  PATRA_TRY(domain::RefuseEndlessCuts(number, close.children.size()));
  const auto requests_left = PATRA_TRY(task_table::RequestsLeft(session, task.lineage.task));
  auto pieces = domain::PiecesOf(plan, close.children, number, requests_left,
                                 close.children_at.value_or(now));
  slice_table::Works works;
  for (auto& work : pieces) {
    work.slice.id = ids_.Next();
    work.task.id = ids_.Next();
    works.push_back(&work);
  }
  const auto added = PATRA_TRY(slice_table::InsertAll(session, plan, works, now));
  for (const auto* work : added)
    PATRA_TRY(slice_table::SetParent(session, work->slice.id, task.lineage.slice));
  PATRA_TRY(task_table::InsertAll(session, plan, added, now));
  return {};
}

Result<std::optional<domain::CursorMove>> RunLedger::ProveSlice(Session& session,
                                                                const app::SliceClose& close,
                                                                Gone& gone, Instant now) {
  const auto& task = close.task;
  if (task.slice.dimension == domain::SliceDimension::kId) {
    PATRA_TRY(quarantine_place_table::Leave(session,
                                            {.lane = task.lane,
                                             .query_hash = task.query_hash,
                                             .window = task.window(),
                                             .plan = task.lineage.plan,
                                             .only_slice = task.lineage.slice},
                                            now));
    return std::nullopt;
  }
  const bool is_part = !task.slice.split.empty() || task.slice.pages;
  if (is_part && !PATRA_TRY(slice_table::AllPartsSucceeded(session, task.lane, task.query_hash,
                                                           task.window(), task.lineage.plan)))
    return std::nullopt;
  if (task.slice.pages) {
    // As long as pages are still to be planned, those that are done are not all.
    const auto plan = PATRA_TRY(plan_table::Read(session, close.lineage.plan));
    if (!plan || !plan->is_wholly_cut()) return std::nullopt;
  }
  const Proof proof{.lane = task.lane,
                    .cursor = task.cursor,
                    .query_hash = task.query_hash,
                    .plan_window = task.plan_window,
                    .window = close.proven.value_or(task.window()),
                    .lineage = close.lineage,
                    .expr_hash = task.slice_expr_hash,
                    .observed_max = close.observed_max,
                    .batch_no = close.last_batch_no,
                    .late = close.counts.late,
                    .why = close.proven ? close.gap.value_or("") : ""};
  if (proof.window == proof.plan_window && close.status == domain::TaskStatus::kSucceeded)
    gone = PATRA_TRY(TellGone(session, proof, ids_, now));
  return ProveWindow(session, proof, ids_, now);
}

}  // namespace patra::infra::sql
