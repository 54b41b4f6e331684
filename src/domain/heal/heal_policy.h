// When trouble is answered, and by how much (docs/healing.md).
#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.h"
#include "domain/plan/plan_limits.h"

namespace patra::domain {

// When a page is no page of this source any more.
struct ChangePolicy {
  bool stops = true;               // else its records are quarantined one by one
  double failing_part_over = 0.5;  // of the records, on the same required path
  std::int64_t failing_min = 5;
  std::int64_t unresolved_min = 2;  // records of a page on which no required path leads anywhere
};

// When a slice that is under way is cut into smaller ones.
struct RecutPolicy {
  Duration slice_time_max = std::chrono::minutes(30);
  double throttled_part_over = 0.05;
  std::int64_t requests_min = 20;  // before parts of them mean anything
  std::int64_t failures_in_a_row_max = 3;
  double pages_over_expected = 2;  // the estimate was wrong by this factor
  std::int64_t bytes_max = std::int64_t{32} << 20;
  double records_over_asked = 2;  // a page may hold so many times what was asked for
  double deviations_max = 3;      // of the record counts of earlier slices
};

// When a run ends early because too many of its batches fail. What is left of it is taken up again later.
struct FailingPolicy {
  double part_over = 0.5;  // of its batches failed, or came only after failures
  std::int64_t batches_min = 20;
};

// Runs of a task that the provider may make fail before the task does.
inline constexpr std::int64_t kFailuresMax = 3;

struct HealPolicy {
  Duration watch = std::chrono::minutes(5);  // observations are of this long
  std::int64_t batches_min = 20;             // before parts of them mean anything, as
  std::int64_t records_min = 100;            // of records do

  double throttled_part_over = 0.05;
  double rate_share_min = 0.3;
  double throttled_part_pausing = 0.5;  // planning pauses as well
  Duration latency_over = std::chrono::seconds(3);
  double error_part_over = 0.02;
  Duration store_wait_over = std::chrono::milliseconds(200);
  std::int64_t same_l1_in_a_row = 3;
  double l1_part_halving = 0.3;
  double l1_part_growing = 0.5;  // people should look, as at L2
  std::int64_t failures_in_a_row = 3;
  Duration circuit_pause = std::chrono::seconds(90);
  double l2_part_over = 0.1;
  double l2_slices_over = 0.2;  // of a plan
  std::int64_t l2_of_slice_over = 5;
  std::int64_t l2_slices_review = 3;
  Duration polluted_max = std::chrono::minutes(15);
  double polluted_part_over = 0.05;
  double lag_of_safety_lag = 2;
  Duration lag_max = std::chrono::minutes(30);
  double budget_left_under = 0.1;
  double safety_lag_growth = 1.5;
  Duration safety_lag_least = std::chrono::minutes(1);  // to which none at all is raised

  std::int64_t failures_max = kFailuresMax;
  Duration no_progress_max = std::chrono::minutes(10);
  Duration unconsumed_max = std::chrono::minutes(30);
  std::int64_t queued_max = PlanLimits{}.open_tasks_max * 4 / 5;  // before planning stops by itself
  double queue_deviations_max = 3;

  // How long planning pauses and an adjustment lasts, and before which no action is taken again.
  Duration pause = std::chrono::minutes(15);
  Duration round = std::chrono::minutes(1);  // between two rounds of healing

  ChangePolicy change{};
  RecutPolicy recut{};
  FailingPolicy failing{};
};

}  // namespace patra::domain
