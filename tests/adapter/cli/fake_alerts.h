#pragma once

#include "app/api/alerts.h"

namespace patra::adapter::cli {

class FakeAlerts final : public app::Alerts {
 public:
  Result<std::vector<app::AlertReport>> List(bool all, int) override {
    asked_for_all = all;
    return reports;
  }
  Result<Instant> Silence(const app::SilenceRequest& request, const domain::Actor& actor) override {
    silenced = request;
    silenced_by = actor;
    return Instant{};
  }
  Result<void> Resolve(const std::string& key) override {
    if (key != "fuse/a/*") return Fail(ErrorCode::kNotFound, "no alert of that key fires");
    return {};
  }

  std::vector<app::AlertReport> reports;
  app::SilenceRequest silenced;
  domain::Actor silenced_by;
  bool asked_for_all = false;
};

}  // namespace patra::adapter::cli
