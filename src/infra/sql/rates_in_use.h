// How much of what they may send endpoints send.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "contract/past.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

using RatesInUse = std::map<std::pair<std::string, std::string>, contract::RateInUse>;

// Over the last whole minute that everybody has written, by source and endpoint: those that sent something.
Result<RatesInUse> ReadRatesInUse(Session& session, Instant now);

}  // namespace patra::infra::sql
