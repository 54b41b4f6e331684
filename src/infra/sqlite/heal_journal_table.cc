#include "infra/sqlite/heal_journal_table.h"

namespace patra::infra::sqlite::heal_journal_table {
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

Result<void> Insert(Connection& connection, const app::HealEntry& entry, Id new_id) {
  const auto& about = entry.about;
  PATRA_TRY(connection.Run(kInsert, new_id, entry.partition.provenance, entry.partition.endpoint,
                           Code(entry.partition.operation), entry.saw, entry.did, entry.result,
                           OrNull(about.plan), OrNull(about.slice), OrNull(about.task),
                           OrNull(about.run), entry.at));
  return {};
}

Result<std::vector<app::HealEntry>> List(Connection& connection, const std::string& provenance,
                                         Instant since, int entries_max) {
  auto rows = PATRA_TRY(connection.Query(kList, since, provenance, entries_max));
  std::vector<app::HealEntry> entries;
  while (PATRA_TRY(rows.Next())) {
    entries.push_back({.id = rows.Integer(0),
                       .partition = {rows.Text(1), rows.Text(2),
                                     PATRA_TRY(domain::OperationFromCode(rows.View(3)))},
                       .saw = rows.Text(4),
                       .did = rows.Text(5),
                       .result = rows.Text(6),
                       .about = {.plan = rows.OptionalInteger(7).value_or(0),
                                 .slice = rows.OptionalInteger(8).value_or(0),
                                 .task = rows.OptionalInteger(9).value_or(0),
                                 .run = rows.OptionalInteger(10).value_or(0)},
                       .at = rows.Time(11)});
  }
  return entries;
}

}  // namespace patra::infra::sqlite::heal_journal_table
