#include "domain/heal/heal_settings.h"

#include "domain/settings/settings_table.h"

namespace patra::domain {
namespace {

// Name, member, meaning.
// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<SettingRow<HealPolicy>>& Table() {
  using P = HealPolicy;
  static const std::vector<SettingRow<P>> table{
      {"watch", [](P& p) -> Duration& { return p.watch; }, "observations are of this long"},
      {"round", [](P& p) -> Duration& { return p.round; }, "between two rounds of healing"},
      {"pause", [](P& p) -> Duration& { return p.pause; },
       "how long planning pauses and an adjustment lasts; no action is repeated before"},
      {"batches_min", [](P& p) -> std::int64_t& { return p.batches_min; },
       "before parts of them mean anything"},
      {"records_min", [](P& p) -> std::int64_t& { return p.records_min; },
       "before parts of them mean anything"},
      {"throttled_part_over", [](P& p) -> double& { return p.throttled_part_over; },
       "of the requests: slow down", true},
      {"throttled_part_pausing", [](P& p) -> double& { return p.throttled_part_pausing; },
       "of the requests: planning pauses as well", true},
      {"rate_share_min", [](P& p) -> double& { return p.rate_share_min; },
       "of the configured rate: slower is nothing made", true},
      {"latency_over", [](P& p) -> Duration& { return p.latency_over; },
       "mean of a batch: fewer at a time, smaller pages"},
      {"store_wait_over", [](P& p) -> Duration& { return p.store_wait_over; },
       "mean of a commit's wait: fewer at a time, planning pauses"},
      {"error_part_over", [](P& p) -> double& { return p.error_part_over; },
       "of the batches, L1 and L2: a longer safety lag", true},
      {"same_l1_in_a_row", [](P& p) -> std::int64_t& { return p.same_l1_in_a_row; },
       "the same failure so often: slow down"},
      {"l1_part_halving", [](P& p) -> double& { return p.l1_part_halving; },
       "of the batches: half the rate", true},
      {"l1_part_growing", [](P& p) -> double& { return p.l1_part_growing; },
       "of the batches: people should look", true},
      {"failures_in_a_row", [](P& p) -> std::int64_t& { return p.failures_in_a_row; },
       "failures so often: no requests for circuit_pause"},
      {"circuit_pause", [](P& p) -> Duration& { return p.circuit_pause; },
       "how long no requests are made then"},
      {"l2_part_over", [](P& p) -> double& { return p.l2_part_over; },
       "of the batches: planning pauses, the cursor is held", true},
      {"l2_slices_over", [](P& p) -> double& { return p.l2_slices_over; },
       "of a plan's slices: the plan is PARTIAL", true},
      {"l2_of_slice_over", [](P& p) -> std::int64_t& { return p.l2_of_slice_over; },
       "wrong requests in one slice, in all of its runs: it fails"},
      {"l2_slices_review", [](P& p) -> std::int64_t& { return p.l2_slices_review; },
       "slices with wrong requests: people should look"},
      {"polluted_part_over", [](P& p) -> double& { return p.polluted_part_over; },
       "of the records: the cursor is held", true},
      {"polluted_max", [](P& p) -> Duration& { return p.polluted_max; },
       "bad records for so long: the source stops"},
      {"lag_max", [](P& p) -> Duration& { return p.lag_max; },
       "a cursor may be so far behind, or stand still so long"},
      {"lag_of_safety_lag", [](P& p) -> double& { return p.lag_of_safety_lag; },
       "or so many safety lags, where that is more"},
      {"safety_lag_growth", [](P& p) -> double& { return p.safety_lag_growth; },
       "by what the safety lag is multiplied"},
      {"safety_lag_least", [](P& p) -> Duration& { return p.safety_lag_least; },
       "to what none at all is raised"},
      {"budget_left_under", [](P& p) -> double& { return p.budget_left_under; },
       "of a quota: slow down, planning pauses", true},
      {"failures_max", [](P& p) -> std::int64_t& { return p.failures_max; },
       "runs of a task that the provider may make fail before the task does"},
      {"no_progress_max", [](P& p) -> Duration& { return p.no_progress_max; },
       "a task without progress is taken away"},
      {"unconsumed_max", [](P& p) -> Duration& { return p.unconsumed_max; },
       "a READY plan that nobody takes up"},
      {"queued_max", [](P& p) -> std::int64_t& { return p.queued_max; },
       "tasks of a lane: planning pauses, before it stops at plan.open_tasks_max"},
      {"queue_deviations_max", [](P& p) -> double& { return p.queue_deviations_max; },
       "standard deviations above the usual: planning pauses"},
      {"change.stops", [](P& p) -> bool& { return p.change.stops; },
       "a changed response stops the source"},
      {"change.failing_part_over", [](P& p) -> double& { return p.change.failing_part_over; },
       "of a page's records, on the same required path", true},
      {"change.failing_min", [](P& p) -> std::int64_t& { return p.change.failing_min; },
       "and at least so many"},
      {"change.unresolved_min", [](P& p) -> std::int64_t& { return p.change.unresolved_min; },
       "records of a page on which no required path leads anywhere"},
      {"failing.part_over", [](P& p) -> double& { return p.failing.part_over; },
       "of a run's batches failing: it ends PARTIAL and is taken up again later", true},
      {"failing.batches_min", [](P& p) -> std::int64_t& { return p.failing.batches_min; },
       "batches of a run before their part means anything"},
      {"recut.slice_time_max", [](P& p) -> Duration& { return p.recut.slice_time_max; },
       "a slice that takes longer is cut"},
      {"recut.throttled_part_over", [](P& p) -> double& { return p.recut.throttled_part_over; },
       "of its requests", true},
      {"recut.requests_min", [](P& p) -> std::int64_t& { return p.recut.requests_min; },
       "before parts of them mean anything"},
      {"recut.failures_in_a_row_max",
       [](P& p) -> std::int64_t& { return p.recut.failures_in_a_row_max; },
       "pages that came only after failures"},
      {"recut.pages_over_expected", [](P& p) -> double& { return p.recut.pages_over_expected; },
       "times what was expected"},
      {"recut.bytes_max", [](P& p) -> std::int64_t& { return p.recut.bytes_max; }, "of a page"},
      {"recut.records_over_asked", [](P& p) -> double& { return p.recut.records_over_asked; },
       "times what was asked for"},
      {"recut.deviations_max", [](P& p) -> double& { return p.recut.deviations_max; },
       "standard deviations above the record counts of earlier slices"}};
  return table;
}

}  // namespace

Shape HealShape() { return ShapeOf(Table()); }

HealPolicy ReadHealPolicy(const DefinitionNode& checked, std::vector<Error>& problems) {
  return ReadSection(checked, "heal", Table(), problems);
}

std::vector<Setting> HealSettings(const HealPolicy& policy) { return ShowSection(Table(), policy); }

}  // namespace patra::domain
