// Table ing_schedule_instance.
#pragma once

#include "domain/plan/plan.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::schedule_instance_table {

Result<void> Insert(Session& session, const domain::Trigger& trigger, Instant now);
Result<void> AddRemark(Session& session, Id trigger, const Value& remark, Instant now);

}  // namespace patra::infra::sql::schedule_instance_table
