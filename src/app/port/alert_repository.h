// Alerts and silences. An alert fires until it is resolved; the same key fires once at a time.
#pragma once

#include <string>
#include <vector>

#include "app/port/decision.h"
#include "domain/word/alert.h"

namespace patra::app {

struct AlertFilter {
  bool only_firing = true;
  int alerts_max = 100;
};

class AlertRepository {
 public:
  virtual ~AlertRepository() = default;

  // A key that fires already counts one more time and keeps its beginning; message, severity and details are
  // those of the latest.
  virtual Result<void> Raise(const domain::Alert& alert) = 0;
  // The trouble is over; whether it fired.
  virtual Result<bool> Resolve(const std::string& key) = 0;
  virtual Result<std::vector<domain::Alert>> List(const AlertFilter& filter) = 0;  // newest first

  virtual Result<void> Silence(const std::string& pattern, Instant until,
                               const Decision& decision) = 0;
  virtual Result<std::vector<domain::Silence>> Silences() = 0;  // those that hold at present
};

}  // namespace patra::app
