// What the end of a task means for its slice and its run, and which slices take over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "domain/plan/plan.h"
#include "domain/plan/slice_spec.h"
#include "domain/task/states.h"

namespace patra::domain {

SliceStatus SliceStatusAfter(TaskStatus status);
RunStatus RunStatusAfter(TaskStatus status);

// Pieces are numbered behind everything that a planner cuts.
inline constexpr int kFirstPieceNumber = 1'000'000'001;

// A provider that ignores what slices are cut by gives every piece the whole list: cutting would never end. `next_number`
// is that of the plan's next piece.
Result<void> RefuseEndlessCuts(int next_number, std::size_t pieces);

// The slices that take over, with their tasks; ids are left to the caller. Together they take what their parent had left,
// whichever has how much of it, or what they are expected to.
std::vector<SliceWithTask> PiecesOf(const Plan& plan, std::span<const SliceSpec> specs,
                                    int next_number, std::int64_t requests_left, Instant at);

}  // namespace patra::domain
