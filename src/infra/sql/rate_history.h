// Table ing_gate_minute.
#pragma once

#include "app/port/rate_history.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class RateHistory final : public app::RateHistory {
 public:
  RateHistory(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<void> Add(const std::vector<app::SentInMinute>& sent) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
