// The account of what runs do, batch by batch. Every method checks the task's fence: a worker that
// lost its lease changes nothing and is told kLeaseLost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/task_queue.h"
#include "base/result.h"
#include "domain/cursor/coverage.h"
#include "domain/error/verdict.h"
#include "domain/heal/usual_records.h"
#include "domain/item/record.h"
#include "domain/plan/sum_of_parts.h"
#include "domain/task/evidence.h"
#include "domain/task/states.h"
#include "domain/walk/position.h"
#include "domain/walk/walk_memory.h"
#include "domain/window/provider_clock.h"
#include "domain/word/adjustment.h"
#include "domain/word/lineage.h"

namespace patra::app {

using domain::Position;

// What self-healing wants of a run.
struct HealRequest {
  domain::SliceRequest what = domain::SliceRequest::kReslice;
  std::string reason;
};

struct RunOpened {
  domain::Lineage lineage;  // with run and first batch
  int batch_no = 1;
  Position start;               // of the first batch
  bool is_resumed = false;      // after the last committed batch of an earlier run
  bool is_at_end = false;       // that batch was the last: only closing is left, and no batch runs
  bool met_breaker = false;     // the last run ended before a breaker that was open
  bool is_first_use = false;    // no record has ever come from this endpoint
  bool is_first_read = false;   // no page was ever read by a snapshot that reads like this one
  bool was_any_empty = false;   // of the slices of this kind that are done
  domain::RecordCounts so_far;  // what the slice has brought already
  domain::WalkMemory walk{};    // of the walk that goes on here, or begins
  std::vector<domain::PageIds> walked{};  // pages of it
  // In force when the run begins.
  std::optional<std::int64_t> page_size_max{};
  std::optional<std::int64_t> concurrency_max{};
  std::optional<HealRequest> request{};
  std::optional<domain::ClockReading> clock{};  // the provider's, as another run has read it
  std::optional<domain::UsualRecords> usual{};  // of slices of this kind and width
  std::optional<Instant> provable_to{};  // where what the slice has brought was read too early
  // Totals of other slices of the same query whose parts brought more: the provider counts no further.
  std::vector<std::int64_t> caps{};
  domain::Coverage proven{};  // about the slice's window: it is read again
};

struct RawPage {
  std::string content_type;
  std::string body;
  Instant fetched_at;
  std::string body_hash{};  // its SHA-256, where somebody knows it already
};

// An id whose details cannot be had: skipped from here on, until a person releases it.
struct BadId {
  std::string id;
  std::string reason;
};

// What a walk remembers once this batch is committed.
struct WalkedPage {
  domain::WalkMemory memory;
  domain::PageIds ids;  // on the page
};

struct BatchCommit {
  const LeasedTask& task;
  domain::Lineage lineage;
  int batch_no = 1;
  Position before;
  std::optional<Position> after;            // absent when this was the last
  std::optional<std::int64_t> page_size{};  // that was asked for; of details, how many ids
  std::vector<domain::Record> records;
  std::vector<domain::BadRecord> bad_records;
  // Ids on the page, whatever becomes of them, where the list tells what is gone by what it lacks; one that nobody can read is
  // empty.
  std::vector<std::string> listed{};
  std::int64_t filtered = 0;
  std::int64_t outside = 0;   // of `filtered`, what the provider's own filter should have held back
  std::int64_t repeated = 0;  // of all these, what came before
  bool are_dated = false;     // the records, by the provider; else by when they came
  Duration filter_step{};     // of the window, as the provider keeps to it
  std::int64_t passed_over = 0;  // beside them: what a filter of `items` does not mean
  // First phase of two: remembered until the second has fetched them. Those on the bad-id list, those found
  // before and those whose record was fetched after `fresh_since` are counted and need no details.
  std::vector<std::string> found_ids;
  std::optional<Instant> fresh_since;
  // Second phase: asked for and answered, with a record or as one of `bad_ids`.
  std::vector<std::string> answered_ids;
  std::vector<BadId> bad_ids;
  std::optional<std::int64_t> announced;
  std::optional<WalkedPage> walked{};           // of the first phase
  std::optional<std::int64_t> requests_left{};  // that the rest takes, where the total tells
  std::optional<RawPage> raw_page;
  domain::Evidence evidence{};  // of all that was sent for it
  std::int64_t latency_ms = 0;
  int status = 200;
  std::optional<Instant> provable_to{};  // nothing from here on is proven: it was read too early
  // Of a run that reads again what was proven when it began; see item/late.h.
  const domain::Coverage* proven = nullptr;
  bool dates_tell = false;

  std::int64_t raw_page_bytes() const {
    return raw_page ? static_cast<std::int64_t>(raw_page->body.size()) : 0;
  }
};

struct BatchCommitted {
  domain::RecordCounts counts;
  Id next_batch = 0;  // the row of the next batch, committed together (I8); RUNNING at first
  std::optional<Position> after;  // where the run goes on; absent when this was the last
  // A key was hit: all of this is the old outcome, and what was offered now came to nothing (I5).
  bool already_there = false;
  std::optional<domain::WalkMemory> walk{};  // then, and the pages that it has read
  std::vector<domain::PageIds> walked{};
  std::optional<HealRequest> request{};
};

// An answer that no record could be taken from; it goes to quarantine as a whole.
struct BadPage {
  int batch_no = 1;
  std::string reason;
  std::string bytes;
};

// What a slice that was cut announces by now, after the last of its parts was read.
struct WholeAsked {
  Id slice = 0;
  std::int64_t announced = 0;
  std::optional<std::int64_t> parts{};  // and they, where they were asked again as well
};

// A slice that was cut into parts, which announce less together than it did.
struct ShortWhole {
  Id slice = 0;
  domain::SliceSpec spec;  // of what the parts took over
  domain::SumOfParts sum;
  domain::PartsVerdict verdict = domain::PartsVerdict::kAskWhole;
  std::vector<domain::SliceSpec> parts{};  // where they are to be asked
};

// How a slice ended.
struct SliceClose {
  const LeasedTask& task;
  domain::Lineage lineage;
  domain::TaskStatus status = domain::TaskStatus::kSucceeded;
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;
  std::optional<std::string> gap;  // what is missing and why
  // Of a slice that did not succeed as a whole: the part that is proven, and the slices that take the rest
  // over. They tile it (I3), and are queued with the parent's end or not at all (kLimit: cut too often).
  std::optional<domain::Window> proven;
  std::vector<domain::SliceSpec> children;
  std::optional<Instant> children_at{};            // when they may begin; else at once
  std::optional<std::int64_t> owed_by_children{};  // what they have to announce together
  // Everything of it was read, but what the provider cannot have yet. Then wholes that it is the last part of are held against
  // their parts.
  bool is_read = false;
  bool may_gain = false;     // records may come into windows that were read
  bool is_announced = true;  // how many records a window has: of which a whole can be asked again
  std::vector<WholeAsked> wholes{};  // those that had to be asked again
  std::optional<std::string> error;
  std::string_view code{};  // of the error, see failure_code.h
  domain::ErrorLevel level = domain::ErrorLevel::kNone;
  std::optional<Instant> observed_max;  // the latest `updated` that was seen
  int last_batch_no = 0;                // of the run; 0 where it committed none
  std::string stats = "{}";
  std::optional<BadPage> bad_page{};
  std::string wrong_parameter{};  // that the provider names as the reason
  // Of the batch that is open, with everything that was sent by the run beside what its batches brought.
  domain::Evidence evidence{};
  std::optional<std::int64_t> page_size{};  // that the last batch asked for, if it came to nothing
  std::optional<domain::ClockReading> clock{};  // the provider's, for later runs
};

// How a run ended that leaves its task in the queue.
struct RunEnd {
  const LeasedTask& task;
  domain::Lineage lineage;
  domain::RunStatus status = domain::RunStatus::kFailed;
  std::string reason;
  std::string_view code{};                        // of the error, see failure_code.h
  std::optional<domain::ErrorLevel> level;        // of the error; none where there was none
  std::optional<domain::WaitReason> waits_for{};  // where the gate holds it back
  Instant again_at;
  bool start_over = false;  // what was committed is no place to resume at
  std::string stats = "{}";
  domain::Evidence evidence{};              // as of a slice that is closed
  std::optional<std::int64_t> page_size{};  // that the last batch asked for, which came to nothing
};

// What nobody knows how to go on with, and what is known of the run that met it.
struct RunGivenUp {
  const LeasedTask& task;
  std::string reason;
  std::optional<std::string> stats{};  // none: no run began
  domain::Evidence evidence{};
};

struct SliceClosed {
  // Then nothing was closed, or written, for what the verdict says.
  std::optional<ShortWhole> short_whole{};
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
  std::int64_t gone = 0;     // records that are not on the list any more, and have a tombstone now
  bool tells_gone = false;   // the list is one that tells that, and was read whole
  std::string gone_doubt{};  // why records that are missing have none
  // Of the plan, that announced just the total that turns out to be as far as the provider counts: nothing of them is proven any
  // more.
  std::vector<domain::Window> doubted{};
};

class RunLedger {
 public:
  virtual ~RunLedger() = default;

  // Starts a run where the last one left off, or at `first`; its first batch is RUNNING from here on.
  virtual Result<RunOpened> Open(const LeasedTask& task, const Position& first) = 0;
  virtual Result<BatchCommitted> Commit(const BatchCommit& batch) = 0;

  // Ends the run and gives its task back to the queue.
  virtual Result<void> GiveBack(const RunEnd& end) = 0;

  // Closes a task as FAILED, with its slice and whatever run it has, where nobody can know what else to do about it.
  virtual Result<void> GiveUp(const RunGivenUp& given_up) = 0;

  // Closes run, task and slice. A success is merged into the coverage; where that moves the
  // frontier, the cursor event is written in the same transaction and the cursor follows.
  virtual Result<SliceClosed> Close(const SliceClose& close) = 0;
};

}  // namespace patra::app
