// Events of cursors wherever they are: in the store, or in a file of the archive.
#pragma once

#include <vector>

#include "contract/ledger_queries.h"
#include "infra/sql/archived_rows.h"

namespace patra::infra::sql::archived_events {

// The newest of a cursor, and those that the filter's plan caused.
Result<std::vector<contract::CursorEventRow>> Of(Session& session, ArchivedRows& archived,
                                                 const contract::CursorRow& cursor,
                                                 const contract::Stretch& within, int rows_max);
Result<std::vector<contract::CursorEventRow>> Of(Session& session, ArchivedRows& archived,
                                                 const contract::LedgerFilter& filter);

}  // namespace patra::infra::sql::archived_events
