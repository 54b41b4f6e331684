#include "infra/sql/schedule_instance_table.h"

#include "base/canonical_json.h"
#include "infra/sql/remark_table.h"

namespace patra::infra::sql::schedule_instance_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_schedule_instance
        (id, scheduler_code, scheduler_job_id, scheduler_log_id, trigger_type_code, triggered_at, trigger_params, provenance_code,
         endpoint_name, operation_code, correlation_id, created_at, updated_at)
    VALUES (:id, :scheduler_code, :scheduler_job_id, :scheduler_log_id, :trigger_type_code, :triggered_at, :trigger_params, :provenance_code,
            :endpoint_name, :operation_code, :correlation_id, :now, :now)
    ON CONFLICT (id) DO NOTHING)sql";

constexpr std::size_t kRemarksMax = 1000;

constexpr std::string_view kRemarks =
    "SELECT record_remarks FROM ing_schedule_instance WHERE id = :id";

constexpr std::string_view kSetRemarks = R"sql(
    UPDATE ing_schedule_instance
    SET record_remarks = :remarks, updated_at = :now, version = version + 1 WHERE id = :id)sql";

}  // namespace

Result<void> Insert(Session& session, const domain::Trigger& trigger, Instant now) {
  PATRA_TRY(session.Run(kInsert, {{"id", trigger.id},
                                  {"scheduler_code", trigger.scheduler},
                                  {"scheduler_job_id", trigger.job_id},
                                  {"scheduler_log_id", trigger.log_id},
                                  {"trigger_type_code", trigger.type},
                                  {"triggered_at", trigger.fired_at},
                                  {"trigger_params", CanonicalJson(trigger.params)},
                                  {"provenance_code", trigger.lane.provenance},
                                  {"endpoint_name", trigger.lane.endpoint},
                                  {"operation_code", Code(trigger.lane.operation)},
                                  {"correlation_id", trigger.correlation},
                                  {"now", now}}));
  return {};
}

Result<void> AddRemark(Session& session, Id trigger, const Value& remark, Instant now) {
  auto rows = PATRA_TRY(session.Query(kRemarks, {{"id", trigger}}));
  if (!PATRA_TRY(rows.Next())) return {};
  const auto remarks = remark_table::WithOneMore(rows.View("record_remarks"), remark, kRemarksMax);
  PATRA_TRY(session.Run(kSetRemarks, {{"remarks", remarks}, {"now", now}, {"id", trigger}}));
  return {};
}

}  // namespace patra::infra::sql::schedule_instance_table
