// What a run tells whoever started it: something with every batch, and how it ended.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/execute/run_tally.h"
#include "base/result.h"
#include "domain/item/record.h"
#include "domain/task/states.h"

namespace patra::app {

struct BatchReport {
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;  // of the slice, told with its first batch
  Duration waited{};
  Duration latency{};
  int requests = 0;
  int retries = 0;
  int throttled = 0;
  bool begins_walk = false;  // over the slice, which an earlier one may have gone through
  // Of the slice as it stands now, whoever brought it.
  std::int64_t slice_received = 0;
  std::optional<std::int64_t> slice_announced{};
};
using OnBatch = std::function<void(const BatchReport&)>;

// What a run leaves that ended in an error.
struct RunLeft {
  bool has_begun = false;
  RunTally tally{};
  domain::RecordCounts counts{};
  domain::Evidence evidence{};  // of the batch that was open
};

struct TaskOutcome {
  domain::TaskStatus status = domain::TaskStatus::kSucceeded;  // kQueued: it went back to the queue
  domain::RecordCounts counts;
  RunTally tally;
  std::optional<Instant> watermark;
  std::optional<Error> error;              // what the provider did wrong
  std::optional<domain::GateWait> parked;  // why it went back, where it waits for something
  int children = 0;                        // slices that took the rest over
  bool keeps_part = false;                 // what they did not take over is proven
  std::int64_t gone = 0;     // records that are not on the list any more, and have a tombstone now
  std::string gone_doubt{};  // why records that are missing from it have none
  std::string unmet_fields{};  // of a new definition, that none of the records has
  bool is_early = false;       // kPartial: nothing is missing but what the provider cannot have yet
  bool is_spent = false;       // the run has used up its budget, and the rest is scheduled
};

}  // namespace patra::app
