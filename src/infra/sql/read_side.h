#pragma once

#include "contract/read_side.h"
#include "infra/sql/change_queries.h"
#include "infra/sql/completeness_queries.h"
#include "infra/sql/dashboard_queries.h"
#include "infra/sql/item_queries.h"
#include "infra/sql/ledger_queries.h"
#include "infra/sql/status_queries.h"

namespace patra::infra::sql {

// Thread-safe.
class ReadSide final : public contract::ReadSide {
 public:
  ReadSide(Database& database, ArchivedRows& archived)
      : ledger_(database, archived),
        items_(database, archived),
        status_(database),
        completeness_(database),
        dashboard_(database),
        changes_(database) {}

  contract::LedgerQueries& ledger() override { return ledger_; }
  contract::ItemQueries& items() override { return items_; }
  contract::StatusQueries& status() override { return status_; }
  contract::CompletenessQueries& completeness() override { return completeness_; }
  contract::DashboardQueries& dashboard() override { return dashboard_; }
  contract::ChangeQueries& changes() override { return changes_; }

 private:
  LedgerQueries ledger_;
  ItemQueries items_;
  StatusQueries status_;
  CompletenessQueries completeness_;
  DashboardQueries dashboard_;
  ChangeQueries changes_;
};

}  // namespace patra::infra::sql
