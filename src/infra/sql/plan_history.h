#pragma once

#include "app/port/plan_history.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class PlanHistory final : public app::PlanHistory {
 public:
  PlanHistory(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::optional<domain::SliceHistory>> Of(const domain::Lane& lane,
                                                 const std::string& query_hash) override;
  Result<bool> AnyFellShort(const domain::Lane& lane, const std::string& query_hash,
                            const domain::Window& window) override;
  Result<std::optional<std::int64_t>> ListSize(const domain::Lane& lane,
                                               const std::string& query_hash) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
