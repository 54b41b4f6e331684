// The ids that the first of two phases found, until the second has fetched them or knows that it cannot. They are
// written with the batches that find and answer them (run_ledger.h).
#pragma once

#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "domain/word/lane.h"

namespace patra::app {

class IdLedger {
 public:
  virtual ~IdLedger() = default;

  // The next ids of a slice without details, in the order of their text.
  virtual Result<std::vector<std::string>> NextOpen(Id slice, int ids_max) = 0;

  // Ids whose records are there and were looked at last: what the provider gave before, it should give again.
  virtual Result<std::vector<std::string>> Known(const domain::Lane& lane, int ids_max) = 0;
};

}  // namespace patra::app
