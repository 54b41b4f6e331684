// Table ing_adjustment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/adjustment_repository.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::adjustment_table {

Result<void> Put(Connection& connection, const app::Adjustment& adjustment, Instant now);
Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint, app::AdjustmentKind kind);

// In force at `now`.
Result<std::optional<app::Adjustment>> Find(Connection& connection, const std::string& provenance,
                                            const std::string& endpoint, app::AdjustmentKind kind,
                                            Instant now);
Result<std::vector<app::Adjustment>> List(Connection& connection, Instant now);

}  // namespace patra::infra::sqlite::adjustment_table
