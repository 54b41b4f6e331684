#include "app/work/reach_of_slices.h"

#include <algorithm>

namespace patra::app {

void ReachOfSlices::Note(Id slice, const BatchReport& batch, SlicesReached& sum) {
  if (!batch.slice_announced) return;
  auto& of_slice = slices_[slice];
  sum.received += batch.slice_received - of_slice.received;
  sum.announced += *batch.slice_announced - of_slice.announced;
  if (of_slice.slices == 0) {
    // What is owed comes first: smaller slices stand before others in the queue.
    if (sum.owed == 0) ++sum.slices;
    sum.owed -= std::min(sum.owed, *batch.slice_announced);
  }
  of_slice = {.slices = 1, .received = batch.slice_received, .announced = *batch.slice_announced};
}

void ReachOfSlices::Cut(Id slice, bool keeps_part, SlicesReached& sum) {
  const auto found = slices_.find(slice);
  if (found == slices_.end()) return;
  const auto& of_slice = found->second;
  const auto kept = keeps_part ? std::min(of_slice.received, of_slice.announced) : 0;
  const auto rest = of_slice.announced - kept;
  sum.received -= of_slice.received - kept;
  sum.announced -= rest;
  sum.owed += rest;
  slices_.erase(found);
}

}  // namespace patra::app
