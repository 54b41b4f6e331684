// Which rows may leave the store: those that neither work nor a person needs any more.
#pragma once

#include <span>
#include <vector>

#include "app/port/archive_store.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// Of rows of before that moment, the next after a place, at most so many.
Result<app::ArchiveLook> LookForOldRows(Session& session, app::ArchivedKind kind, Instant before,
                                        const app::ArchivePlace& after, int rows_max);

// Those of the rows that may still go: a person may have taken up again what they belong to, or they are gone.
Result<std::vector<Id>> StillMayGo(Session& session, app::ArchivedKind kind,
                                   std::span<const Id> ids);

}  // namespace patra::infra::sql
