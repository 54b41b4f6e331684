#pragma once

#include <string>

#include "base/clock.h"

namespace patra {

// A name of this process that no other ever had, and that is another each time: the id of a process is reused, the start time
// is not, unless the clock stands still.
std::string NewProcessName(const Clock& clock);

}  // namespace patra
