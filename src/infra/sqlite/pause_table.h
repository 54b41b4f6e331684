// Table ing_pause: what people have stopped.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::pause_table {

struct Pause {
  std::string provenance;
  std::string endpoint = "*";  // "*": all of them
  std::string reason;
  std::string paused_by;
  Instant paused_at;
  std::optional<Instant> until{};
};

// Replaces an earlier pause of the same target.
Result<void> Put(Connection& connection, const Pause& pause);

// Whether there was one.
Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint);

}  // namespace patra::infra::sqlite::pause_table
