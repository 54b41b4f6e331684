// The journal of self-healing.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/heal_entry.h"

namespace patra::app {

using domain::HealEntry;

class HealJournal {
 public:
  virtual ~HealJournal() = default;

  virtual Result<void> Add(const HealEntry& entry) = 0;

  // Newest first, not older than `since`; of one source, or of all where it is empty.
  virtual Result<std::vector<HealEntry>> List(const std::string& provenance, Instant since,
                                              int entries_max) = 0;
};

}  // namespace patra::app
