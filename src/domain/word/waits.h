// What work waits for, and until when.
#pragma once

#include <string>

#include "base/time.h"
#include "domain/word/wait_reason.h"

namespace patra::domain {

// Why and until when a request waits, for whoever shows it.
struct GateWait {
  WaitReason reason = WaitReason::kNone;
  Instant until;
  std::string failure{};  // what came instead of a page, where it is asked for again after the wait
  Duration lost{};        // how long that took
};

// What the next of the queued tasks waits for.
struct TaskWait {
  std::string what;  // "COOL_DOWN", or what went wrong when it was last tried
  Instant until;
};

}  // namespace patra::domain
