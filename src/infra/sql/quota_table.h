// Table ing_quota: what is used of calendar quotas, by rate key and window.
#pragma once

#include <vector>

#include "app/port/gate_ledger.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::quota_table {

// How much of `piece` the window still had.
Result<std::int64_t> Reserve(Session& session, const std::string& key, Instant from, Instant to,
                             std::int64_t allowed, std::int64_t keep, std::int64_t piece,
                             Instant now);
Result<std::vector<app::QuotaWindow>> List(Session& session, Instant at);

}  // namespace patra::infra::sql::quota_table
