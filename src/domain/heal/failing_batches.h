// When so much of a run fails that it had better end and be taken up again later.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/heal/heal_policy.h"

namespace patra::domain {

// Of one run. A batch that came only after failures is one of those that failed; being told to be slower is no failure.
struct BatchesSeen {
  std::int64_t batches = 0;
  std::int64_t failing = 0;

  void Count(bool has_failed) {
    ++batches;
    if (has_failed) ++failing;
  }
};

// Why the run should end, for people; nothing where it may go on.
std::optional<std::string> TooManyFail(const BatchesSeen& seen, const FailingPolicy& policy);

}  // namespace patra::domain
