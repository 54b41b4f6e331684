// What the command line asks of the rest of patra; boot provides it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/alert_services.h"
#include "adapter/cli/heal_services.h"
#include "adapter/cli/ledger_services.h"
#include "adapter/cli/plan_services.h"
#include "adapter/cli/replay_services.h"
#include "adapter/cli/run_services.h"
#include "adapter/cli/source_services.h"
#include "app/harvest/run_harvest.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct DemoRequest {
  std::string database;  // a file; empty: a new one in the temporary folder
  std::int64_t records = 20'000;
  std::uint64_t seed = 1;
};

// One harvest of the demo, and how the store compares with what the provider really has.
struct DemoStage {
  std::string title;
  app::HarvestSummary summary;
  std::int64_t truth = 0;    // records that a correct store holds
  std::int64_t missing = 0;  // not in the store
  std::int64_t wrong = 0;    // in the store with other content or in an older version
};

struct DemoReport {
  std::string url;
  std::string database;
  std::vector<DemoStage> stages;
};

struct DatabaseReport {
  std::string database;
  int schema_before = 0;
  int schema_after = 0;
  std::vector<std::string> problems;  // what a check found
};

// What the rate gate remembers about one key.
struct GateKeyReport {
  struct Quota {
    Instant from;
    Instant to;
    std::int64_t allowed = 0;
    std::int64_t reserved = 0;
  };
  std::string key;
  std::string reason;  // why it is shut: "COOL_DOWN"; "NONE" where it is not
  std::optional<Instant> blocked_until;
  std::optional<Instant> last_used_at;
  std::int64_t share_ppm = 0;      // of the configured rate
  std::optional<Duration> jitter;  // of the way to the provider, once it was measured
  std::int64_t in_flight = 0;
  std::int64_t permits = 0;
  std::int64_t waits = 0;
  std::int64_t rejects = 0;
  std::int64_t lost_slots = 0;
  std::int64_t throttled = 0;
  std::int64_t failures = 0;
  std::int64_t cool_downs = 0;
  std::int64_t cuts = 0;
  std::int64_t openings = 0;
  std::vector<Quota> quotas;
};

class Services {
 public:
  using OnDemoProgress = std::function<void(
      const std::string& stage, const app::HarvestProgress& progress, std::int64_t expected)>;

  virtual ~Services() = default;

  virtual Result<DemoReport> Demo(const DemoRequest& request,
                                  const OnDemoProgress& on_progress) = 0;
  virtual Result<DatabaseReport> MigrateDatabase(const std::string& database) = 0;
  virtual Result<DatabaseReport> CheckDatabase(const std::string& database) = 0;
  virtual Result<void> BackUpDatabase(const std::string& database, const std::string& target) = 0;
  virtual Result<void> RestoreDatabase(const std::string& backup, const std::string& database) = 0;
  virtual SourceServices& sources() = 0;
  virtual PlanServices& plans() = 0;
  virtual RunServices& runs() = 0;
  virtual LedgerServices& ledger() = 0;
  virtual HealServices& healing() = 0;
  virtual AlertServices& alerts() = 0;
  virtual ReplayServices& replays() = 0;
  virtual Result<std::vector<GateKeyReport>> ListGate(const std::string& database) = 0;
  virtual Result<void> ResetGate(const std::string& database, const std::string& key) = 0;
};

}  // namespace patra::adapter::cli
