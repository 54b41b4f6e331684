#include "app/plan/trigger_of.h"

namespace patra::app {

domain::Trigger TriggerOf(const TriggerOrigin& origin, Id id, Instant fired_at,
                          const domain::Lane& lane) {
  return {.id = id,
          .scheduler = origin.scheduler,
          .job_id = origin.job_id,
          .log_id = origin.log_id,
          .type = origin.type,
          .fired_at = fired_at,
          .params = origin.params,
          .lane = lane,
          .correlation = domain::CorrelationOf(id, origin.log_id)};
}

}  // namespace patra::app
