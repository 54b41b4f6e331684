// Table ing_node: which process makes ids with which number.
#pragma once

#include <string>

#include "infra/sql/session.h"

namespace patra::infra::sql::node_table {

// Number 0 is nobody's: whoever only looks makes no ids.
inline constexpr int kForLooking = 0;

// A number that no living process has: a fresh one, else the one that was given up longest ago. kExhausted where all are
// in use.
Result<int> Take(Session& session, const std::string& owner, Instant until, Instant now);

// Keeps it, or gives it up at `until`. False where somebody else has it by now.
Result<bool> HoldUntil(Session& session, int node, const std::string& owner, Instant until);

}  // namespace patra::infra::sql::node_table
