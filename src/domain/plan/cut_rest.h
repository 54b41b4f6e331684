// Cutting what is left of a slice into smaller ones: where a page wall stands in the way, or a walk broke
// off. The children cover the rest exactly (I3).
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/window/time_grid.h"
#include "domain/word/window.h"

namespace patra::domain {

struct CutPolicy {
  TimeGrid grid;  // time is cut at its points only
  std::vector<SplitDimension> split_by{};
  bool by_time = true;  // else every piece would be the whole list, or its rest
  int pieces = 2;       // into how many a stretch of time is cut, where it has that many points

  // What the provider's filter and paging allow. An error where the snapshot's zone is unknown.
  static Result<CutPolicy> Of(const SpecSnapshot& spec);
};

inline constexpr int kPiecesMax = 64;

// How many pieces bring `total` records below `reach` each, with room for an uneven spread; 2 to kPiecesMax.
int PiecesFor(std::int64_t total, std::int64_t reach);

// By time as long as the filter can tell the pieces apart, then by the dimensions of `split_by` in their
// order: dates and ids are halved, of values each is one child. Empty when nothing can be cut any more.
// A slice of pages is halved by pages; one of ids is not cut. Children inherit budget and remarks, not expectations.
std::vector<SliceSpec> CutRest(const SliceSpec& parent, const Window& rest,
                               const CutPolicy& policy);

// Whether smaller slices can take this one over.
Result<bool> CanCutAtAll(const SpecSnapshot& spec, const SliceSpec& slice);

// The same for comfort, for which one that is narrow already is not cut.
Result<bool> CanCut(const SpecSnapshot& spec, const SliceSpec& slice);

}  // namespace patra::domain
