// What self-healing saw, did, and what came of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/plan/plan.h"
#include "domain/task/lineage.h"

namespace patra::app {

struct HealEntry {
  Id id = 0;
  domain::Partition partition;
  std::string saw;     // JSON: the observations
  std::string did;     // JSON: the action
  std::string result;  // for people
  domain::Lineage about{};
  Instant at;
};

class HealJournal {
 public:
  virtual ~HealJournal() = default;

  virtual Result<void> Add(const HealEntry& entry) = 0;

  // Newest first, not older than `since`; of one source, or of all where it is empty.
  virtual Result<std::vector<HealEntry>> List(const std::string& provenance, Instant since,
                                              int entries_max) = 0;
};

}  // namespace patra::app
