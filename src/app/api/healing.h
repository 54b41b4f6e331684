// What self-healing saw, did and changed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/actor.h"
#include "domain/word/adjustment.h"
#include "domain/word/heal_entry.h"

namespace patra::app {

struct AdjustmentTarget {
  std::string target{};  // SOURCE/ENDPOINT
  std::string kind{};    // "PAGE_SIZE", in any case
};

class Healing {
 public:
  virtual ~Healing() = default;

  // Newest first. `source` empty: of all; `since` is a moment.
  virtual Result<std::vector<domain::HealEntry>> Log(const std::string& source,
                                                     const std::string& since, int entries_max) = 0;
  virtual Result<std::vector<domain::Adjustment>> Adjustments() = 0;
  // False where there is none.
  virtual Result<bool> TakeBack(const AdjustmentTarget& target, const std::string& reason,
                                const domain::Actor& actor) = 0;
};

}  // namespace patra::app
