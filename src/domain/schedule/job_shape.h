// The grammar of a file of jobs.
#pragma once

#include "domain/spec/shape.h"

namespace patra::domain {

const Shape& ScheduleShape();

}  // namespace patra::domain
