// Table ing_provider_clock: what providers' clocks said, for later comparison.
#pragma once

#include <optional>
#include <string>

#include "domain/window/provider_clock.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::provider_clock_table {

Result<std::optional<domain::ClockReading>> Find(Session& session, const std::string& provenance);

// Of this reading and the one that is there, what later ones are compared with.
Result<void> Note(Session& session, const std::string& provenance,
                  const domain::ClockReading& reading);

}  // namespace patra::infra::sql::provider_clock_table
