#include "domain/walk/ask_again.h"

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

}  // namespace patra::domain
