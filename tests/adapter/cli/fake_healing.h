// Heals nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include <string>
#include <vector>

#include "app/api/healing.h"
#include "app/api/holds.h"
#include "app/api/quarantine.h"
#include "app/api/signals.h"

namespace patra::adapter::cli {

class FakeQuarantine final : public app::Quarantine {
 public:
  Result<std::vector<domain::QuarantineEntry>> List(const domain::QuarantineFilter& filter,
                                                    int) override {
    asked = filter;
    return entries;
  }
  Result<std::vector<domain::QuarantineKind>> Count(const domain::QuarantineFilter&) override {
    return std::vector<domain::QuarantineKind>{{"demo", "items", "required", "$.title", 1'234}};
  }
  Result<domain::QuarantinedBytes> Show(Id) override {
    return domain::QuarantinedBytes{
        .entry = entries.front(), .bytes = "{\"id\":1}", .fetched_at = {}};
  }
  Result<std::vector<app::QuarantineReport>> Decide(const app::QuarantineRequest& given,
                                                    const domain::Actor& actor) override {
    request = given;
    decided_by = actor;
    return reports;
  }
  Result<bool> ReleaseId(const std::string&, const std::string&, const std::string&,
                         const domain::Actor&) override {
    return true;
  }

  Result<std::vector<domain::BadIdEntry>> BadIds(const domain::BadIdFilter& filter, int) override {
    asked_ids = filter;
    return bad_ids;
  }
  Result<app::IdReleaseReport> ReleaseIds(const app::IdReleaseRequest& given,
                                          const domain::Actor& actor) override {
    release = given;
    decided_by = actor;
    return released;
  }

  domain::BadIdFilter asked_ids;
  std::vector<domain::BadIdEntry> bad_ids;
  app::IdReleaseRequest release;
  app::IdReleaseReport released;
  domain::QuarantineFilter asked;
  app::QuarantineRequest request;
  domain::Actor decided_by;
  std::vector<domain::QuarantineEntry> entries{{.id = 42, .path = "$.title", .rule = "required"}};
  std::vector<app::QuarantineReport> reports;
};

class FakeHolds final : public app::Holds {
 public:
  Result<void> Pause(const app::PauseRequest& request, const domain::Actor&) override {
    paused = request;
    return {};
  }
  Result<bool> Resume(const std::string&, const std::string&, const domain::Actor&) override {
    return false;
  }
  Result<std::vector<domain::Fuse>> Fuses(const domain::FuseFilter& filter) override {
    asked = filter;
    return fuses;
  }
  Result<void> ResetFuse(const std::string&, const std::string&, const domain::Actor&) override {
    return {};
  }

  app::PauseRequest paused;
  domain::FuseFilter asked;
  std::vector<domain::Fuse> fuses{
      {.id = 7, .provenance = "demo", .endpoint = "items", .reason = "401"}};
};

class FakeSignals final : public app::Signals {
 public:
  Result<bool> Add(const std::string&, const domain::Signal&) override { return true; }
  Result<std::vector<domain::Signal>> List(const std::string&, int) override {
    return std::vector<domain::Signal>{};
  }
};

class FakeHealing final : public app::Healing {
 public:
  Result<std::vector<domain::HealEntry>> Log(const std::string&, const std::string&, int) override {
    return std::vector<domain::HealEntry>{
        {.saw = "{}", .did = R"({"action":"STOP_SOURCE","reason":"401"})", .result = "stopped"}};
  }
  Result<std::vector<domain::Adjustment>> Adjustments() override {
    return std::vector<domain::Adjustment>{{.provenance = "demo",
                                            .endpoint = "items",
                                            .kind = domain::AdjustmentKind::kPageSize,
                                            .value = 50,
                                            .reason = "slow"}};
  }
  Result<bool> TakeBack(const app::AdjustmentTarget&, const std::string& why,
                        const domain::Actor&) override {
    reason = why;
    return true;
  }

  std::string reason;
};

}  // namespace patra::adapter::cli
