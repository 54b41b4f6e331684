// The account of what runs do, batch by batch. Every method checks the task's fence: a worker that
// lost its lease changes nothing and is told kConflict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/task_queue.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/task/lineage.h"
#include "domain/task/states.h"

namespace patra::app {

// Where a batch starts. A token that names no position (a scroll handle) is no identity.
struct Position {
  std::optional<std::int64_t> page;
  std::optional<std::string> token;
  bool token_is_position = true;

  friend bool operator==(const Position&, const Position&) = default;
};

struct RunOpened {
  domain::Lineage lineage;  // with run and first batch
  int batch_no = 1;
  Position start;               // of the first batch
  bool is_resumed = false;      // after the last committed batch of an earlier run
  domain::RecordCounts so_far;  // what the slice has brought already
};

struct RawPage {
  std::string content_type;
  std::string body;
  Instant fetched_at;
};

// Something for other systems to know, published after the commit by whoever relays the outbox.
struct OutboxMessage {
  std::string channel;
  std::string op_type;        // what happened, such as ITEM_UPDATED
  std::string partition_key;  // messages of one key keep their order
  std::string dedup_key;      // the same message is sent once
  std::string payload;        // JSON
};

struct BatchCommit {
  const LeasedTask& task;
  domain::Lineage lineage;
  int batch_no = 1;
  Position before;
  std::optional<Position> after;  // absent when this was the last
  std::vector<domain::Record> records;
  std::vector<domain::BadRecord> bad_records;
  std::int64_t filtered = 0;
  std::optional<std::int64_t> announced;
  std::optional<RawPage> raw_page;
  std::vector<OutboxMessage> outbox;
  std::string request_digest;   // JSON, redacted
  std::string response_digest;  // JSON, redacted
  std::int64_t latency_ms = 0;
};

struct BatchCommitted {
  domain::RecordCounts counts;
  Id next_batch = 0;           // the RUNNING row of the next batch, committed together (I8)
  bool already_there = false;  // a key was hit: this is the old outcome
};

// How a slice ended.
struct SliceClose {
  const LeasedTask& task;
  domain::Lineage lineage;
  domain::TaskStatus status = domain::TaskStatus::kSucceeded;
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;
  std::optional<std::string> gap;  // what is missing and why
  std::optional<std::string> error;
  std::string stats = "{}";
};

struct SliceClosed {
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
};

class RunLedger {
 public:
  virtual ~RunLedger() = default;

  // Starts a run where the last one left off, or at `first`; its first batch is RUNNING from here on.
  virtual Result<RunOpened> Open(const LeasedTask& task, const Position& first) = 0;
  virtual Result<BatchCommitted> Commit(const BatchCommit& batch) = 0;

  // Closes run, task and slice. A success is merged into the coverage; where that moves the
  // frontier, the cursor event is written in the same transaction and the cursor follows.
  virtual Result<SliceClosed> Close(const SliceClose& close) = 0;
};

}  // namespace patra::app
