// Records that two slices of one plan bring, though no moment is in both.
//
// The windows of a plan's slices are disjoint, and end before it was made: a record is in one of them, and one that changes
// meanwhile is in none any more. So where most of what a slice brings had come with another one, either ids are not unique, and
// each slice writes over what the others brought, or the provider does not keep to the window. Totals tell neither: they may be
// those of the window, and add up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "base/id.h"
#include "domain/item/intake.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/walk_memory.h"
#include "domain/word/record_counts.h"
#include "domain/word/window.h"

namespace patra::domain {

// Whose batch it was.
struct BatchOrigin {
  Id plan = 0;
  Window window;
};
using BatchOrigins = std::unordered_map<Id, BatchOrigin>;  // by batch

struct SliceAtWork {
  Id plan = 0;
  const Window& plan_window;
  const Window& window;
  bool are_dated = false;  // by the provider; else by when they came
  Duration step{};         // of the provider's filter
};

// How many of these records another slice of the plan brought whose window has no moment in common with that of this one. Not
// what may belong to both: what lies about the end where the two meet, and what has changed since the plan was made.
std::int64_t CountElsewhere(std::span<const MetVersion> met, const BatchOrigins& origins,
                            const SliceAtWork& slice);

// As many did on the walk, or on one before it that saw the same: what that one wrote is its own since.
std::int64_t ElsewhereByNow(const WalkMemory& memory, const RecordCounts& counts);

// Whether that can be told of the slice at all: not of parts of other dimensions, and not where a list names records more than
// once, which it may do in several windows.
bool CanTellElsewhere(const SpecSnapshot& spec, const SliceSpec& slice);

// What keeps the slice from being proven, for people; nothing where nothing does.
std::optional<std::string> WhyElsewhere(const SpecSnapshot& spec, const SliceSpec& slice,
                                        const WalkMemory& memory, const RecordCounts& counts);

}  // namespace patra::domain
