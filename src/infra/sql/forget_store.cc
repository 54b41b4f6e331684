#include "infra/sql/forget_store.h"

#include <fmt/format.h>

#include "infra/sql/archive_table.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/forget_parts.h"
#include "infra/sql/pause_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kTasksThatRun = R"sql(
    SELECT count(*) FROM ing_task INDEXED BY idx_task_src_op
    WHERE provenance_code = :source AND status_code IN ('DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kIsKnown = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_plan INDEXED BY idx_plan_src_op_time WHERE provenance_code = :source)
        OR EXISTS (SELECT 1 FROM ing_record_set WHERE provenance_code = :source)
        OR EXISTS (SELECT 1 FROM ing_archive_index INDEXED BY idx_archive_source
                   WHERE provenance_code = :source) AS is_known)sql";

// The first transaction has to be sure that nobody claims a task of it meanwhile.
LockScope ScopeOf(int part) { return part == 0 ? LockScope::WholeStore() : LockScope::RowsAlone(); }

}  // namespace

Result<void> ForgetStore::Begin(const std::string& source, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    if (PATRA_TRY(session.Integer(kIsKnown, {{"source", source}})) == 0) {
      return Fail(ErrorCode::kNotFound, fmt::format("the store has nothing of '{}'", source), {},
                  "see `patra source list`");
    }
    const auto running = PATRA_TRY(session.Integer(kTasksThatRun, {{"source", source}}));
    if (running > 0) {
      return Fail(ErrorCode::kConflict, fmt::format("{} tasks of {} run", running, source), {},
                  fmt::format("`patra source pause {}`, and try again when they are done", source));
    }
    const auto now = clock_.Now();
    auto why = decision;
    why.reason = "its data was deleted: " + decision.reason;
    PATRA_TRY(pause_table::Put(session, {.provenance = source, .reason = why.reason}, why, now));
    return audit_table::Insert(session, "FORGET", "SOURCE", source, decision, ids_.Next(), now);
  });
}

Result<app::ForgetStep> ForgetStore::Delete(const std::string& source, const app::ForgetStep& last,
                                            int rows_max) {
  const auto parts = ForgetParts();
  if (last.part >= std::ssize(parts)) return app::ForgetStep{.part = last.part};
  const auto& part = parts[static_cast<std::size_t>(last.part)];
  return database_.Write(ScopeOf(last.part), [&](Session& session) -> Result<app::ForgetStep> {
    const auto gone = PATRA_TRY(part.forget(session, part, source, last.after, rows_max));
    return app::ForgetStep{.table = part.table,
                           .rows = gone.rows,
                           .part = gone.is_all ? last.part + 1 : last.part,
                           .after = gone.is_all ? 0 : gone.after};
  });
}

Result<std::vector<app::ArchiveFile>> ForgetStore::FilesOf(const std::string& source,
                                                           int files_max) {
  return database_.Read(
      [&](Session& session) { return archive_table::OfSource(session, source, files_max); });
}

}  // namespace patra::infra::sql
