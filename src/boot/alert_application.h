#pragma once

#include "adapter/cli/alert_services.h"

namespace patra::boot {

// What the command line can ask about alerts.
class AlertApplication final : public adapter::cli::AlertServices {
 public:
  Result<std::vector<adapter::cli::AlertReport>> ListAlerts(const std::string& database, bool all,
                                                            int alerts_max) override;
  Result<Instant> SilenceAlerts(const adapter::cli::SilenceRequest& request) override;
  Result<void> ResolveAlert(const std::string& database, const std::string& key) override;
};

}  // namespace patra::boot
