// Somebody says that what blew a fuse is put right.
#pragma once

#include "app/port/hold_repository.h"
#include "app/port/rate_gate.h"
#include "app/source/resolve_source.h"

namespace patra::app {

// The source is harvested again, and the credentials that its provider had refused are tried again: else the fuse would
// blow at the next request.
Result<void> ResetFuse(HoldRepository& holds, RateGate& gate, const domain::SourceTarget& target,
                       const Decision& decision);

}  // namespace patra::app
