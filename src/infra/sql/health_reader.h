#pragma once

#include "app/port/health_reader.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class HealthReader final : public app::HealthReader {
 public:
  HealthReader(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::vector<app::LaneHealth>> Observe(const domain::HealPolicy& policy) override;
  Result<void> NoteQueues(const std::vector<app::LaneHealth>& lanes) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
