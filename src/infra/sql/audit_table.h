// Table ing_audit: every decision that a person took.
#pragma once

#include <string>
#include <string_view>

#include "app/port/decision.h"
#include "base/id.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::audit_table {

Result<void> Insert(Session& session, std::string_view action, std::string_view object_type,
                    const std::string& object_id, const app::Decision& decision, Id new_id,
                    Instant now, std::string_view details = "{}");

}  // namespace patra::infra::sql::audit_table
