// The tables of the registry that have a row for each block of a definition.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "infra/sql/registry_rows.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// Of all sources.
Result<std::vector<RegistryRow>> ValidRows(Session& session, Instant at);

// Those of one source, and until when they are all of it.
struct RowsOfSource {
  std::vector<RegistryRow> rows{};
  std::optional<Instant> until{};
};
Result<RowsOfSource> ReadSource(Session& session, const std::string& source, Instant at);

// Of all sources that are valid.
Result<std::vector<std::string>> SourceNames(Session& session, Instant at);

// Sources of which something is valid from a later moment on only, and that moment: the newest.
Result<std::map<std::string, Instant>> BeginningLater(Session& session, Instant than);
// All that is to be valid of the source is valid from then on, and what was before it ends there.
Result<void> BringForward(Session& session, const std::string& source, Instant to);

Result<void> CloseRow(Session& session, const RegistryRow& row, Instant to);
Result<void> OpenRow(Session& session, Id id, const RegistryRow& row, Instant from);

}  // namespace patra::infra::sql
