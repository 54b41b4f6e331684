// What can be asked about alerts.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/word/actor.h"
#include "domain/word/alert.h"

namespace patra::app {

struct AlertReport {
  domain::Alert alert;
  bool is_silenced = false;
};

struct SilenceRequest {
  std::string pattern{};  // an alert's key, or the beginning of keys and a final '*'
  std::string length = "1d";
  std::string reason{};
};

class Alerts {
 public:
  virtual ~Alerts() = default;

  // Newest first; those that fire, or all.
  virtual Result<std::vector<AlertReport>> List(bool all, int alerts_max) = 0;
  // Until when.
  virtual Result<Instant> Silence(const SilenceRequest& request, const domain::Actor& actor) = 0;
  virtual Result<void> Resolve(const std::string& key) = 0;
};

}  // namespace patra::app
