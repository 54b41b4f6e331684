#include "boot/application.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/random.h"
#include "boot/demo.h"
#include "boot/engine.h"
#include "boot/operator_name.h"
#include "boot/store_address.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/connection.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/migration.h"

namespace patra::boot {
namespace {

using infra::sqlite::Connection;

// The gate of a store that is there already, and what it needs.
struct OpenGate {
  SystemClock clock;
  std::unique_ptr<infra::sqlite::Store> store;
  std::unique_ptr<infra::sql::GateLedger> ledger;
  std::unique_ptr<infra::gate::RateGate> gate;
};

Result<std::unique_ptr<OpenGate>> GateOf(const std::string& database) {
  const auto file = PATRA_TRY(ExistingFile(database));
  auto open = std::make_unique<OpenGate>();
  open->store = PATRA_TRY(infra::sqlite::Store::Open({.path = file}, open->clock));
  open->ledger = std::make_unique<infra::sql::GateLedger>(*open->store, open->clock);
  open->gate = PATRA_TRY(infra::gate::RateGate::Open(GateFileOf(file), *open->ledger, open->clock));
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
  const auto file = PATRA_TRY(SqliteFile(database));
  const auto connection = PATRA_TRY(Connection::Open(file, Connection::Access::kReadWrite));
  PATRA_TRY(connection->Execute("PRAGMA journal_mode = WAL"));
  const auto done = PATRA_TRY(infra::sqlite::Migrate(
      *connection, infra::sqlite::EmbeddedMigrations(), SystemClock().Now()));
  return adapter::cli::DatabaseReport{
      .database = file, .schema_before = done.before, .schema_after = done.after};
}

Result<adapter::cli::DatabaseReport> Application::CheckDatabase(const std::string& database) {
  const auto file = PATRA_TRY(ExistingFile(database));
  const auto connection = PATRA_TRY(Connection::Open(file, Connection::Access::kReadOnly));
  auto found = PATRA_TRY(infra::sqlite::CheckDatabase(*connection));
  return adapter::cli::DatabaseReport{.database = file,
                                      .schema_before = found.schema,
                                      .schema_after = found.schema,
                                      .problems = std::move(found.problems)};
}

Result<void> Application::BackUpDatabase(const std::string& database, const std::string& target) {
  const auto file = PATRA_TRY(SqliteFile(database));
  return infra::sqlite::Backup(file, target);
}

Result<void> Application::RestoreDatabase(const std::string& backup, const std::string& database) {
  const auto file = PATRA_TRY(SqliteFile(database));
  return infra::sqlite::Restore(backup, file);
}

Result<std::vector<adapter::cli::GateKeyReport>> Application::ListGate(
    const std::string& database) {
  const auto open = PATRA_TRY(GateOf(database));
  const auto statuses = PATRA_TRY(open->gate->List());
  const auto quotas = PATRA_TRY(open->ledger->Quotas(open->clock.Now()));
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
  const auto open = PATRA_TRY(GateOf(database));
  PATRA_TRY(open->gate->Reset(key));
  // What the key held back would else look again only tomorrow.
  IdGenerator ids(open->clock, HashText(fmt::format("gate reset {}", getpid())));
  infra::sql::TaskQueue queue(*open->store, open->clock, ids);
  const auto source = key.substr(0, key.find_first_of("/#"));
  PATRA_TRY(queue.FreeParked(source, {.actor = OperatorName(), .reason = "gate reset " + key}));
  return {};
}

}  // namespace patra::boot
