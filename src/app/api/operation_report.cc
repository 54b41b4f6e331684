#include "app/api/operation_report.h"

#include <algorithm>

namespace patra::app {
namespace {

constexpr std::int64_t kTooEarly = 100;  // one part in so many says nothing about the rest

Duration Scaled(Duration elapsed, double by) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(elapsed) * by);
}

}  // namespace

std::optional<std::int64_t> OperationProgress::Total() const {
  const auto& reached = work.reached;
  if (reached.slices == 0) return expected;
  const auto known = reached.announced + reached.owed;
  const auto later = std::max<std::int64_t>(slices - reached.slices, 0);
  const auto mean = static_cast<double>(known) / static_cast<double>(reached.slices);
  const auto extrapolated = known + static_cast<std::int64_t>(mean * static_cast<double>(later));
  return expected && *expected >= known ? *expected : extrapolated;
}

std::int64_t OperationProgress::Done() const {
  return work.reached.slices == 0 ? work.counts.received : work.reached.received;
}

std::optional<Duration> OperationProgress::Left(Duration elapsed) const {
  if (const auto total = Total()) {
    const auto brought = work.counts.received;
    const auto left = *total - Done();
    if (brought <= 0 || left <= 0 || Done() < *total / kTooEarly) return std::nullopt;
    return Scaled(elapsed, static_cast<double>(left) / static_cast<double>(brought));
  }
  // Nobody says how many records there are: slices are all that can be counted.
  const auto left = slices - work.slices_done;
  if (work.slices_done == 0 || left <= 0) return std::nullopt;
  return Scaled(elapsed, static_cast<double>(left) / work.slices_done);
}

}  // namespace patra::app
