// What the log says of an action of self-healing.
#pragma once

#include "app/port/heal_journal.h"
#include "base/value.h"

namespace patra::app {

// The action by its name alone, which is counted, and what it was decided by.
Value::Object ActedDetails(const HealEntry& entry);

}  // namespace patra::app
