#include "domain/plan/slice_end.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::domain {
namespace {

constexpr std::int64_t kPiecesOfPlanMax = 100'000;  // of a plan

}  // namespace

SliceStatus SliceStatusAfter(TaskStatus status) {
  switch (status) {
    case TaskStatus::kSucceeded:
      return SliceStatus::kSucceeded;
    case TaskStatus::kPartial:
      return SliceStatus::kPartial;
    case TaskStatus::kCancelled:
      return SliceStatus::kCancelled;
    default:
      return SliceStatus::kFailed;
  }
}

RunStatus RunStatusAfter(TaskStatus status) {
  switch (status) {
    case TaskStatus::kSucceeded:
      return RunStatus::kSucceeded;
    case TaskStatus::kPartial:
      return RunStatus::kPartial;
    case TaskStatus::kCancelled:
      return RunStatus::kCancelled;
    default:
      return RunStatus::kFailed;
  }
}

Result<void> RefuseEndlessCuts(int next_number, std::size_t pieces) {
  const std::int64_t so_far = next_number - kFirstPieceNumber;
  if (pieces == 0 || so_far + static_cast<std::int64_t>(pieces) <= kPiecesOfPlanMax) return {};
  return Fail(
      ErrorCode::kLimit,
      fmt::format("the plan's slices were cut into {} pieces, and this one is still too large",
                  so_far));
}

std::vector<SliceWithTask> PiecesOf(const Plan& plan, std::span<const SliceSpec> specs,
                                    int next_number, std::int64_t requests_left, Instant at) {
  std::vector<SliceWithTask> pieces;
  const auto count = static_cast<std::int64_t>(specs.size());
  for (const auto& spec : specs) {
    pieces.push_back(MakeSlice(plan, spec, next_number++, at));
    const auto share = std::max<std::int64_t>((requests_left + count - 1) / count, 1);
    pieces.back().task.requests_left = std::max(share, spec.expected_requests.value_or(1));
  }
  return pieces;
}

}  // namespace patra::domain
