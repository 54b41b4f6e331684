// Table ing_adjustment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/adjustment_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::adjustment_table {

Result<void> Put(Session& session, const app::Adjustment& adjustment, Instant now);
Result<bool> Remove(Session& session, const std::string& provenance, const std::string& endpoint,
                    app::AdjustmentKind kind);

// In force at `now`.
Result<std::optional<app::Adjustment>> Find(Session& session, const std::string& provenance,
                                            const std::string& endpoint, app::AdjustmentKind kind,
                                            Instant now);
Result<std::vector<app::Adjustment>> List(Session& session, Instant now);

}  // namespace patra::infra::sql::adjustment_table
