#pragma once

#include "app/port/gate_ledger.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Tables ing_gate and ing_quota. Thread-safe.
class GateLedger final : public app::GateLedger {
 public:
  GateLedger(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::optional<std::int64_t>> Epoch() override;
  Result<void> SetEpoch(std::int64_t epoch) override;
  Result<void> Rest(const app::RestingGate& gate) override;
  Result<std::optional<app::RestingGate>> Resting() override;
  Result<std::int64_t> ReserveQuota(const std::string& key, Instant from, Instant to,
                                    std::int64_t allowed, std::int64_t keep,
                                    std::int64_t piece) override;
  Result<std::vector<app::QuotaWindow>> Quotas(Instant at) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
