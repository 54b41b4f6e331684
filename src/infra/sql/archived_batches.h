// Batches wherever they are: in the store, or in a file of the archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/ledger_queries.h"
#include "infra/sql/archived_rows.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::archived_batches {

Result<std::optional<contract::BatchRow>> Read(Session& session, ArchivedRows& archived, Id batch);
Result<std::vector<contract::BatchRow>> List(Session& session, ArchivedRows& archived,
                                             const contract::LedgerFilter& filter);

// With what a replay needs of it.
Result<std::optional<batch_table::Recorded>> FindRecorded(Session& session, ArchivedRows& archived,
                                                          Id run, Id batch);
// kNotFound where none was kept, with why where that is known.
Result<app::RawPage> ReadPage(Session& session, ArchivedRows& archived, Id batch);

// The first archived batch of an endpoint that was committed in that very moment.
Result<std::optional<Id>> CommittedAt(Session& session, ArchivedRows& archived,
                                      const std::string& source, const std::string& endpoint,
                                      Instant at);

}  // namespace patra::infra::sql::archived_batches
