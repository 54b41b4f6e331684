// Records that came late: into a stretch of source time that was proven complete before they were there.
//
// A harvest that looks back, a backfill and a walk that self-healing asks for read such stretches again. What they find there
// tells whether the safety lag is long enough.
#pragma once

#include <cstdint>
#include <span>

#include "domain/cursor/coverage.h"
#include "domain/item/intake.h"

namespace patra::domain {

struct ReadAgain {
  const Window& window;     // of the slice
  const Coverage& proven;   // what was, when its run began
  bool dates_tell = false;  // the records' dates are those that windows are made of
};

// Where dates tell, by the date of each record; one without a time of day stands for all of its day. Else only what is new in
// a window that was proven as a whole: what changed there may have done so since.
std::int64_t CountLate(const Intake& intake, const ReadAgain& read);

}  // namespace patra::domain
