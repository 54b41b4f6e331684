// Table ing_remap: definitions that are applied to the raw vault, and how far each has come.
#pragma once

#include <optional>
#include <vector>

#include "app/port/remap_store.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::remap_table {

// The newest of the same wish that is not finished.
Result<std::optional<app::Remap>> FindOpen(Session& session, const app::RemapWish& wish);
Result<void> Insert(Session& session, const app::Remap& remap, Instant now);
Result<void> Note(Session& session, const app::Remap& remap, Instant now);
Result<void> Finish(Session& session, const app::Remap& remap, Instant now);

// Batches of the endpoint that brought records, in the order of runs and numbers.
Result<std::vector<app::VaultPage>> Pages(Session& session, const domain::Lane& lane,
                                          std::optional<Instant> since,
                                          const app::RemapPlace& after, int pages_max);

}  // namespace patra::infra::sql::remap_table
