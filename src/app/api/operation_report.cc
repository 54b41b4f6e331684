#include "app/api/operation_report.h"

#include <algorithm>

#include <fmt/format.h>

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

std::string WhyWatermarkStands(const OperationSummary& summary) {
  const auto& planned = summary.plan.planned;
  const auto& unproven = summary.unproven;
  if (!unproven.stretches.empty()) {
    const auto from = unproven.stretches.front().from();
    const bool is_ahead = !summary.watermark || from >= *summary.watermark;
    if (is_ahead) return fmt::format("nothing from {} on is proven", FormatRfc3339(from));
  }
  if (unproven.not_before) return "the provider's clock says that it is no later";
  const bool has_worked = summary.work.succeeded > 0;
  if (!has_worked || !planned.window) return "";
  if (summary.watermark && planned.window->to() <= *summary.watermark)
    return "what was read lies before it";
  if (planned.window && summary.watermark && planned.window->from() > *summary.watermark)
    return fmt::format("what lies between it and {} is not proven",
                       FormatRfc3339(planned.window->from()));
  return "";
}

std::optional<Error> WhatDecided(const OperationSummary& summary) {
  const auto& work = summary.work;
  const auto& planned = summary.plan.planned;
  const bool has_failed = work.failed > 0 || work.partial > 0 || work.left > 0 || work.is_refused;
  if (has_failed && work.first_error) return work.first_error;
  if (work.tired) return Error{ErrorCode::kUnavailable, work.tired->what, {}, {}};
  if (work.left > 0 && work.waits)
    return Error{ErrorCode::kUnavailable,
                 fmt::format("what is left waits for {} until {}", work.waits->what,
                             FormatRfc3339(work.waits->until)),
                 {},
                 {}};
  if (!planned.given_up.empty()) {
    const auto& slice = planned.given_up.front();
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{} was given up after {} tries: {}", slice.window.Describe(),
                             slice.tries, slice.reason),
                 {},
                 {}};
  }
  const auto& unproven = summary.unproven;
  const bool is_left_alone = !unproven.empty() && !unproven.is_under_way && work.left == 0;
  if (!is_left_alone || planned.is_partial) return std::nullopt;
  return Error{ErrorCode::kUnavailable,
               unproven.stretches.empty()
                   ? "not everything that was asked for is proven"
                   : fmt::format("{} is not proven", unproven.stretches.front().Describe()),
               {},
               {}};
}

}  // namespace patra::app
