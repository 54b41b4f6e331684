// Table ing_coverage: disjoint stretches of source time that are proven complete.
#pragma once

#include "domain/cursor/coverage.h"
#include "domain/plan/plan.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::coverage_table {

// What touches or overlaps the window.
Result<domain::Coverage> Around(Connection& connection, const domain::Partition& partition,
                                const std::string& query_hash, const domain::Window& window);

// Merges the window in.
Result<void> Add(Connection& connection, const domain::Partition& partition,
                 const std::string& query_hash, const domain::Window& window, Id new_id,
                 Instant now);

// Nothing from that moment on is proven any more.
Result<void> Withdraw(Connection& connection, const domain::Partition& partition,
                      const std::string& query_hash, Instant from);

// The queries of which anything is proven.
Result<std::vector<std::string>> Queries(Connection& connection,
                                         const domain::Partition& partition);

}  // namespace patra::infra::sqlite::coverage_table
