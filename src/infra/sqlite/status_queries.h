#pragma once

#include "contract/status.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class StatusQueries final : public contract::StatusQueries {
 public:
  explicit StatusQueries(Store& store) : store_(store) {}

  Result<contract::StoreStatus> Status(Instant now) override;

 private:
  Store& store_;
};

}  // namespace patra::infra::sqlite
