#include "infra/sql/run_table.h"

#include "infra/sql/state_move.h"

namespace patra::infra::sql::run_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_task_run
        (id, task_id, slice_id, plan_id, attempt_no, provenance_code, endpoint_name, operation_code, fence,
         status_code, window_from, window_to, started_at, last_heartbeat, correlation_id, created_at, updated_at)
    VALUES (:id, :task_id, :slice_id, :plan_id, :attempt_no, :provenance_code, :endpoint_name,
            :operation_code, :fence, 'RUNNING', :window_from, :window_to, :now, :now, :correlation_id, :now,
            :now))sql";

constexpr std::string_view kInsertReplay = R"sql(
    INSERT INTO ing_task_run
        (id, task_id, slice_id, plan_id, attempt_no, provenance_code, endpoint_name, operation_code, fence,
         is_replay, status_code, checkpoint, stats, window_from, window_to, started_at, finished_at,
         correlation_id, created_at, updated_at)
    VALUES (:id, :task_id, :slice_id, :plan_id, :attempt_no, :provenance_code, :endpoint_name, :operation_code, :fence, 1, 'SUCCEEDED', :checkpoint, :stats,
            :window_from, :window_to, :now, :now, :correlation_id, :now, :now))sql";

constexpr std::string_view kNextReplay = R"sql(
    SELECT min(coalesce(min(attempt_no), 0), 0) - 1 FROM ing_task_run WHERE task_id = :task_id)sql";

constexpr std::string_view kEndUnderWay = R"sql(
    UPDATE ing_task_run
    SET status_code = :status_code, error = :reason, finished_at = :now, updated_at = :now,
        version = version + 1
    WHERE task_id = :task_id AND status_code IN ('PLANNED', 'RUNNING'))sql";

constexpr std::string_view kFinish = R"sql(
    UPDATE ing_task_run
    SET status_code = :status_code, stats = :stats, error = :error, finished_at = :now, updated_at = :now,
        version = version + 1
    WHERE id = :id AND instr(:allowed, '/' || status_code || '/') > 0)sql";

constexpr std::string_view kWaitFor =
    "UPDATE ing_task_run SET waits_for_code = :waits_for WHERE id = :id";

constexpr std::string_view kLatestWaitedFor = R"sql(
    SELECT waits_for_code FROM ing_task_run WHERE task_id = :task_id ORDER BY attempt_no DESC LIMIT 1)sql";

constexpr std::string_view kStartOverNext =
    "UPDATE ing_task_run SET checkpoint = '{\"startOver\":true}' WHERE id = :id";

constexpr std::string_view kLatest = R"sql(
    SELECT coalesce(max(id), 0) FROM ing_task_run
    WHERE task_id = :task_id
      AND attempt_no = (SELECT max(attempt_no) FROM ing_task_run WHERE task_id = :task_id))sql";

}  // namespace

Result<void> StartOverNext(Session& session, Id run) {
  PATRA_TRY(session.Run(kStartOverNext, {{"id", run}}));
  return {};
}

Result<void> StartOverAfterLatest(Session& session, Id task) {
  return StartOverNext(session, PATRA_TRY(session.Integer(kLatest, {{"task_id", task}})));
}

Result<void> Insert(Session& session, Id run, const app::LeasedTask& task, int attempt_no,
                    Instant now) {
  PATRA_TRY(session.Run(kInsert, {{"id", run},
                                  {"task_id", task.lineage.task},
                                  {"slice_id", task.lineage.slice},
                                  {"plan_id", task.lineage.plan},
                                  {"attempt_no", attempt_no},
                                  {"provenance_code", task.lane.provenance},
                                  {"endpoint_name", task.lane.endpoint},
                                  {"operation_code", Code(task.lane.operation)},
                                  {"fence", task.fence},
                                  {"window_from", task.window().from()},
                                  {"window_to", task.window().to()},
                                  {"correlation_id", task.lineage.correlation},
                                  {"now", now}}));
  return {};
}

Result<void> InsertReplay(Session& session, Id run, const app::LeasedTask& task,
                          const std::string& checkpoint, const std::string& stats, Instant now) {
  const auto number = PATRA_TRY(session.Integer(kNextReplay, {{"task_id", task.lineage.task}}));
  PATRA_TRY(session.Run(kInsertReplay, {{"id", run},
                                        {"task_id", task.lineage.task},
                                        {"slice_id", task.lineage.slice},
                                        {"plan_id", task.lineage.plan},
                                        {"attempt_no", number},
                                        {"provenance_code", task.lane.provenance},
                                        {"endpoint_name", task.lane.endpoint},
                                        {"operation_code", Code(task.lane.operation)},
                                        {"fence", task.fence},
                                        {"checkpoint", checkpoint},
                                        {"stats", stats},
                                        {"window_from", task.window().from()},
                                        {"window_to", task.window().to()},
                                        {"correlation_id", task.lineage.correlation},
                                        {"now", now}}));
  return {};
}

Result<void> EndUnderWay(Session& session, Id task, domain::RunStatus status,
                         const std::string& reason, Instant now) {
  PATRA_TRY(session.Run(
      kEndUnderWay,
      {{"status_code", Code(status)}, {"reason", reason}, {"now", now}, {"task_id", task}}));
  return {};
}

Result<void> Finish(Session& session, Id run, domain::RunStatus status, const std::string& stats,
                    const std::optional<std::string>& error, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kFinish, {{"status_code", Code(status)},
                                                    {"stats", stats},
                                                    {"error", error},
                                                    {"now", now},
                                                    {"id", run},
                                                    {"allowed", CodesBefore(status)}}));
  return Moved(rows, "run", run, status);
}

Result<void> WaitFor(Session& session, Id run, domain::WaitReason reason) {
  PATRA_TRY(session.Run(kWaitFor, {{"id", run}, {"waits_for", Name(reason)}}));
  return {};
}

Result<bool> LatestWaitedFor(Session& session, Id task, domain::WaitReason reason) {
  auto rows = PATRA_TRY(session.Query(kLatestWaitedFor, {{"task_id", task}}));
  return PATRA_TRY(rows.Next()) && rows.OptionalText(kOnly) == Name(reason);
}

}  // namespace patra::infra::sql::run_table
