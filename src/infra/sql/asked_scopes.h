// The sources and operations that a filter asks for.
#pragma once

#include <string>
#include <string_view>

#include "contract/ledger_queries.h"
#include "infra/sql/asked_codes.h"
#include "infra/sql/known_sources.h"

namespace patra::infra::sql {

// Calls `visit(source, operation)`, which returns a Result<void>, for each of them.
template <typename Visit>
Result<void> ForEachScope(Session& session, const contract::LedgerFilter& filter,
                          const Visit& visit) {
  const auto operations = PATRA_TRY(AskedOperations(filter.operation));
  for (const auto& source : PATRA_TRY(KnownSources(session, filter.source))) {
    for (const auto operation : operations) PATRA_TRY(visit(source, operation));
  }
  return {};
}

}  // namespace patra::infra::sql
