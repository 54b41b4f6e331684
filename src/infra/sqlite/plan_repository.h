#pragma once

#include "app/port/plan_repository.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class PlanRepository final : public app::PlanRepository {
 public:
  PlanRepository(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<void> RecordTrigger(const domain::Trigger& trigger) override;
  Result<void> RemarkOnTrigger(Id trigger, const Value& remark) override;
  Result<app::PlanAdded> AddIfAbsent(const domain::Plan& plan) override;
  Result<int> AddSlices(const domain::Plan& plan, std::span<const domain::SliceWithTask> slices,
                        Instant sliced_to) override;
  Result<void> Move(Id plan, domain::PlanStatus to) override;

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
