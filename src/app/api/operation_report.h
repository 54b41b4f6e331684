// How an operation goes that is planned and worked off at once, and how it went.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/api/plan_report.h"
#include "app/api/work_report.h"

namespace patra::app {

struct OperationProgress {
  std::int64_t slices = 0;                  // planned so far; re-slicing adds more
  std::optional<std::int64_t> expected{};   // records, where history tells
  std::optional<double> rate_per_second{};  // that is allowed
  WorkProgress work;

  // Records of everything that is planned, as far as anybody can tell: what slices announce, and for slices that have not
  // begun the mean of those that have, or what history expects where that is more.
  std::optional<std::int64_t> Total() const;
  // Of them, those that are here.
  std::int64_t Done() const;
  // How long it takes at the pace of this command, which began so long ago. Nothing before a hundredth is done.
  std::optional<Duration> Left(Duration elapsed) const;
};

struct OperationSummary {
  PlanReport plan;  // the first one: a plan larger than the queue goes on when the queue is empty
  std::int64_t slices = 0;
  WorkSummary work;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
  Unproven unproven;                 // of what was asked for, at the end
  std::int64_t quarantine_open = 0;  // the same

  // Nothing is missing that was asked for, whoever brought it. Records in quarantine are not missing, they are apart.
  bool complete() const {
    return plan.problems.empty() && work.failed == 0 && work.partial == 0 && work.left == 0 &&
           !work.is_stopped && !work.is_at_limit && is_proven();
  }
  bool is_proven() const {
    const auto& planned = plan.planned;
    return planned.kind != Planned::Kind::kHeld && unproven.empty() && planned.given_up.empty() &&
           !planned.is_partial;
  }
};

// Of a harvest or a back-fill whose watermark is where it was: why, for people. Nothing where nobody wonders.
std::string WhyWatermarkStands(const OperationSummary& summary);

// What keeps the operation from being complete, first of all; nothing where nothing does, or it only waits for others.
std::optional<Error> WhatDecided(const OperationSummary& summary);

}  // namespace patra::app
