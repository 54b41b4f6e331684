// Heals nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include <string>
#include <vector>

#include "adapter/cli/heal_services.h"

namespace patra::adapter::cli {

class FakeHealing final : public HealServices {
 public:
  Result<std::vector<domain::QuarantineEntry>> ListQuarantine(
      const std::string&, const domain::QuarantineFilter& filter, int) override {
    asked = filter;
    return entries;
  }
  Result<std::vector<domain::QuarantineKind>> CountQuarantine(const std::string&,
                                                              domain::QuarantineStatus) override {
    return std::vector<domain::QuarantineKind>{{"demo", "items", "required", "$.title", 1'234}};
  }
  Result<domain::QuarantinedBytes> ShowQuarantine(const std::string&, Id) override {
    return domain::QuarantinedBytes{
        .entry = entries.front(), .bytes = "{\"id\":1}", .fetched_at = {}};
  }
  Result<std::vector<QuarantineReport>> DecideQuarantine(const QuarantineRequest& given) override {
    request = given;
    return reports;
  }
  Result<bool> ReleaseId(const TargetRequest& given) override {
    target = given;
    return true;
  }
  Result<std::vector<domain::Hold>> ListFuses(const std::string&) override {
    return std::vector<domain::Hold>{{.provenance = "demo", .endpoint = "items", .reason = "401"}};
  }
  Result<void> ResetFuse(const TargetRequest&) override { return {}; }
  Result<bool> AddSignal(const SignalRequest&) override { return true; }
  Result<std::vector<domain::Signal>> ListSignals(const std::string&, const std::string&,
                                                  int) override {
    return std::vector<domain::Signal>{};
  }
  Result<std::vector<domain::HealEntry>> HealLog(const std::string&, const std::string&,
                                                 const std::string&, int) override {
    return std::vector<domain::HealEntry>{
        {.saw = "{}", .did = R"({"action":"STOP_SOURCE","reason":"401"})", .result = "stopped"}};
  }
  Result<std::vector<domain::HealEntry>> HealRun(const std::string&, const std::string&) override {
    return std::vector<domain::HealEntry>{};
  }
  Result<app::SettingsReport> HealPolicy(const std::string& configuration) override {
    return app::SettingsReport{
        .configuration = configuration,
        .settings = {{.name = "watch", .value = "6m", .usual = "5m", .doc = "how long"}}};
  }
  Result<std::vector<domain::Adjustment>> ListAdjustments(const std::string&) override {
    return std::vector<domain::Adjustment>{{.provenance = "demo",
                                            .endpoint = "items",
                                            .kind = domain::AdjustmentKind::kPageSize,
                                            .value = 50,
                                            .reason = "slow"}};
  }
  Result<bool> TakeBackAdjustment(const TargetRequest& given) override {
    target = given;
    return true;
  }

  TargetRequest target;
  domain::QuarantineFilter asked;
  QuarantineRequest request;
  std::vector<domain::QuarantineEntry> entries{{.id = 42, .path = "$.title", .rule = "required"}};
  std::vector<QuarantineReport> reports;
};

}  // namespace patra::adapter::cli
