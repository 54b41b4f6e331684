#include "domain/heal/failing_batches.h"

#include <fmt/format.h>

namespace patra::domain {

std::optional<std::string> TooManyFail(const BatchesSeen& seen, const FailingPolicy& policy) {
  if (seen.batches < policy.batches_min) return std::nullopt;
  const auto part = static_cast<double>(seen.failing) / static_cast<double>(seen.batches);
  if (part <= policy.part_over) return std::nullopt;
  return fmt::format("{} of {} batches came only after failures, more than {:g} %", seen.failing,
                     seen.batches, policy.part_over * 100);
}

}  // namespace patra::domain
