#include "infra/sqlite/quarantine_table.h"

#include "infra/sqlite/zstd_frame.h"

namespace patra::infra::sqlite::quarantine_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_quarantine
        (id, provenance_code, endpoint_name, operation_code, provider_item_id, level_code, path, rule,
         reason, body_zstd, body_size, expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no,
         record_no, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :provider_item_id, 'RECORD', :path,
            :rule, :reason, :body_zstd, :body_size, :expr_hash, :plan_id, :slice_id, :task_id, :run_id,
            :batch_id, :batch_no, :record_no, :now))sql";

}  // namespace

Result<void> Insert(Connection& connection, const app::BatchCommit& batch,
                    const domain::BadRecord& record, int record_no, Id new_id, Instant now) {
  const auto frame = Compress(record.bytes);
  const auto& partition = batch.task.partition;
  const auto& lineage = batch.lineage;
  PATRA_TRY(connection.Run(
      kInsert, new_id, partition.provenance, partition.endpoint, Code(partition.operation),
      record.id, record.path, record.rule, record.reason, Blob{frame},
      static_cast<std::int64_t>(record.bytes.size()), batch.task.slice_expr_hash, lineage.plan,
      lineage.slice, lineage.task, lineage.run, lineage.batch, batch.batch_no, record_no, now));
  return {};
}

}  // namespace patra::infra::sqlite::quarantine_table
