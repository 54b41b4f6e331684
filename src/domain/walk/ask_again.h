// Whether a place in a list can be asked for once more, and whether it should be.
#pragma once

#include "base/time.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"

namespace patra::domain {

// A list that is filtered by a time that lags behind nothing, and that nobody keeps still, may have grown while its last
// page was read.
bool DeservesSecondLook(const SpecSnapshot& spec, const Position& last);

// Whether a walk can go on where it was left so long ago.
bool CanComeBack(const SpecSnapshot& spec, Duration pause);

}  // namespace patra::domain
