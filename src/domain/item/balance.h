// Whether what came makes up what was announced (I14). Executors and certificates judge by this one rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

struct TotalClaim {
  TotalKind kind = TotalKind::kNone;
  double within = 0;                        // an estimate may be off by this part
  std::optional<std::int64_t> announced{};  // as the provider said it last
};

// Nothing where it does, or where nothing was announced. `rows` are all that came, `records` the different ones among
// them: a provider that lists a record twice may count it once or twice.
std::optional<std::string> WhyUnbalanced(const TotalClaim& claim, std::int64_t rows,
                                         std::int64_t records);

}  // namespace patra::domain
