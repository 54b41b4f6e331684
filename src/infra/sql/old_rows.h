#pragma once

#include "app/port/old_rows.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class OldRows final : public app::OldRows {
 public:
  OldRows(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::int64_t> Count(app::OldKind kind, Instant before,
                             std::int64_t counted_at_most) override;
  Result<app::OldStep> Delete(app::OldKind kind, Instant before, Id after, int rows_max) override;
  Result<app::CoarsenedStep> Coarsen(Duration width, Instant before, Instant from) override;
  Result<void> AddToTally(const app::Tally& gone) override;
  Result<std::vector<app::Tally>> Tallies() override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
