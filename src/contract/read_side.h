// Everything that can be asked of a store, together. Thread-safe.
#pragma once

#include "contract/certificate.h"
#include "contract/changes.h"
#include "contract/dashboard.h"
#include "contract/items.h"
#include "contract/ledger_queries.h"
#include "contract/status.h"

namespace patra::contract {

class ReadSide {
 public:
  virtual ~ReadSide() = default;

  virtual LedgerQueries& ledger() = 0;
  virtual ItemQueries& items() = 0;
  virtual StatusQueries& status() = 0;
  virtual CompletenessQueries& completeness() = 0;
  virtual DashboardQueries& dashboard() = 0;
  virtual ChangeQueries& changes() = 0;
};

}  // namespace patra::contract
