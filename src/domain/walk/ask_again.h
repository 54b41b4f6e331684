// Whether a place in a list can be asked for once more, and whether it should be.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"
#include "domain/walk/walk_memory.h"

namespace patra::domain {

// A list that is filtered by a time that lags behind nothing, and that nobody keeps still, may have grown while its last
// page was read.
bool DeservesSecondLook(const SpecSnapshot& spec, const Position& last);

// Whether a walk can go on where it was left so long ago.
bool CanComeBack(const SpecSnapshot& spec, Duration pause);

// Why the token at `next` is not worth sending: it came with the page that was read last, `edge`, and has not been used for
// longer than it lives.
std::optional<std::string> WhyTokenIsDead(const SpecSnapshot& spec, const Position& next,
                                          const std::optional<WalkMemory::Edge>& edge, Instant now);

}  // namespace patra::domain
