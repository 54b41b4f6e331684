#pragma once

#include "app/port/id_ledger.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class IdLedger final : public app::IdLedger {
 public:
  explicit IdLedger(Database& database) : database_(database) {}

  Result<std::vector<std::string>> NextOpen(Id slice, int ids_max) override;
  Result<std::vector<std::string>> Known(const domain::Lane& lane, int ids_max) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
