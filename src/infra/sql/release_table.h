// Table reg_release: definitions that hold for a release alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "infra/sql/registry_rows.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::release_table {

struct OfSource {
  std::string source;
  std::vector<RegistryRow> rows{};
};
// What is valid of a release at that moment, by source.
Result<std::vector<OfSource>> Valid(Session& session, const std::string& release, Instant at);

// Of every release that there ever was.
Result<std::vector<std::string>> Names(Session& session);

// Of one source.
struct Found {
  std::vector<RegistryRow> rows{};  // none: the release has nothing of it then
  std::optional<Instant> until{};   // another is valid, or none, from here on
};
Result<Found> Find(Session& session, const std::string& release, const std::string& source,
                   Instant at);

Result<void> Put(Session& session, Id id, const std::string& release, const OfSource& definition,
                 Instant from);
Result<void> Close(Session& session, const std::string& release, const std::string& source,
                   Instant to);

}  // namespace patra::infra::sql::release_table
