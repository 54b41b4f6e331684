#include "domain/item/balance.h"

#include <cmath>

#include <fmt/format.h>

namespace patra::domain {

std::optional<std::string> WhyUnbalanced(const TotalClaim& claim, std::int64_t rows,
                                         std::int64_t records) {
  if (!claim.announced || claim.kind == TotalKind::kNone) return std::nullopt;
  const auto announced = *claim.announced;
  const auto is_near = [&](std::int64_t received) {
    if (claim.kind == TotalKind::kExact) return received == announced;
    const auto total = static_cast<double>(announced);
    return std::abs(static_cast<double>(received) - total) <= claim.within * total;
  };
  if (is_near(records) || is_near(rows)) return std::nullopt;
  return fmt::format("{} records announced, {} received", announced, records);
}

}  // namespace patra::domain
