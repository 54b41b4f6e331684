// The last moment of which a provider can have said anything.
#pragma once

#include <optional>

#include "domain/window/provider_clock.h"

namespace patra::domain {

// What the provider's now was at most when our clock said `ours`, and its own `theirs`. Also where the clocks agree, a
// slice may reach beyond it: one that was planned while ours was ahead.
Instant ProviderNow(ClockVerdict verdict, Instant ours, std::optional<Instant> theirs);

}  // namespace patra::domain
