#pragma once

#include "contract/status.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class StatusQueries final : public contract::StatusQueries {
 public:
  explicit StatusQueries(Database& database) : database_(database) {}

  Result<contract::StoreStatus> Status(Instant now) override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
