// How things stand, for those who watch: read from the store when they ask.
#pragma once

#include "app/port/meters.h"
#include "app/port/store.h"
#include "base/clock.h"

namespace patra::app {

// An error where the store cannot be asked; then what was set before is left out, for it says nothing about the present.
Result<void> SetGauges(Store& store, Meters& meters);

}  // namespace patra::app
