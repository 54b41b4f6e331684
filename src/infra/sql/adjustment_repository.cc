#include "infra/sql/adjustment_repository.h"

#include "base/canonical_json.h"
#include "domain/alert/alert_kind.h"
#include "infra/sql/adjustment_table.h"
#include "infra/sql/alert_table.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/cursor_table.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {
namespace {

// A cursor that stands still looks like a source without news: people have to hear of it.
constexpr auto kHeld = domain::AlertKind::kCursorHeld;

}  // namespace

Result<void> AdjustmentRepository::Put(const app::Adjustment& adjustment) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    if (adjustment.kind == app::AdjustmentKind::kCursorHold)
      PATRA_TRY(alert_table::Raise(
          session,
          domain::AlertOf(kHeld, {adjustment.provenance, adjustment.endpoint}, adjustment.reason,
                          CanonicalJson(Value::Object{{"reason", adjustment.reason}})),
          ids_.Next(), now));
    return adjustment_table::Put(session, adjustment, now);
  });
}

Result<bool> AdjustmentRepository::TakeBack(const std::string& provenance,
                                            const std::string& endpoint, app::AdjustmentKind kind,
                                            const app::Decision& decision) {
  const bool was_there = PATRA_TRY(database_.Write([&](Session& session) -> Result<bool> {
    if (!PATRA_TRY(adjustment_table::Remove(session, provenance, endpoint, kind))) return false;
    const auto now = clock_.Now();
    if (kind == app::AdjustmentKind::kCursorHold)
      PATRA_TRY(
          alert_table::Resolve(session, domain::AlertKey(kHeld, {provenance, endpoint}), now));
    PATRA_TRY(audit_table::Insert(session, "TAKE_BACK_ADJUSTMENT", "SOURCE",
                                  provenance + "/" + endpoint, decision, ids_.Next(), now));
    return true;
  }));
  if (!was_there || kind != app::AdjustmentKind::kCursorHold) return was_there;
  const domain::Lane lane{provenance, endpoint, domain::Operation::kHarvest};
  const auto held = PATRA_TRY(
      database_.Read([&](Session& session) { return cursor_table::NamespacesOf(session, lane); }));
  for (const auto& cursor : held) PATRA_TRY(cursors_.Settle(lane, cursor));
  return true;
}

Result<std::optional<app::Adjustment>> AdjustmentRepository::Find(const std::string& provenance,
                                                                  const std::string& endpoint,
                                                                  app::AdjustmentKind kind) {
  return database_.Read([&](Session& session) {
    return adjustment_table::Find(session, provenance, endpoint, kind, clock_.Now());
  });
}

Result<std::vector<app::Adjustment>> AdjustmentRepository::List() {
  return database_.Read(
      [&](Session& session) { return adjustment_table::List(session, clock_.Now()); });
}

Result<bool> AdjustmentRepository::AskOfSlice(Id slice, domain::SliceRequest request,
                                              const std::string& reason) {
  return database_.Write(
      [&](Session& session) { return task_table::AskOfSlice(session, slice, request, reason); });
}

}  // namespace patra::infra::sql
