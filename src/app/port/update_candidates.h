// Stored records that may have to be fetched again, by id in the order of their text, a page at a time:
// `after` is the last id of the page before.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/lane.h"

namespace patra::app {

class UpdateCandidates {
 public:
  virtual ~UpdateCandidates() = default;

  // Those that were last looked at before that moment. Deleted and merged ones are left alone.
  virtual Result<std::vector<std::string>> Stale(const domain::Lane& lane, Instant refreshed_before,
                                                 const std::string& after, int ids_max) = 0;

  // Those that no plan with one of these prototypes has written.
  virtual Result<std::vector<std::string>> OfOtherPrototypes(
      const domain::Lane& lane, std::span<const std::string> prototypes, const std::string& after,
      int ids_max) = 0;
};

}  // namespace patra::app
