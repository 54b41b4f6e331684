// What the command line asks about alerts; boot provides it.
#pragma once

#include <string>
#include <vector>

#include "app/heal/trouble_reports.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct SilenceRequest {
  std::string database;
  std::string pattern;
  std::string length = "1d";
  std::string reason;
};

struct AlertReport {
  domain::Alert alert;
  bool is_silenced = false;
};

class AlertServices {
 public:
  virtual ~AlertServices() = default;

  virtual Result<std::vector<AlertReport>> ListAlerts(const std::string& database, bool all,
                                                      int alerts_max) = 0;
  virtual Result<Instant> SilenceAlerts(const SilenceRequest& request) = 0;  // until when
  virtual Result<void> ResolveAlert(const std::string& database, const std::string& key) = 0;
};

}  // namespace patra::adapter::cli
