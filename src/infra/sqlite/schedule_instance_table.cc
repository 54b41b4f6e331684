#include "infra/sqlite/schedule_instance_table.h"

#include "base/canonical_json.h"

namespace patra::infra::sqlite::schedule_instance_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_schedule_instance
        (id, scheduler_code, scheduler_job_id, scheduler_log_id, trigger_type_code, triggered_at, trigger_params, provenance_code,
         endpoint_name, operation_code, created_at, updated_at)
    VALUES (:id, :scheduler_code, :scheduler_job_id, :scheduler_log_id, :trigger_type_code, :triggered_at, :trigger_params, :provenance_code,
            :endpoint_name, :operation_code, :now, :now)
    ON CONFLICT (id) DO NOTHING)sql";

constexpr std::string_view kAddRemark = R"sql(
    UPDATE ing_schedule_instance
    SET record_remarks = json_insert(record_remarks, '$[#]', json(:remark)), updated_at = :now,
        version = version + 1
    WHERE id = :id)sql";

}  // namespace

Result<void> Insert(Connection& connection, const domain::Trigger& trigger, Instant now) {
  PATRA_TRY(connection.Run(kInsert, trigger.id, trigger.scheduler, trigger.job_id, trigger.log_id,
                           trigger.type, trigger.fired_at, CanonicalJson(trigger.params),
                           trigger.partition.provenance, trigger.partition.endpoint,
                           Code(trigger.partition.operation), now));
  return {};
}

Result<void> AddRemark(Connection& connection, Id trigger, const Value& remark, Instant now) {
  PATRA_TRY(connection.Run(kAddRemark, CanonicalJson(remark), now, trigger));
  return {};
}

}  // namespace patra::infra::sqlite::schedule_instance_table
