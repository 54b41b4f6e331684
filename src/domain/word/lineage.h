// The chain that every row leads back along (I1).
#pragma once

#include <string>

#include "base/id.h"
#include "domain/word/lane.h"

namespace patra::domain {

struct Lineage {
  Id trigger = 0;
  Id plan = 0;
  Id slice = 0;
  Id task = 0;
  Id run = 0;
  Id batch = 0;
  std::string correlation{};  // one id for everything that a trigger led to, here and elsewhere
  Lane lane{};                // what it is about; without a source where nobody knows
};

}  // namespace patra::domain
