// Table ing_schedule_instance.
#pragma once

#include "domain/plan/plan.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::schedule_instance_table {

Result<void> Insert(Connection& connection, const domain::Trigger& trigger, Instant now);
Result<void> AddRemark(Connection& connection, Id trigger, const Value& remark, Instant now);

}  // namespace patra::infra::sqlite::schedule_instance_table
