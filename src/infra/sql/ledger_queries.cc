#include "infra/sql/ledger_queries.h"

#include <fmt/format.h>

#include "infra/sql/ledger_views.h"

namespace patra::infra::sql {
namespace {

using contract::LedgerFilter;

template <typename Row>
using ReadOne = Result<std::optional<Row>> (*)(Session&, Id);
using FindIds = Result<std::vector<Id>> (*)(Session&, const LedgerFilter&);

template <typename Row>
Result<std::vector<Row>> List(Database& database, FindIds find, ReadOne<Row> read,
                              const LedgerFilter& filter) {
  return database.Read([&](Session& session) -> Result<std::vector<Row>> {
    std::vector<Row> found;
    for (const auto id : PATRA_TRY(find(session, filter))) {
      if (auto row = PATRA_TRY(read(session, id))) found.push_back(*std::move(row));
    }
    return found;
  });
}

template <typename Row>
Result<Row> One(Database& database, std::string_view what, ReadOne<Row> read, Id id) {
  auto row = PATRA_TRY(database.Read([&](Session& session) { return read(session, id); }));
  if (row) return *std::move(row);
  return Fail(ErrorCode::kNotFound, fmt::format("there is no {} {}", what, id), {},
              fmt::format("see `patra {} list`", what));
}

}  // namespace

Result<std::vector<contract::PlanRow>> LedgerQueries::Plans(const LedgerFilter& filter) {
  return List<contract::PlanRow>(database_, plan_view::Ids, plan_view::Read, filter);
}

Result<std::vector<contract::SliceRow>> LedgerQueries::Slices(const LedgerFilter& filter) {
  return List<contract::SliceRow>(database_, slice_view::Ids, slice_view::Read, filter);
}

Result<std::vector<contract::TaskRow>> LedgerQueries::Tasks(const LedgerFilter& filter) {
  return List<contract::TaskRow>(database_, task_view::Ids, task_view::Read, filter);
}

Result<std::vector<contract::RunRow>> LedgerQueries::Runs(const LedgerFilter& filter) {
  return List<contract::RunRow>(database_, run_view::Ids, run_view::Read, filter);
}

Result<std::vector<contract::BatchRow>> LedgerQueries::Batches(const LedgerFilter& filter) {
  return List<contract::BatchRow>(database_, batch_view::Ids, batch_view::Read, filter);
}

Result<std::vector<contract::CursorRow>> LedgerQueries::Cursors(const LedgerFilter& filter) {
  return List<contract::CursorRow>(database_, cursor_view::Ids, cursor_view::Read, filter);
}

Result<contract::TriggerRow> LedgerQueries::Trigger(Id id) {
  return One<contract::TriggerRow>(database_, "trigger", trigger_view::Read, id);
}

Result<contract::PlanRow> LedgerQueries::Plan(Id id) {
  return One<contract::PlanRow>(database_, "plan", plan_view::Read, id);
}

Result<contract::SliceRow> LedgerQueries::Slice(Id id) {
  return One<contract::SliceRow>(database_, "slice", slice_view::Read, id);
}

Result<contract::TaskRow> LedgerQueries::Task(Id id) {
  return One<contract::TaskRow>(database_, "task", task_view::Read, id);
}

Result<contract::RunRow> LedgerQueries::Run(Id id) {
  return One<contract::RunRow>(database_, "run", run_view::Read, id);
}

Result<contract::BatchRow> LedgerQueries::Batch(Id id) {
  return One<contract::BatchRow>(database_, "batch", batch_view::Read, id);
}

Result<contract::CursorRow> LedgerQueries::Cursor(Id id) {
  return One<contract::CursorRow>(database_, "cursor", cursor_view::Read, id);
}

Result<std::vector<contract::OriginRow>> LedgerQueries::OriginsOf(Id plan) {
  return One<std::vector<contract::OriginRow>>(database_, "plan", plan_view::Origins, plan);
}

Result<std::vector<contract::AnswerCount>> LedgerQueries::AnswersOf(Id run) {
  return database_.Read([&](Session& session) { return batch_view::AnswersOf(session, run); });
}

Result<std::vector<std::pair<std::string, std::int64_t>>> LedgerQueries::SliceCounts(Id plan) {
  return database_.Read([&](Session& session) { return slice_view::CountByStatus(session, plan); });
}

Result<std::vector<contract::CursorEventRow>> LedgerQueries::EventsOf(
    const contract::CursorRow& cursor, const contract::Stretch& within, int rows_max) {
  return database_.Read(
      [&](Session& session) { return cursor_view::EventsOf(session, cursor, within, rows_max); });
}

Result<std::vector<contract::CursorEventRow>> LedgerQueries::EventsOf(const LedgerFilter& filter) {
  return database_.Read([&](Session& session) { return cursor_view::EventsOf(session, filter); });
}

Result<std::vector<contract::DecisionRow>> LedgerQueries::Decisions(const std::string& object_type,
                                                                    const std::string& object_id,
                                                                    int rows_max) {
  return database_.Read([&](Session& session) {
    return audit_view::About(session, object_type, object_id, rows_max);
  });
}

Result<std::vector<contract::AuditRow>> LedgerQueries::Audit(Id before, int rows_max) {
  return database_.Read(
      [&](Session& session) { return audit_view::All(session, before, rows_max); });
}

}  // namespace patra::infra::sql
