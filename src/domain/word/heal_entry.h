// What self-healing saw, did, and what came of it.
#pragma once

#include <string>

#include "base/id.h"
#include "base/time.h"
#include "domain/word/lane.h"
#include "domain/word/lineage.h"

namespace patra::domain {

struct HealEntry {
  Id id = 0;
  Lane lane;
  std::string saw;     // JSON: the observations
  std::string did;     // JSON: the action
  std::string result;  // for people
  Lineage about{};
  Instant at;
};

}  // namespace patra::domain
