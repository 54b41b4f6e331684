#pragma once

#include "app/port/gate_ledger.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Tables ing_gate and ing_quota. Thread-safe.
class GateLedger final : public app::GateLedger {
 public:
  GateLedger(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<std::optional<std::int64_t>> Epoch() override;
  Result<void> SetEpoch(std::int64_t epoch) override;
  Result<std::int64_t> ReserveQuota(const std::string& key, Instant from, Instant to,
                                    std::int64_t allowed, std::int64_t keep,
                                    std::int64_t piece) override;
  Result<std::vector<app::QuotaWindow>> Quotas(Instant at) override;

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
