// Table ing_signal.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/signal_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::signal_table {

// False where the same signal is waiting already.
Result<bool> Insert(Session& session, const app::Signal& signal, Id new_id, Instant now);

// Leaves out those that are waiting already.
Result<void> InsertAll(Session& session, std::span<const app::Signal> signals, IdGenerator& ids,
                       Instant now);

Result<std::int64_t> CountOpen(Session& session, const std::string& provenance,
                               const std::string& endpoint);

Result<std::vector<app::Signal>> List(Session& session, const std::string& status, int signals_max);

// Marks the oldest waiting signals as taken by the plan and returns them.
Result<std::vector<app::Signal>> Take(Session& session, Id plan, const std::string& provenance,
                                      const std::string& endpoint, int signals_max, Instant now);

// What the plan has taken and not settled, in the order of ids.
Result<std::vector<app::Signal>> TakenBy(Session& session, Id plan, Id after, int signals_max);

// The last signal of the plan before the first whose record is still open.
Result<std::optional<Id>> LastBefore(Session& session, Id plan,
                                     const std::function<bool(const std::string&)>& is_open);

Result<void> Settle(Session& session, Id plan);

}  // namespace patra::infra::sql::signal_table
