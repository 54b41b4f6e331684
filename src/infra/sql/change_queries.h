#pragma once

#include "contract/changes.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ChangeQueries final : public contract::ChangeQueries {
 public:
  explicit ChangeQueries(Database& database) : database_(database) {}

  Result<contract::ChangePage> After(const contract::ChangePlace& place,
                                     const contract::ChangeFilter& filter,
                                     int changes_max) override;
  Result<contract::ChangePlace> End() override;

 private:
  Database& database_;
};

}  // namespace patra::infra::sql
