// Table ing_query: what the definition in force says of a query of an endpoint.
#pragma once

#include <optional>

#include "app/port/query_book.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::query_table {

Result<std::optional<app::QueryInForce>> Find(Session& session, const domain::Lane& lane,
                                              const std::string& query_hash);
Result<void> Put(Session& session, const domain::Lane& lane, const std::string& query_hash,
                 const app::QueryInForce& in_force, Instant now);

// Where harvests of it begin; by the newest plan, where no planner has noted it.
Result<std::optional<Instant>> BeginsAt(Session& session, const domain::Lane& lane,
                                        const std::string& query_hash);

}  // namespace patra::infra::sql::query_table
