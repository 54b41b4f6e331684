#include "boot/application.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/clock.h"
#include "boot/demo.h"
#include "boot/store_address.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/connection.h"
#include "infra/sqlite/database_check.h"
#include "infra/sqlite/migration.h"

namespace patra::boot {
namespace {

using infra::sqlite::Connection;

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
  const auto file = PATRA_TRY(SqliteFile(database));
  if (!std::filesystem::exists(file)) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no {}", file), {},
                "make it with `patra db migrate`");
  }
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

}  // namespace patra::boot
