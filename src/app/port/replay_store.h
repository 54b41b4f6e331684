// What a replay reads of the account, and the two ways in which it may write to the store.
//
// Neither way needs a lease, also while a worker runs the same task: no row of the plan, slice, task or cursor, and
// no batch, is touched, a replay's run has a number that no worker takes, and records are put by the overwrite rule,
// for which the order of arrivals does not matter (I7).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "app/port/run_ledger.h"
#include "base/result.h"
#include "domain/item/record_diff.h"
#include "domain/task/states.h"

namespace patra::app {

// A batch as the account has it, with everything that it takes to ask for it again.
struct RecordedBatch {
  LeasedTask task;  // nobody's lease: nothing is done in its name
  domain::Lineage lineage;
  int batch_no = 1;
  domain::BatchStatus status = domain::BatchStatus::kSucceeded;
  // Where it began; none where the account does not say it any more.
  std::optional<Position> before;
  std::optional<Position> after;
  // Of the first phase, what it was the first to find; of the second, what it dealt with. One that came to nothing
  // dealt with none: then what was open when it began, from its position on, of which it asked for the first.
  std::vector<std::string> ids;
  domain::RecordCounts counts;
  std::int64_t records_before = 0;  // that the earlier batches of its run brought
  int http_status = 200;
  std::optional<std::string> error;
  std::string request_digest;   // JSON; empty where nothing is known to have been sent
  std::string response_digest;  // JSON; empty where nothing is known to have come
  // What it was made by, as it was written down then.
  std::string fingerprint{};  // of the plan's snapshot
  std::string expr_hash{};    // of the slice's expression
  std::string expression{};   // JSON: that expression, as it stands in the slice
  std::string signature{};    // of the slice
  std::optional<Instant> committed_at;
  std::optional<RawPage> raw_page;
};

struct Isolation {
  const RecordedBatch& batch;
  std::vector<domain::BadRecord> records;
  Instant fetched_at;  // of the answer that they came in
  Decision decision;
  std::string details;  // JSON, for the audit
};

struct ReplayCommit {
  const RecordedBatch& batch;
  std::vector<domain::Record> records;
  Decision decision;
  std::string details;  // JSON, for the audit
};

struct ReplayCommitted {
  Id run = 0;  // marked as a replay; 0 where nothing had to be written
  domain::RecordCounts counts;
};

class ReplayStore {
 public:
  virtual ~ReplayStore() = default;

  // kNotFound where that run has no such batch.
  virtual Result<RecordedBatch> Read(Id run, Id batch) = 0;

  // The stored record under each of the ids, in their order.
  virtual Result<std::vector<std::optional<domain::StoredItem>>> Stored(
      const domain::Lane& lane, std::span<const std::string> ids) = 0;

  // How many are new in quarantine: what stands there already, with the same bytes and undecided, stays alone.
  // Audited where there are any.
  virtual Result<std::int64_t> Isolate(const Isolation& isolation) = 0;

  // Records that are stored as they are need no writing; where that is true of all, nothing is written at all, so
  // that the same twice has the effect of once (I13).
  virtual Result<ReplayCommitted> Commit(const ReplayCommit& commit) = 0;
};

}  // namespace patra::app
