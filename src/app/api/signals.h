// Hints that records should be fetched again.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/signal.h"

namespace patra::app {

class Signals {
 public:
  virtual ~Signals() = default;

  // `target` is SOURCE/ENDPOINT and fills the signal's own. False where the same waits already.
  virtual Result<bool> Add(const std::string& target, const domain::Signal& signal) = 0;
  virtual Result<std::vector<domain::Signal>> List(const std::string& status, int signals_max) = 0;
};

}  // namespace patra::app
