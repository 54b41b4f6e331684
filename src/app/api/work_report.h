// How work goes, and how it went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/hold.h"
#include "domain/word/record_counts.h"
#include "domain/word/waits.h"

namespace patra::app {

// How far the slices are whose totals are announced. Each counts once, however often it is walked and whoever brought
// the first of it; what smaller slices took over counts with these.
struct SlicesReached {
  std::int64_t slices = 0;  // without those that others were cut into
  std::int64_t received = 0;
  std::int64_t announced = 0;
  std::int64_t owed =
      0;  // announced by slices that were cut, and not yet by what they were cut into

  SlicesReached& operator+=(const SlicesReached& more);
};

struct WorkProgress {
  int slices_done = 0;
  SlicesReached reached{};
  domain::RecordCounts counts;
  std::int64_t announced = 0;  // records, by the slices that were begun
  bool is_announced = false;   // be it that there are none
  std::int64_t gone = 0;       // records that are not on their list any more
  int requests = 0;
  int retries = 0;
  int throttled = 0;
  int running = 0;
  Duration waited{};
  std::optional<domain::GateWait> waiting;  // for a permit, at this moment
  std::optional<domain::TaskWait> parked;   // nobody is at work: what the next task waits for

  // Both together; what is going on at this moment is this one's.
  WorkProgress& operator+=(const WorkProgress& earlier);
};

// What work waited for before it ended by itself.
struct TiredOf {
  Duration waited{};
  std::string what;
};

struct WorkSummary {
  WorkProgress totals;
  int succeeded = 0;
  int failed = 0;
  int partial = 0;
  int early = 0;       // slices of which nothing is missing but what the provider cannot have yet
  int recut = 0;       // slices that smaller ones took over
  int given_back = 0;  // runs that left their task in the queue
  int leases_lost = 0;
  std::int64_t left = 0;  // tasks that are still open
  std::optional<Instant> watermark;
  std::string gone_doubt{};    // why records that are missing from a list are not marked as deleted
  std::string unmet_fields{};  // of a new definition, that none of its first records has
  // The first that something ended with; else, of what is left, one that it was last tried with. Not what was overcome.
  std::optional<Error> first_error;
  std::optional<TiredOf> tired{};
  std::optional<domain::GateWait> parked;  // what the last run that gave its task back waits for
  std::optional<domain::TaskWait>
      waits;  // what is left waits for this; without it, nobody knows until when
  std::vector<domain::Hold> holds{};  // in force at the end over what it works on
  int running = 0;                    // tasks that others are at
  bool is_refused = false;            // the provider does not accept who we are
  bool is_misdefined = false;         // a definition, or a plan made of it, is wrong
  bool is_stopped = false;            // somebody asked to
  bool is_at_limit = false;           // requests_max
  int spent = 0;                      // runs that used up the budget of their slice
};

}  // namespace patra::app
