#include "infra/sql/plan_table.h"

#include "base/canonical_json.h"
#include "base/hash.h"
#include "infra/sql/record_set_table.h"
#include "infra/sql/state_move.h"

namespace patra::infra::sql::plan_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_plan
        (id, schedule_instance_id, plan_key, provenance_code, endpoint_name, operation_code, query_hash,
         namespace_scope_code, namespace_key, cursor_key, expr_proto_hash, expr_proto_snapshot,
         provenance_config_snapshot, provenance_config_hash, spec_fingerprint, slice_strategy_code,
         slice_params, window_from, window_to, priority, status_code, record_remarks, correlation_id, origins, created_at,
         updated_at, mapping_generation)
    VALUES (:id, :schedule_instance_id, :plan_key, :provenance_code, :endpoint_name, :operation_code,
            :query_hash, :namespace_scope_code, :namespace_key, :cursor_key, :expr_proto_hash, :snapshot,
            :config, :config_hash, :snapshot_hash, :slice_strategy_code, :slice_params, :window_from, :window_to,
            :priority, :status_code, :record_remarks, :correlation_id, :origins, :now, :now,
            :mapping_generation)
    ON CONFLICT (plan_key) DO NOTHING)sql";

constexpr std::string_view kFindByKey =
    "SELECT id, status_code FROM ing_plan WHERE plan_key = :plan_key LIMIT 1";

constexpr std::string_view kMove = R"sql(
    UPDATE ing_plan SET status_code = :to, updated_at = :now, version = version + 1
    WHERE id = :id AND instr(:allowed, '/' || status_code || '/') > 0)sql";

// Of two planners at once, the slower one does not take back what the faster one has reached.
constexpr std::string_view kSetProgress = R"sql(
    UPDATE ing_plan
    SET sliced_to = max(coalesce(sliced_to, :sliced_to), :sliced_to), slice_position = :slice_position, updated_at = :now, version = version + 1
    WHERE id = :id)sql";

constexpr std::string_view kRemarks = "SELECT record_remarks FROM ing_plan WHERE id = :id";

constexpr std::string_view kSetRemarks = R"sql(
    UPDATE ing_plan SET record_remarks = :remarks, updated_at = :now, version = version + 1
    WHERE id = :id)sql";

constexpr std::string_view kRead = R"sql(
    SELECT schedule_instance_id, plan_key, provenance_code, endpoint_name, operation_code, query_hash,
           namespace_scope_code, namespace_key, cursor_key, expr_proto_hash, expr_proto_snapshot,
           spec_fingerprint, slice_strategy_code, window_from, window_to, sliced_to, slice_position,
           priority, status_code, record_remarks, slice_params,
           coalesce(correlation_id, CAST(schedule_instance_id AS TEXT)) AS correlation_id
    FROM ing_plan WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kFindUncut = R"sql(
    SELECT min(id) AS first_id FROM ing_plan
    WHERE namespace_key = :namespace_key AND status_code IN ('DRAFT', 'SLICING', 'PARTIAL')
      AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code
      AND (status_code <> 'PARTIAL' OR sliced_to IS NULL OR sliced_to < window_to))sql";

constexpr std::string_view kOfOtherSnapshots = R"sql(
    SELECT plan.id, plan.query_hash, plan.namespace_key, plan.window_from, plan.window_to,
           (EXISTS (SELECT 1 FROM ing_plan_slice AS slice INDEXED BY idx_slice_status
                    WHERE slice.plan_id = plan.id AND slice.status_code IN ('SUCCEEDED', 'PARTIAL'))
            OR EXISTS (SELECT 1 FROM ing_task_run AS run INDEXED BY idx_run_plan
                       JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
                       WHERE run.plan_id = plan.id AND batch.status_code = 'SUCCEEDED')) AS has_brought,
           (plan.sliced_to IS NULL OR plan.sliced_to < plan.window_to
            OR EXISTS (SELECT 1 FROM ing_plan_slice AS slice INDEXED BY idx_slice_status
                       WHERE slice.plan_id = plan.id
                         AND slice.status_code IN ('PENDING', 'READY', 'EXECUTING'))) AS is_open
    FROM ing_plan AS plan INDEXED BY idx_plan_status
    WHERE plan.status_code IN ('DRAFT', 'SLICING', 'READY', 'PARTIAL')
      AND plan.provenance_code = :provenance_code AND plan.endpoint_name = :endpoint_name
      AND plan.operation_code = :operation_code AND plan.spec_fingerprint <> :fingerprint
    ORDER BY plan.id LIMIT 1000)sql";

// Definitions change a few times in their lives. Updates say nothing about stretches of time.
constexpr std::string_view kSnapshots = R"sql(
    SELECT spec_fingerprint, min(expr_proto_snapshot) AS snapshot FROM ing_plan
    WHERE provenance_code = :provenance_code AND operation_code IN ('HARVEST', 'BACKFILL')
      AND endpoint_name = :endpoint_name AND query_hash = :query_hash
    GROUP BY spec_fingerprint LIMIT 1000)sql";

constexpr std::string_view kNewestCompleted = R"sql(
    SELECT id FROM ing_plan
    WHERE provenance_code = :provenance_code AND operation_code = :operation_code
      AND endpoint_name = :endpoint_name AND query_hash = :query_hash AND status_code = 'COMPLETED'
      AND id <> :except
    ORDER BY created_at DESC LIMIT 1)sql";

constexpr std::string_view kTellsGone = R"sql(
    SELECT count(*) FROM ing_plan
    WHERE id = :id AND json_extract(expr_proto_snapshot, '$.gone') = 'TOMBSTONE')sql";

constexpr std::string_view kFindWalk = R"sql(
    SELECT plan.created_at,
           (SELECT max(batch.id) FROM ing_task_run AS run INDEXED BY idx_run_plan
            JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
            WHERE run.plan_id = plan.id AND batch.status_code IN ('SUCCEEDED', 'SKIPPED')) AS last_batch
    FROM ing_plan AS plan WHERE plan.id = :id LIMIT 1)sql";

constexpr std::string_view kCompleteIfDone = R"sql(
    UPDATE ing_plan SET status_code = 'COMPLETED', updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('READY', 'PARTIAL') AND sliced_to >= window_to
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS slice
                      WHERE slice.plan_id = ing_plan.id
                        AND slice.status_code IN ('PENDING', 'READY', 'EXECUTING', 'PARTIAL', 'FAILED')
                        AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child
                                        WHERE child.parent_slice_id = slice.id)))sql";

// RFC 7396: members replace those of their name, objects are merged, null removes.
Value Merged(Value into, const Value& patch) {
  const auto* members = patch.AsObject();
  if (members == nullptr) return patch;
  if (into.AsObject() == nullptr) into = Value::Object{};
  for (const auto& [name, value] : *members) {
    if (value.is_null()) {
      into.AsObject()->erase(name);
    } else {
      auto& member = into[name];
      member = Merged(std::move(member), value);
    }
  }
  return into;
}

}  // namespace

Result<bool> Insert(Session& session, const domain::Plan& plan, Instant now) {
  const auto generation = PATRA_TRY(record_set_table::GenerationOf(session, plan.lane));
  const auto inserted =
      PATRA_TRY(session.Run(kInsert, {{"id", plan.id},
                                      {"schedule_instance_id", plan.trigger_id},
                                      {"plan_key", plan.key},
                                      {"provenance_code", plan.lane.provenance},
                                      {"endpoint_name", plan.lane.endpoint},
                                      {"operation_code", Code(plan.lane.operation)},
                                      {"query_hash", plan.query_hash},
                                      {"namespace_scope_code", plan.cursor.scope},
                                      {"namespace_key", plan.cursor.key},
                                      {"cursor_key", plan.cursor.cursor_key},
                                      {"expr_proto_hash", plan.expr_proto_hash},
                                      {"snapshot", plan.snapshot},
                                      {"config", plan.config},
                                      {"config_hash", Sha256Hex(plan.config)},
                                      {"snapshot_hash", plan.snapshot_hash},
                                      {"slice_strategy_code", plan.slice_strategy},
                                      {"slice_params", CanonicalJson(plan.slice_params)},
                                      {"window_from", plan.window.from()},
                                      {"window_to", plan.window.to()},
                                      {"priority", plan.priority},
                                      {"status_code", Code(domain::PlanStatus::kDraft)},
                                      {"record_remarks", CanonicalJson(plan.remarks)},
                                      {"correlation_id", plan.correlation},
                                      {"origins", plan.origins},
                                      {"mapping_generation", generation},
                                      {"now", now}}));
  return inserted == 1;
}

Result<std::optional<Found>> FindByKey(Session& session, std::string_view key) {
  auto rows = PATRA_TRY(session.Query(kFindByKey, {{"plan_key", key}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto status =
      PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View("status_code")));
  return Found{rows.Integer("id"), status};
}

Result<void> Move(Session& session, Id plan, domain::PlanStatus to, Instant now) {
  const auto rows = PATRA_TRY(session.Run(
      kMove, {{"to", Code(to)}, {"now", now}, {"id", plan}, {"allowed", CodesBefore(to)}}));
  return Moved(rows, "plan", plan, to);
}

Result<void> SetProgress(Session& session, Id plan, const app::SlicingProgress& progress,
                         Instant now) {
  PATRA_TRY(session.Run(kSetProgress, {{"sliced_to", progress.sliced_to},
                                       {"slice_position", progress.position},
                                       {"now", now},
                                       {"id", plan}}));
  return {};
}

Result<void> AddRemarks(Session& session, Id plan, const Value& remarks, Instant now) {
  auto rows = PATRA_TRY(session.Query(kRemarks, {{"id", plan}}));
  if (!PATRA_TRY(rows.Next())) return {};
  const auto merged =
      CanonicalJson(Merged(ParseJson(rows.View("record_remarks")).value_or(Value()), remarks));
  PATRA_TRY(session.Run(kSetRemarks, {{"remarks", merged}, {"now", now}, {"id", plan}}));
  return {};
}

Result<void> AddSlowDown(Session& session, Id plan, Value slow_down, Instant now) {
  constexpr const char* kSlowDowns = "slowDowns";
  constexpr std::size_t kSlowDownsMax = 20;
  auto rows = PATRA_TRY(session.Query(kRemarks, {{"id", plan}}));
  if (!PATRA_TRY(rows.Next())) return {};
  const auto stored = ParseJson(rows.View("record_remarks"));
  Value::Object remarks;
  if (stored && stored->AsObject() != nullptr) remarks = *stored->AsObject();
  Value::Array list;
  if (auto* before = remarks[kSlowDowns].AsArray()) list = std::move(*before);
  list.push_back(std::move(slow_down));
  if (list.size() > kSlowDownsMax)
    list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(kSlowDownsMax));
  remarks[kSlowDowns] = std::move(list);
  PATRA_TRY(
      session.Run(kSetRemarks, {{"remarks", CanonicalJson(remarks)}, {"now", now}, {"id", plan}}));
  return {};
}

Result<std::optional<app::StoredPlan>> Read(Session& session, Id plan) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", plan}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View("operation_code")));
  const auto window =
      PATRA_TRY(domain::Window::Between(rows.Time("window_from"), rows.Time("window_to")));
  auto remarks = PATRA_TRY(ParseJson(rows.View("record_remarks")));
  auto slice_params = PATRA_TRY(ParseJson(rows.View("slice_params")));
  const auto status =
      PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View("status_code")));
  return app::StoredPlan{
      .plan = {.id = plan,
               .trigger_id = rows.Integer("schedule_instance_id"),
               .key = rows.Text("plan_key"),
               .lane = {rows.Text("provenance_code"), rows.Text("endpoint_name"), operation},
               .query_hash = rows.Text("query_hash"),
               .cursor = {.scope = rows.Text("namespace_scope_code"),
                          .key = rows.Text("namespace_key"),
                          .cursor_key = rows.Text("cursor_key")},
               .snapshot = rows.Text("expr_proto_snapshot"),
               .snapshot_hash = rows.Text("spec_fingerprint"),
               .expr_proto_hash = rows.Text("expr_proto_hash"),
               .slice_strategy = rows.Text("slice_strategy_code"),
               .slice_params = std::move(slice_params),
               .window = window,
               .priority = static_cast<int>(rows.Integer("priority")),
               .remarks = std::move(remarks),
               .correlation = rows.Text("correlation_id")},
      .status = status,
      .sliced_to = rows.OptionalTime("sliced_to"),
      .position = rows.OptionalText("slice_position")};
}

Result<std::optional<Id>> FindUncut(Session& session, const domain::Lane& lane,
                                    const domain::CursorNamespace& cursor) {
  auto rows = PATRA_TRY(session.Query(kFindUncut, {{"namespace_key", cursor.key},
                                                   {"provenance_code", lane.provenance},
                                                   {"endpoint_name", lane.endpoint},
                                                   {"operation_code", Code(lane.operation)}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.OptionalInteger("first_id");
}

Result<std::vector<app::OlderPlan>> OfOtherSnapshots(Session& session, const domain::Lane& lane,
                                                     const std::string& fingerprint) {
  std::vector<app::OlderPlan> plans;
  auto rows = PATRA_TRY(session.Query(kOfOtherSnapshots, {{"provenance_code", lane.provenance},
                                                          {"endpoint_name", lane.endpoint},
                                                          {"operation_code", Code(lane.operation)},
                                                          {"fingerprint", fingerprint}}));
  while (PATRA_TRY(rows.Next())) {
    const auto window =
        PATRA_TRY(domain::Window::Between(rows.Time("window_from"), rows.Time("window_to")));
    plans.push_back({.id = rows.Integer("id"),
                     .query_hash = rows.Text("query_hash"),
                     .namespace_key = rows.Text("namespace_key"),
                     .window = window,
                     .has_brought = rows.Integer("has_brought") != 0,
                     .is_open = rows.Integer("is_open") != 0});
  }
  return plans;
}

Result<bool> TellsGone(Session& session, Id plan) {
  return PATRA_TRY(session.Integer(kTellsGone, {{"id", plan}})) > 0;
}

Result<WalkOfPlan> FindWalk(Session& session, Id plan) {
  auto rows = PATRA_TRY(session.Query(kFindWalk, {{"id", plan}}));
  if (!PATRA_TRY(rows.Next())) return WalkOfPlan{};
  return WalkOfPlan{rows.Time("created_at"), rows.OptionalInteger("last_batch").value_or(0)};
}

Result<std::vector<app::PlannedSnapshot>> Snapshots(Session& session, const domain::Lane& lane,
                                                    const std::string& query_hash) {
  std::vector<app::PlannedSnapshot> snapshots;
  auto rows = PATRA_TRY(session.Query(kSnapshots, {{"provenance_code", lane.provenance},
                                                   {"endpoint_name", lane.endpoint},
                                                   {"query_hash", query_hash}}));
  while (PATRA_TRY(rows.Next()))
    snapshots.push_back({rows.Text("spec_fingerprint"), rows.Text("snapshot")});
  return snapshots;
}

Result<std::optional<Id>> NewestCompleted(Session& session, const domain::Lane& lane,
                                          const std::string& query_hash, Id except) {
  auto rows = PATRA_TRY(session.Query(kNewestCompleted, {{"provenance_code", lane.provenance},
                                                         {"operation_code", Code(lane.operation)},
                                                         {"endpoint_name", lane.endpoint},
                                                         {"query_hash", query_hash},
                                                         {"except", except}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("id");
}

Result<bool> CompleteIfDone(Session& session, Id plan, Instant now) {
  return PATRA_TRY(session.Run(kCompleteIfDone, {{"now", now}, {"id", plan}})) == 1;
}

}  // namespace patra::infra::sql::plan_table
