#pragma once

#include "app/port/plan_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/cursor/cursor_move.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class PlanRepository final : public app::PlanRepository {
 public:
  PlanRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids), cursors_(database, clock, ids) {}

  Result<void> RecordTrigger(const domain::Trigger& trigger) override;
  Result<void> RemarkOnTrigger(Id trigger, const Value& remark) override;
  Result<app::PlanAdded> AddIfAbsent(const domain::Plan& plan) override;
  Result<int> AddSlices(const domain::Plan& plan, std::span<const domain::SliceWithTask> slices,
                        const app::SlicingProgress& progress) override;
  Result<int> AddIdSlices(const domain::Plan& plan, std::span<const app::IdSlice> slices,
                          const app::SlicingProgress& progress,
                          const std::optional<app::RequestRoom>& room) override;
  Result<void> Move(Id plan, domain::PlanStatus to) override;
  Result<void> Remark(Id plan, const Value& remarks) override;
  Result<void> NoteSlowDown(Id plan, const Value& slow_down) override;
  Result<std::optional<app::StoredPlan>> Find(Id plan) override;
  Result<std::optional<Id>> FindUncut(const domain::Lane& lane,
                                      const domain::CursorNamespace& cursor) override;
  Result<std::vector<app::OlderPlan>> OfOtherSnapshots(const domain::Lane& lane,
                                                       const std::string& fingerprint) override;
  Result<std::vector<domain::Window>> OpenStretches(const domain::Lane& lane,
                                                    const std::string& query_hash,
                                                    const domain::Window& window) override;
  Result<std::vector<domain::UnfinishedSlice>> Unfinished(
      const domain::Lane& lane, const std::string& query_hash,
      const std::optional<domain::Window>& window) override;
  Result<std::vector<domain::UnfinishedSlice>> UnfinishedOf(Id plan) override;
  Result<app::Cancelled> CancelPlan(Id plan, const app::Decision& decision) override;
  Result<app::Cancelled> CancelSlice(Id slice, const app::Decision& decision) override;
  Result<app::Cancelled> CancelTask(Id task, const app::Decision& decision) override;

 private:
  // COMPLETED where a plan that is handed over has nothing left to do, with the cursor's step that this makes.
  Result<std::optional<domain::CursorMove>> CompleteIfDone(Session& session, Id plan, Instant now);
  Result<app::Cancelled> CancelOne(Session& session, Id task, const app::Decision& decision);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
  CursorRepository cursors_;
};

}  // namespace patra::infra::sql
