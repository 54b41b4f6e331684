#include <fmt/format.h>

#include "infra/sql/asked_scopes.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/newest_ids.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kReadTrigger = R"sql(
    SELECT id, provenance_code, coalesce(endpoint_name, '') AS endpoint_name, operation_code, trigger_type_code,
           scheduler_code, triggered_at, trigger_params, record_remarks,
           coalesce(correlation_id, CAST(id AS TEXT)) AS correlation_id
    FROM ing_schedule_instance WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kReadPlan = R"sql(
    SELECT id, schedule_instance_id, provenance_code, endpoint_name, operation_code, status_code,
           window_from, window_to, sliced_to, slice_strategy_code, priority, query_hash,
           spec_fingerprint, provenance_config_snapshot, provenance_config_hash, record_remarks, created_at, updated_at,
           coalesce(correlation_id, CAST(schedule_instance_id AS TEXT)) AS correlation_id
    FROM ing_plan WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOrigins = "SELECT origins FROM ing_plan WHERE id = :id LIMIT 1";

// Plans are few: what a source has of one operation may be read past.
constexpr std::string_view kNewestPlans = R"sql(
    SELECT id, created_at FROM ing_plan
    WHERE provenance_code = :source AND operation_code = :operation
      AND (:endpoint = '' OR endpoint_name = :endpoint) AND (:status = '' OR status_code = :status)
      AND created_at <= :up_to AND (created_at < :up_to OR id < :below_id)
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

}  // namespace

Result<std::optional<contract::TriggerRow>> trigger_view::Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kReadTrigger, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::TriggerRow{.id = rows.Integer("id"),
                              .scope = ScopeOf(rows),
                              .type = rows.Text("trigger_type_code"),
                              .scheduler = rows.Text("scheduler_code"),
                              .fired_at = rows.Time("triggered_at"),
                              .params = rows.Text("trigger_params"),
                              .remarks = rows.Text("record_remarks"),
                              .correlation = rows.Text("correlation_id")};
}

namespace plan_view {

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  PATRA_TRY(AskedStates<domain::PlanStatus>(filter.status));
  NewestByTime newest(filter.rows_max);
  PATRA_TRY(
      ForEachScope(session, filter, [&](const std::string& source, std::string_view operation) {
        return newest.Add(session.Query(kNewestPlans, {{"source", source},
                                                       {"operation", operation},
                                                       {"endpoint", filter.endpoint},
                                                       {"status", filter.status},
                                                       {"up_to", UpTo(filter)},
                                                       {"below_id", BelowId(filter)},
                                                       {"rows_max", filter.rows_max}}));
      }));
  return newest.Take();
}

Result<std::optional<contract::PlanRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kReadPlan, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::PlanRow{.id = rows.Integer("id"),
                           .trigger = rows.Integer("schedule_instance_id"),
                           .scope = ScopeOf(rows),
                           .status = rows.Text("status_code"),
                           .window = WindowOf(rows),
                           .sliced_to = rows.OptionalTime("sliced_to"),
                           .strategy = rows.Text("slice_strategy_code"),
                           .priority = rows.Integer("priority"),
                           .query_hash = rows.Text("query_hash"),
                           .fingerprint = rows.Text("spec_fingerprint"),
                           .remarks = rows.Text("record_remarks"),
                           .created_at = rows.Time("created_at"),
                           .updated_at = rows.Time("updated_at"),
                           .correlation = rows.Text("correlation_id"),
                           .config = rows.Text("provenance_config_snapshot"),
                           .config_hash = rows.Text("provenance_config_hash")};
}

Result<std::optional<std::vector<contract::OriginRow>>> Origins(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kOrigins, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto list = PATRA_TRY(ParseJson(rows.View("origins")));
  const auto broken = [&] {
    return Fail(ErrorCode::kCorruption, fmt::format("the origins of plan {} cannot be read", id));
  };
  if (list.AsArray() == nullptr) return broken();
  std::vector<contract::OriginRow> origins;
  for (const auto& entry : *list.AsArray()) {
    const auto* texts = entry.AsArray();
    if (texts == nullptr || texts->size() != 4) return broken();
    const auto text = [&](std::size_t i) {
      const auto* found = (*texts)[i].AsString();
      return found == nullptr ? std::string() : *found;
    };
    origins.push_back({text(0), text(1), text(2), text(3)});
  }
  return origins;
}

}  // namespace plan_view
}  // namespace patra::infra::sql
