// Moments and lengths of time. Everything in patra is UTC with microseconds; zones exist only at
// the edges, where people and providers write dates.
#pragma once

#include <chrono>

namespace patra {

using Duration = std::chrono::microseconds;
using Instant = std::chrono::sys_time<Duration>;

}  // namespace patra
