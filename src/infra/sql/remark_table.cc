#include "infra/sql/remark_table.h"

#include "base/canonical_json.h"

namespace patra::infra::sql::remark_table {
namespace {

constexpr int kRemarksMax = 20;

constexpr std::string_view kAddToTask = R"sql(
    UPDATE ing_task
    SET record_remarks = json_insert(
            CASE WHEN json_array_length(record_remarks) >= :remarks_max
                 THEN json_remove(record_remarks, '$[0]') ELSE record_remarks END,
            '$[#]', json(:remark))
    WHERE id = :id)sql";

constexpr std::string_view kAddToSlice = R"sql(
    UPDATE ing_plan_slice
    SET record_remarks = json_insert(
            CASE WHEN json_array_length(record_remarks) >= :remarks_max
                 THEN json_remove(record_remarks, '$[0]') ELSE record_remarks END,
            '$[#]', json(:remark))
    WHERE id = :id)sql";

Result<void> Add(Session& session, std::string_view sql, Id id, const Remark& remark, Instant now) {
  Value::Object members{{"at", FormatRfc3339(now)}, {"what", remark.what}};
  if (!remark.why.empty()) members["why"] = remark.why;
  if (!remark.by.empty()) members["by"] = remark.by;
  PATRA_TRY(session.Run(
      sql, {{"remarks_max", kRemarksMax}, {"remark", CanonicalJson(members)}, {"id", id}}));
  return {};
}

}  // namespace

Result<void> OnTask(Session& session, Id task, const Remark& remark, Instant now) {
  return Add(session, kAddToTask, task, remark, now);
}

Result<void> OnSlice(Session& session, Id slice, const Remark& remark, Instant now) {
  return Add(session, kAddToSlice, slice, remark, now);
}

}  // namespace patra::infra::sql::remark_table
