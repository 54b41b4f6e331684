// The first link of the lineage.
#pragma once

#include "app/api/plan_request.h"
#include "domain/plan/plan.h"

namespace patra::app {

domain::Trigger TriggerOf(const TriggerOrigin& origin, Id id, Instant fired_at,
                          const domain::Lane& lane);

}  // namespace patra::app
