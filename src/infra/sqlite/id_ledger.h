#pragma once

#include "app/port/id_ledger.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class IdLedger final : public app::IdLedger {
 public:
  explicit IdLedger(Store& store) : store_(store) {}

  Result<std::vector<std::string>> NextOpen(Id slice, int ids_max) override;
  Result<std::vector<std::string>> Known(const domain::Partition& partition, int ids_max) override;

 private:
  Store& store_;
};

}  // namespace patra::infra::sqlite
