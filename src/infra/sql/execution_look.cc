#include "infra/sql/execution_look.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/value.h"

namespace patra::infra::sql::execution_look {
namespace {

// Of several, since a planner that took over from one that died has recorded one of its own.
constexpr std::string_view kFindPlanned = R"sql(
    SELECT fired.id AS trigger_id, plan.id AS plan_id, plan.status_code, plan.sliced_to, plan.window_to
    FROM ing_schedule_instance AS fired INDEXED BY idx_sched_src
    JOIN ing_plan AS plan ON plan.schedule_instance_id = fired.id
    WHERE fired.scheduler_code = 'INTERNAL' AND fired.scheduler_job_id = :job_id
      AND fired.scheduler_log_id = :log_id
    ORDER BY fired.id DESC LIMIT 1)sql";

constexpr std::string_view kFindTrigger = R"sql(
    SELECT max(id) AS trigger_id FROM ing_schedule_instance INDEXED BY idx_sched_src
    WHERE scheduler_code = 'INTERNAL' AND scheduler_job_id = :job_id AND scheduler_log_id = :log_id)sql";

constexpr std::string_view kPlan = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, query_hash, status_code, sliced_to, window_to,
           updated_at, record_remarks,
           EXISTS (SELECT 1 FROM ing_plan_slice AS slice INDEXED BY idx_slice_status
                   WHERE slice.plan_id = ing_plan.id
                     AND slice.status_code IN ('PENDING', 'READY', 'EXECUTING')) AS has_open
    FROM ing_plan WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kWho = R"sql(
    SELECT max(coalesce(progress_at, updated_at)) AS progress_at,
           max(CASE WHEN status_code IN ('DISPATCHED', 'EXECUTING') THEN leased_until END) AS leased_until,
           max(CASE WHEN status_code = 'QUEUED' AND ready = 0 THEN scheduled_at END) AS parked_until
    FROM ing_task WHERE plan_id = :id)sql";

constexpr std::string_view kRecords = R"sql(
    SELECT coalesce(sum(received), 0) AS received, coalesce(sum(inserted), 0) AS inserted,
           coalesce(sum(updated), 0) AS updated, coalesce(sum(unchanged), 0) AS unchanged,
           coalesce(sum(quarantined), 0) AS quarantined
    FROM ing_plan_slice WHERE plan_id = :id)sql";

constexpr std::string_view kRequests = R"sql(
    SELECT CAST(coalesce(sum(coalesce(json_extract(batch.stats, '$.reqCount'), 0)), 0) AS INTEGER) AS requests
    FROM ing_task_run AS run INDEXED BY idx_run_plan JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
    WHERE run.plan_id = :id AND run.is_replay = 0)sql";

constexpr std::string_view kTriggerOf =
    "SELECT schedule_instance_id FROM ing_plan WHERE id = :id LIMIT 1";

bool IsCut(const Rows& rows) {
  const auto to = rows.OptionalTime("window_to");
  const auto sliced = rows.OptionalTime("sliced_to");
  return sliced && (!to || *sliced >= *to);
}

std::string StoppedBy(std::string_view remarks) {
  const auto parsed = ParseJson(remarks);
  const auto* member = parsed ? parsed->Find("stopped") : nullptr;
  const auto* text = member == nullptr ? nullptr : member->AsString();
  return text == nullptr ? std::string() : *text;
}

}  // namespace

Result<std::optional<app::PlannedBefore>> FindPlanned(Session& session,
                                                      const domain::Execution& execution) {
  const auto log = fmt::to_string(execution.id);
  const auto asked = {Parameter{"job_id", execution.job}, Parameter{"log_id", log}};
  auto rows = PATRA_TRY(session.Query(kFindPlanned, asked));
  if (!PATRA_TRY(rows.Next())) {
    auto fired = PATRA_TRY(session.Query(kFindTrigger, asked));
    if (!PATRA_TRY(fired.Next()) || fired.IsNull("trigger_id")) return std::nullopt;
    return app::PlannedBefore{.trigger = fired.Integer("trigger_id")};
  }
  app::PlannedBefore before{.trigger = rows.Integer("trigger_id"), .plan = rows.Integer("plan_id")};
  const auto status =
      PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View("status_code")));
  const bool is_being_cut =
      status == domain::PlanStatus::kDraft || status == domain::PlanStatus::kSlicing;
  before.is_cut = !is_being_cut || IsCut(rows);
  return before;
}

Result<std::optional<app::PlanLook>> Look(Session& session, Id plan, bool who, Instant now) {
  app::PlanLook look{.seen = {.id = plan}};
  {
    auto rows = PATRA_TRY(session.Query(kPlan, {{"id", plan}}));
    if (!PATRA_TRY(rows.Next())) return std::nullopt;
    const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View("operation_code")));
    look.lane = {rows.Text("provenance_code"), rows.Text("endpoint_name"), operation};
    look.query_hash = rows.Text("query_hash");
    look.seen.status =
        PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View("status_code")));
    look.seen.is_wholly_cut = IsCut(rows);
    look.seen.has_open_slices = rows.Integer("has_open") != 0;
    look.seen.stopped = StoppedBy(rows.View("record_remarks"));
    look.seen.progress_at = rows.Time("updated_at");
  }
  if (!who) return look;
  auto rows = PATRA_TRY(session.Query(kWho, {{"id", plan}}));
  if (!PATRA_TRY(rows.Next())) return look;
  if (const auto at = rows.OptionalTime("progress_at"))
    look.seen.progress_at = std::max(*look.seen.progress_at, *at);
  const auto leased = rows.OptionalTime("leased_until");
  look.seen.is_leased = leased && *leased > now;
  look.seen.waits_until = rows.OptionalTime("parked_until");
  return look;
}

Result<domain::ExecutionCounts> Counts(Session& session, std::span<const Id> plans) {
  domain::ExecutionCounts counts;
  for (const auto plan : plans) {
    auto rows = PATRA_TRY(session.Query(kRecords, {{"id", plan}}));
    if (PATRA_TRY(rows.Next())) {
      counts.received += rows.Integer("received");
      counts.inserted += rows.Integer("inserted");
      counts.updated += rows.Integer("updated");
      counts.unchanged += rows.Integer("unchanged");
      counts.quarantined += rows.Integer("quarantined");
    }
    auto requests = PATRA_TRY(session.Query(kRequests, {{"id", plan}}));
    if (PATRA_TRY(requests.Next())) counts.requests += requests.Integer("requests");
  }
  return counts;
}

Result<std::vector<Id>> OfOtherTriggers(Session& session, std::span<const Id> plans,
                                        std::optional<Id> trigger) {
  std::vector<Id> others;
  for (const auto plan : plans) {
    auto rows = PATRA_TRY(session.Query(kTriggerOf, {{"id", plan}}));
    if (!PATRA_TRY(rows.Next())) continue;
    if (rows.Integer("schedule_instance_id") != trigger) others.push_back(plan);
  }
  return others;
}

}  // namespace patra::infra::sql::execution_look
