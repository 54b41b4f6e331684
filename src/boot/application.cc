#include "boot/application.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "boot/demo.h"
#include "boot/engine.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"

namespace patra::boot {
namespace {

// The gate of a store that is there already, and what it needs.
struct OpenGate {
  SystemClock clock;
  std::unique_ptr<app::Store> store;
  std::unique_ptr<infra::gate::RateGate> gate;
};

Result<std::unique_ptr<OpenGate>> GateOf(const std::string& database, StoreUse use) {
  const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
  auto open = std::make_unique<OpenGate>();
  open->store = PATRA_TRY(OpenStore(address, use, open->clock));
  open->gate = PATRA_TRY(
      infra::gate::RateGate::Open(address.gate_file(), open->store->gate_ledger(), open->clock));
  return open;
}

adapter::cli::GateKeyReport ReportOf(const app::GateStatus& status) {
  return {.key = status.key,
          .reason = std::string(Name(status.reason)),
          .blocked_until = status.blocked_until,
          .last_used_at = status.last_used_at,
          .share_ppm = status.share_ppm,
          .jitter = status.jitter,
          .in_flight = status.in_flight,
          .permits = status.counts.permits,
          .waits = status.counts.waits,
          .rejects = status.counts.rejects,
          .lost_slots = status.counts.lost_slots,
          .throttled = status.counts.throttled,
          .failures = status.counts.failures,
          .cool_downs = status.counts.cool_downs,
          .cuts = status.counts.cuts,
          .openings = status.counts.openings};
}

}  // namespace

Result<adapter::cli::DemoReport> Application::Demo(const adapter::cli::DemoRequest& request,
                                                   const OnDemoProgress& on_progress) {
  return RunDemo(request, on_progress);
}

Result<adapter::cli::DatabaseReport> Application::MigrateDatabase(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::Parse(database));
  const auto done = PATRA_TRY(CareFor(address)->Migrate(SystemClock().Now()));
  return adapter::cli::DatabaseReport{
      .database = address.name(), .schema_before = done.before, .schema_after = done.after};
}

Result<adapter::cli::DatabaseReport> Application::CheckDatabase(const std::string& database) {
  const auto address = PATRA_TRY(StoreAddress::OfExisting(database));
  auto found = PATRA_TRY(CareFor(address)->Check());
  return adapter::cli::DatabaseReport{.database = address.name(),
                                      .schema_before = found.schema,
                                      .schema_after = found.schema,
                                      .problems = std::move(found.problems)};
}

Result<void> Application::BackUpDatabase(const std::string& database, const std::string& target) {
  return CareFor(PATRA_TRY(StoreAddress::Parse(database)))->BackUp(target);
}

Result<void> Application::RestoreDatabase(const std::string& backup, const std::string& database) {
  return CareFor(PATRA_TRY(StoreAddress::Parse(database)))->Restore(backup);
}

Result<std::vector<adapter::cli::GateKeyReport>> Application::ListGate(
    const std::string& database) {
  const auto open = PATRA_TRY(GateOf(database, StoreUse::kLook));
  const auto statuses = PATRA_TRY(open->gate->List());
  const auto quotas = PATRA_TRY(open->store->gate_ledger().Quotas(open->clock.Now()));
  std::vector<adapter::cli::GateKeyReport> reports;
  for (const auto& status : statuses) {
    auto report = ReportOf(status);
    for (const auto& quota : quotas) {
      if (domain::GateKeyOfQuota(quota.key) == status.key)
        report.quotas.push_back({quota.from, quota.to, quota.allowed, quota.reserved});
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

Result<void> Application::ResetGate(const std::string& database, const std::string& key) {
  const auto open = PATRA_TRY(GateOf(database, StoreUse::kChange));
  PATRA_TRY(open->gate->Reset(key));
  // What the key held back would else look again only tomorrow.
  const auto source = key.substr(0, key.find_first_of("/#"));
  PATRA_TRY(open->store->queue().FreeParked(
      source, {.actor = OperatorName(), .reason = "gate reset " + key}));
  return {};
}

}  // namespace patra::boot
