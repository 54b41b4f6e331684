// Table ing_audit: every decision that a person took.
#pragma once

#include <string>
#include <string_view>

#include "app/port/hold_repository.h"
#include "base/id.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::audit_table {

Result<void> Insert(Connection& connection, std::string_view action, std::string_view object_type,
                    const std::string& object_id, const app::Decision& decision, Id new_id,
                    Instant now, std::string_view details = "{}");

}  // namespace patra::infra::sqlite::audit_table
