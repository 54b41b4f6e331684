// What a list that was read whole tells by what it lacks (`gone: tombstone`): records that an earlier walk over it named, and
// this one does not, are gone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "domain/item/record.h"
#include "domain/item/stored_item.h"

namespace patra::domain {

// A walk that is proven, over all of a list.
struct WholeWalk {
  std::int64_t named = 0;          // records
  std::int64_t named_last = 0;     // by the walk before; 0 where nobody knows
  std::int64_t missing = 0;        // that earlier walks named
  std::int64_t newly_missing = 0;  // that the last walk named
  std::int64_t outside = 0;        // records that came and were left out
  bool met_nameless = false;       // records that nobody can tell from those that are missing
};

// Why nothing is concluded from what is missing, for people; nothing where nothing speaks against it.
std::optional<std::string> WhyNotGone(const WholeWalk& walk);

// Whether so much is missing at once that only the next walk can tell: then what both of them lack is gone. A list that names
// nothing any more is always too much.
bool IsTooMuchAtOnce(const WholeWalk& walk);

// Whether a walk can tell of an earlier one what was too much then. One that lacks as much again of what the last walk named is
// in doubt itself: two bad moments of different kinds are no proof.
bool CanConfirm(const WholeWalk& walk);

// Then, for people: what is missing of `at` (source and endpoint), and what marks it.
std::string WhyNextTells(const WholeWalk& walk, std::int64_t marked, std::string_view at);

// The stored record as one that is gone. It stays what it is but for that: whatever somebody saw of it since the walk began
// is newer, and so is whatever comes of it later, be it the same version.
Record TombstoneOf(const std::string& id, const StoredItem& stored, Instant walk_began,
                   Instant found_at);

}  // namespace patra::domain
