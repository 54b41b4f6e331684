// `patra audit`: what people decided, about what, and why.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "contract/ledger_queries.h"

namespace patra::adapter::cli {

struct AuditListing {
  std::string object{};  // TYPE/ID, such as TASK/42; empty: all
  std::string before{};  // an id: only older ones
  std::string id{};      // of the one that is shown
  int entries_max = 50;
  bool as_json = false;
};

int RunAuditList(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console);
int RunAuditShow(const AuditListing& listing, contract::LedgerQueries& ledger,
                 const Console& console);

}  // namespace patra::adapter::cli
