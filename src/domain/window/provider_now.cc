#include "domain/window/provider_now.h"

namespace patra::domain {

Instant ProviderNow(ClockVerdict verdict, Instant ours, std::optional<Instant> theirs) {
  if (verdict == ClockVerdict::kOursAhead && theirs) return *theirs;
  return ours + kClockTolerance;
}

}  // namespace patra::domain
