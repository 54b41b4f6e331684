#pragma once

#include "adapter/cli/alert_services.h"

namespace patra::adapter::cli {

class FakeAlerts final : public AlertServices {
 public:
  Result<std::vector<AlertReport>> ListAlerts(const std::string&, bool all, int) override {
    asked_for_all = all;
    return reports;
  }
  Result<Instant> SilenceAlerts(const SilenceRequest& request) override {
    silenced = request;
    return Instant{};
  }
  Result<void> ResolveAlert(const std::string&, const std::string& key) override {
    if (key != "fuse/a/*") return Fail(ErrorCode::kNotFound, "no alert of that key fires");
    return {};
  }

  std::vector<AlertReport> reports;
  SilenceRequest silenced;
  bool asked_for_all = false;
};

}  // namespace patra::adapter::cli
