#include "infra/sql/remark_table.h"

#include "base/canonical_json.h"

namespace patra::infra::sql::remark_table {
namespace {

constexpr std::size_t kRemarksMax = 20;

struct Statements {
  std::string_view read;
  std::string_view write;
};

constexpr Statements kOfTask{
    .read = "SELECT record_remarks FROM ing_task WHERE id = :id",
    .write = "UPDATE ing_task SET record_remarks = :remarks WHERE id = :id"};
constexpr Statements kOfSlice{
    .read = "SELECT record_remarks FROM ing_plan_slice WHERE id = :id",
    .write = "UPDATE ing_plan_slice SET record_remarks = :remarks WHERE id = :id"};

Result<void> Add(Session& session, const Statements& statements, Id id, const Remark& remark,
                 Instant now) {
  Value::Object members{{"at", FormatRfc3339(now)}, {"what", remark.what}};
  if (!remark.why.empty()) members["why"] = remark.why;
  if (!remark.by.empty()) members["by"] = remark.by;
  auto rows = PATRA_TRY(session.Query(statements.read, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return {};
  const auto remarks = WithOneMore(rows.View("record_remarks"), std::move(members), kRemarksMax);
  PATRA_TRY(session.Run(statements.write, {{"remarks", remarks}, {"id", id}}));
  return {};
}

}  // namespace

std::string WithOneMore(std::string_view remarks, Value remark, std::size_t remarks_max) {
  const auto stored = ParseJson(remarks);
  Value::Array list;
  if (stored && stored->AsArray() != nullptr) list = *stored->AsArray();
  list.push_back(std::move(remark));
  if (list.size() > remarks_max)
    list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(remarks_max));
  return CanonicalJson(list);
}

Result<void> OnTask(Session& session, Id task, const Remark& remark, Instant now) {
  return Add(session, kOfTask, task, remark, now);
}

Result<void> OnSlice(Session& session, Id slice, const Remark& remark, Instant now) {
  return Add(session, kOfSlice, slice, remark, now);
}

}  // namespace patra::infra::sql::remark_table
