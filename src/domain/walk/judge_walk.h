// What a walk that came to its end is worth beside what slices of its kind usually bring.
#pragma once

#include <optional>

#include "domain/heal/usual_records.h"
#include "domain/walk/walk.h"

namespace patra::domain {

// What is known of the slices of the same kind that are done.
struct SlicesLikeIt {
  std::optional<UsualRecords> usual{};
  bool was_any_empty = false;
  double deviations_max = 3;  // from their mean, before a slice is taken for unusual
};

// A list that is empty where none was before, or that lacks half of what another walk has just seen, may be a bad moment of
// the provider, whatever it announces: it has to stay the same for a while, the longer the more speaks against it.
WalkVerdict JudgeWalk(const Walk& walk, const SlicesLikeIt& others);

}  // namespace patra::domain
