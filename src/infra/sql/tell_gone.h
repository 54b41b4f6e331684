// A list that was read whole, and proven, tells what is gone from it. In the transaction that proves it, so that a crash leaves
// neither half of it; by the one rule that takes records in, so that whoever listens hears of it.
#pragma once

#include <cstdint>
#include <string>

#include "infra/sql/prove_window.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

struct Gone {
  std::int64_t records = 0;  // that have a tombstone now
  bool is_told = false;      // the list is one that tells
  std::string doubt{};       // why records that are missing have none
};

// REQUIRES: the whole window of the plan is proven, in this transaction
Result<Gone> TellGone(Session& session, const Proof& proof, IdGenerator& ids, Instant now);

}  // namespace patra::infra::sql
