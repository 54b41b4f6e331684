#include "app/execute/smaller_slices.h"

#include <algorithm>

#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"

namespace patra::app {
namespace {

// Of a slice that was cut before anything of it was taken in: what its pieces hold is known by and large, and they come in the
// order in which a planner would have made them.
void PrepareWide(const SliceRun& run, std::vector<domain::SliceSpec>& children) {
  if (run.task.lane.operation == domain::Operation::kBackfill) std::ranges::reverse(children);
  const auto announced = run.walk->announced();
  if (!announced) return;
  for (auto& child : children) {
    child.expected_records = *announced / std::ssize(children);
    child.expected_requests = domain::RequestsFor(run.spec, *child.expected_records);
  }
}

}  // namespace

Result<std::vector<domain::SliceSpec>> SmallerSlices(const SliceRun& run,
                                                     const domain::Window& rest) {
  const auto& paging = run.spec.paging;
  const auto announced = run.walk->announced();
  auto policy = PATRA_TRY(domain::CutPolicy::Of(run.spec));
  const auto reach = paging.reach.value_or(paging.pages_max.value_or(1) * paging.size);
  if (run.pieces) {
    policy.pieces = *run.pieces;
  } else if (announced && !run.walk->WhyCutToSee()) {
    policy.pieces = domain::PiecesFor(*announced, reach);
  }
  auto children = domain::CutRest(run.task.slice, rest, policy);
  if (run.pieces) PrepareWide(run, children);
  // What lies behind a proven part is smaller than the whole, though it cannot be cut itself.
  if (children.empty() && rest != run.task.window()) {
    children.push_back(run.task.slice);
    children.back().window = rest;
  }
  const auto wall = paging.reach;
  const bool is_doubted = !announced && run.walk->WhyCutToSee().has_value();
  for (auto& child : children) {
    child.counts_beyond_reach = child.counts_beyond_reach || (wall && announced > wall);
    if (const auto total = announced ? announced : run.shown_alike) child.total_of_whole = total;
    child.is_of_doubted = is_doubted;
    if (run.answered_for) child.answered_for = run.answered_for;
    if (run.cut_off_at) child.cut_off_at = run.cut_off_at;
  }
  return children;
}

}  // namespace patra::app
