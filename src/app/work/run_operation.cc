#include "app/work/run_operation.h"

namespace patra::app {
namespace {

void Add(WorkSummary& sum, const WorkSummary& more) {
  sum.totals += more.totals;
  sum.succeeded += more.succeeded;
  sum.failed += more.failed;
  sum.partial += more.partial;
  sum.early += more.early;
  sum.recut += more.recut;
  sum.given_back += more.given_back;
  sum.leases_lost += more.leases_lost;
  sum.spent += more.spent;
  sum.left = more.left;
  if (more.watermark) sum.watermark = more.watermark;
  if (!more.unmet_fields.empty()) sum.unmet_fields = more.unmet_fields;
  if (!more.gone_doubt.empty()) sum.gone_doubt = more.gone_doubt;
  if (!sum.first_error) sum.first_error = more.first_error;
  sum.tired = more.tired;
  sum.parked = more.parked;
  sum.waits = more.waits;
  sum.holds = more.holds;
  sum.running = more.running;
  sum.is_refused = sum.is_refused || more.is_refused;
  sum.is_misdefined = sum.is_misdefined || more.is_misdefined;
  sum.is_stopped = more.is_stopped;
  sum.is_at_limit = more.is_at_limit;
}

}  // namespace

Result<OperationSummary> RunOperation::Run(PlanRequest request, WorkOptions options,
                                           const OnProgress& on_progress) {
  OperationSummary summary;
  request.options.sends = true;
  summary.plan = PATRA_TRY(planner_.Run(request));
  if (!summary.plan.problems.empty()) return summary;
  options.only = domain::Lane{summary.plan.source, summary.plan.endpoint, request.source.operation};
  summary.watermark_before = summary.watermark = summary.plan.planned.watermark;
  PATRA_TRY(WorkOff(std::move(request), options, on_progress, summary));
  summary.unproven = PATRA_TRY(planner_.WhatIsUnproven(summary.plan.planned));
  summary.quarantine_open =
      PATRA_TRY(planner_.CountQuarantined(summary.plan, options.only->operation));
  return summary;
}

Result<void> RunOperation::WorkOff(PlanRequest request, const WorkOptions& options,
                                   const OnProgress& on_progress, OperationSummary& summary) {
  OperationProgress progress;
  if (const auto& price = summary.plan.planned.price) {
    progress.expected = price->records;
    progress.rate_per_second = price->rate_per_second;
  }

  auto planned = summary.plan.planned;
  while (true) {
    summary.slices += planned.slices + planned.tried_again;
    progress.slices = summary.slices;
    const auto before = summary.work.totals;
    const auto worked = PATRA_TRY(work_.Run(options, [&](const WorkProgress& work) {
      progress.work = work;
      progress.work += before;
      on_progress(progress);
    }));
    Add(summary.work, worked);
    if (worked.watermark) summary.watermark = worked.watermark;
    const bool may_go_on = planned.is_partial && !worked.is_stopped && !worked.is_at_limit &&
                           !worked.tired && worked.left == 0 && !request.options.requests_max;
    if (!may_go_on) return {};
    // The same plan goes on, whatever time it is meanwhile. What fails in this command waits for the next.
    request.options.again = false;
    request.options.tries_again = false;
    if (const auto& window = planned.window; window && (request.from || request.to)) {
      request.from = FormatRfc3339(window->from());
      request.to = FormatRfc3339(window->to());
    }
    planned = PATRA_TRY(planner_.Run(request)).planned;
    summary.plan.planned.is_partial = planned.is_partial;
    summary.plan.planned.reason = planned.is_partial ? planned.reason : "";
    if (planned.slices == 0) return {};
  }
}

}  // namespace patra::app
