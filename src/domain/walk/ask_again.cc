#include "domain/walk/ask_again.h"

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::domain {

bool DeservesSecondLook(const SpecSnapshot& spec, const Position& last) {
  return spec.window.safety_lag == Duration::zero() && !spec.order.stable &&
         spec.window.filter == WindowFilter::kServer && spec.paging.replayable &&
         last.token_is_position;
}

bool CanComeBack(const SpecSnapshot& spec, Duration pause) {
  const auto& lifetime = spec.paging.token_lifetime;
  return spec.paging.replayable && (!lifetime || pause < *lifetime);
}

std::optional<std::string> WhyTokenIsDead(const SpecSnapshot& spec, const Position& next,
                                          const std::optional<WalkMemory::Edge>& edge,
                                          Instant now) {
  const auto& lifetime = spec.paging.token_lifetime;
  // In the second phase, the token of a position is an id.
  const bool may_die = lifetime && next.token && !next.is_detail;
  // An older ledger does not tell when the page was read.
  if (!may_die || !edge || edge->read_at == Instant()) return std::nullopt;
  const auto unused = now - edge->read_at;
  if (unused < *lifetime) return std::nullopt;
  return fmt::format("the token was not used for {}, and lives for {}", FormatDuration(unused),
                     FormatDuration(*lifetime));
}

}  // namespace patra::domain
