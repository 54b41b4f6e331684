// Table ing_quota: what is used of calendar quotas, by rate key and window.
#pragma once

#include <vector>

#include "app/port/gate_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::quota_table {

// How much of `piece` the window still had.
Result<std::int64_t> Reserve(Connection& connection, const std::string& key, Instant from,
                             Instant to, std::int64_t allowed, std::int64_t keep,
                             std::int64_t piece, Instant now);
Result<std::vector<app::QuotaWindow>> List(Connection& connection, Instant at);

}  // namespace patra::infra::sqlite::quota_table
