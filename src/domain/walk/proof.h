// Whether a slice that was read to its end may be called complete, beside its balance (I14); and of one that was not, what
// is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "domain/item/record.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// What keeps it from being proven, for people; nothing where nothing does.
//
// A provider that sends more than a part (`window.outside_max`) of what its filter should have held back does not filter:
// what it announces and ends with says nothing about the window. Of a page that a rule isolated nobody knows what
// it holds.
std::optional<std::string> WhyUnproven(const SpecSnapshot& spec, const RecordCounts& counts,
                                       std::optional<std::int64_t> announced);

// Whether so much lies outside the window that the provider does not keep to it.
bool IgnoresWindow(const WindowSpec& window, const RecordCounts& counts);

// A walk that is not at its end.
struct WalkSoFar {
  const SliceSpec& slice;
  bool is_sound = false;                 // nothing that it saw speaks against it
  bool has_batches = false;              // something is committed
  std::optional<Instant> newest{};       // the latest `updated` that was seen
  std::optional<Instant> provable_to{};  // where the window reaches beyond the provider's now
};

// Up to where its slice is proven all the same: in a list that is sorted by the time it is filtered by, everything before the
// last record is there. An error where the snapshot's zone is unknown.
Result<std::optional<Instant>> ProvenEdge(const SpecSnapshot& spec, const WalkSoFar& walk);

}  // namespace patra::domain
