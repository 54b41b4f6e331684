#include "infra/sql/heal_journal_table.h"

namespace patra::infra::sql::heal_journal_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_heal_journal
        (id, provenance_code, endpoint_name, operation_code, saw, did, result, plan_id, slice_id, task_id, run_id,
         created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :saw, :did, :result, :plan_id, :slice_id,
            :task_id, :run_id, :created_at))sql";

constexpr std::string_view kList = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, saw, did, result, plan_id, slice_id, task_id, run_id,
        created_at
    FROM ing_heal_journal INDEXED BY idx_heal_time
    WHERE created_at >= :since AND (:provenance = '' OR provenance_code = :provenance)
    ORDER BY created_at DESC LIMIT :entries_max)sql";

std::optional<Id> OrNull(Id id) { return id == 0 ? std::nullopt : std::optional(id); }

}  // namespace

Result<void> Insert(Session& session, const app::HealEntry& entry, Id new_id) {
  const auto& about = entry.about;
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"provenance_code", entry.lane.provenance},
                                  {"endpoint_name", entry.lane.endpoint},
                                  {"operation_code", Code(entry.lane.operation)},
                                  {"saw", entry.saw},
                                  {"did", entry.did},
                                  {"result", entry.result},
                                  {"plan_id", OrNull(about.plan)},
                                  {"slice_id", OrNull(about.slice)},
                                  {"task_id", OrNull(about.task)},
                                  {"run_id", OrNull(about.run)},
                                  {"created_at", entry.at}}));
  return {};
}

Result<std::vector<app::HealEntry>> List(Session& session, const std::string& provenance,
                                         Instant since, int entries_max) {
  auto rows = PATRA_TRY(session.Query(
      kList, {{"since", since}, {"provenance", provenance}, {"entries_max", entries_max}}));
  std::vector<app::HealEntry> entries;
  while (PATRA_TRY(rows.Next())) {
    entries.push_back({.id = rows.Integer("id"),
                       .lane = {rows.Text("provenance_code"), rows.Text("endpoint_name"),
                                PATRA_TRY(domain::OperationFromCode(rows.View("operation_code")))},
                       .saw = rows.Text("saw"),
                       .did = rows.Text("did"),
                       .result = rows.Text("result"),
                       .about = {.plan = rows.OptionalInteger("plan_id").value_or(0),
                                 .slice = rows.OptionalInteger("slice_id").value_or(0),
                                 .task = rows.OptionalInteger("task_id").value_or(0),
                                 .run = rows.OptionalInteger("run_id").value_or(0)},
                       .at = rows.Time("created_at")});
  }
  return entries;
}

}  // namespace patra::infra::sql::heal_journal_table
