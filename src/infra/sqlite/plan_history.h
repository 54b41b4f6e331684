#pragma once

#include "app/port/plan_history.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class PlanHistory final : public app::PlanHistory {
 public:
  PlanHistory(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<std::optional<domain::SliceHistory>> Of(const domain::Partition& partition,
                                                 const std::string& query_hash) override;
  Result<std::optional<std::int64_t>> ListSize(const domain::Partition& partition,
                                               const std::string& query_hash) override;

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
