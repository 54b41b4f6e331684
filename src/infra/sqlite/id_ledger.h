#pragma once

#include "app/port/id_ledger.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class IdLedger final : public app::IdLedger {
 public:
  IdLedger(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<int> AddFound(Id slice, const domain::Partition& partition,
                       std::span<const std::string> ids, Id batch) override;
  Result<std::vector<std::string>> NextOpen(Id slice, int ids_max) override;
  Result<void> MarkFetched(Id slice, std::span<const std::string> ids, Id batch) override;
  Result<void> MarkBad(Id slice, const domain::Partition& partition,
                       std::span<const std::string> ids, const std::string& reason,
                       Id batch) override;

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
