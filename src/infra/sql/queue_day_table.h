// Table ing_queue_day: how deep queues usually are.
#pragma once

#include <optional>
#include <string>

#include "infra/sql/session.h"

namespace patra::infra::sql::queue_day_table {

// One more look at the queue on that day.
Result<void> Add(Session& session, const std::string& lane_key, Instant day, std::int64_t queued);

struct Usual {
  double mean = 0;
  double deviation = 0;
};
// Of the days [from, to); nothing where nobody looked.
Result<std::optional<Usual>> Between(Session& session, const std::string& lane_key, Instant from,
                                     Instant to);

// A row a day and lane: there are never many.
Result<void> ForgetBefore(Session& session, const std::string& lane_key, Instant day);

}  // namespace patra::infra::sql::queue_day_table
