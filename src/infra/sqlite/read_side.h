#pragma once

#include "contract/read_side.h"
#include "infra/sqlite/completeness_queries.h"
#include "infra/sqlite/item_queries.h"
#include "infra/sqlite/ledger_queries.h"
#include "infra/sqlite/status_queries.h"

namespace patra::infra::sqlite {

// Thread-safe.
class ReadSide final : public contract::ReadSide {
 public:
  explicit ReadSide(Store& store)
      : ledger_(store), items_(store), status_(store), completeness_(store) {}

  contract::LedgerQueries& ledger() override { return ledger_; }
  contract::ItemQueries& items() override { return items_; }
  contract::StatusQueries& status() override { return status_; }
  contract::CompletenessQueries& completeness() override { return completeness_; }

 private:
  LedgerQueries ledger_;
  ItemQueries items_;
  StatusQueries status_;
  CompletenessQueries completeness_;
};

}  // namespace patra::infra::sqlite
