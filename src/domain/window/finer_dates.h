// Whether the provider's dates are finer than the steps in which it is asked for them.
#pragma once

#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Where the upper end is included, `to` is the last step before the window's end. A provider that compares it with dates as they
// are leaves out what lies between that step and the next one; one that compares whole steps does not. Days and hours are
// compared as such; a second is a moment to some and a second to others.
bool MayMissFinerDates(const WindowSpec& window, Instant date);

}  // namespace patra::domain
