// Table ing_coverage: disjoint stretches of source time that are proven complete.
#pragma once

#include "base/id.h"
#include "domain/cursor/coverage.h"
#include "domain/word/lane.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::coverage_table {

// What touches or overlaps the window.
Result<domain::Coverage> Around(Session& session, const domain::Lane& lane,
                                const std::string& query_hash, const domain::Window& window);

// Merges the window in.
Result<void> Add(Session& session, const domain::Lane& lane, const std::string& query_hash,
                 const domain::Window& window, Id new_id, Instant now);

// Nothing from that moment on is proven any more.
Result<void> Withdraw(Session& session, const domain::Lane& lane, const std::string& query_hash,
                      Instant from);

// Nothing within the window is proven any more. `new_id` is for a stretch that is left on its other side.
Result<void> TakeOut(Session& session, const domain::Lane& lane, const std::string& query_hash,
                     const domain::Window& window, Id new_id, Instant now);

// The queries of which anything is proven.
Result<std::vector<std::string>> Queries(Session& session, const domain::Lane& lane);

}  // namespace patra::infra::sql::coverage_table
