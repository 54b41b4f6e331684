// Rows that are deleted once they are old enough, a few at a time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/word/old_kind.h"

namespace patra::app {

using domain::OldKind;

// How far a deletion has come.
struct OldStep {
  std::int64_t rows = 0;     // that went
  std::optional<Id> next{};  // where to go on; none: there are no more
};

// Of sums of batches that were added up.
struct CoarsenedStep {
  std::int64_t rows = 0;  // that there are fewer by now
  std::optional<Instant> next{};
};

// What left the store in one way, and when that last happened.
struct Tally {
  std::string what{};
  std::int64_t rows = 0;
  std::int64_t bytes = 0;
  Instant last_at{};
};

// Thread-safe.
class OldRows {
 public:
  virtual ~OldRows() = default;

  // How many would go that are of before that moment; counted up to a bound.
  virtual Result<std::int64_t> Count(OldKind kind, Instant before,
                                     std::int64_t counted_at_most) = 0;
  // Deletes the oldest, about so many at most. What is still needed stays: changes go in the order of their positions, up to
  // the first that a relay has not sent; and nothing of a walk that somebody may go on with.
  virtual Result<OldStep> Delete(OldKind kind, Instant before, Id after, int rows_max) = 0;

  // Adds up sums of one stretch of that width, the first that ends before the moment and begins at or after `from`.
  virtual Result<CoarsenedStep> Coarsen(Duration width, Instant before, Instant from) = 0;

  // For people: so much more has gone.
  virtual Result<void> AddToTally(const Tally& gone) = 0;
  virtual Result<std::vector<Tally>> Tallies() = 0;
};

}  // namespace patra::app
