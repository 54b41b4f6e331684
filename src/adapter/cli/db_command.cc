#include "adapter/cli/db_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"

namespace patra::adapter::cli {

namespace {

int PrintOutcome(const Result<void>& done, const std::string& success, const Console& console) {
  if (!done) return PrintError(console, done.error());
  fmt::print(console.out, "{}\n", success);
  return kComplete;
}

}  // namespace

int RunDbBackup(const std::string& database, const std::string& target, Services& services,
                const Console& console) {
  return PrintOutcome(services.BackUpDatabase(database, target),
                      fmt::format("{} holds a copy of {}", target, database), console);
}

int RunDbRestore(const std::string& backup, const std::string& database, Services& services,
                 const Console& console) {
  return PrintOutcome(services.RestoreDatabase(backup, database),
                      fmt::format("{} is restored from {}", database, backup), console);
}

int RunDbMigrate(const std::string& database, Services& services, const Console& console) {
  const auto report = services.MigrateDatabase(database);
  if (!report) return PrintError(console, report.error());
  if (report->schema_before == report->schema_after) {
    fmt::print(console.out, "{} has schema {} already\n", report->database, report->schema_after);
  } else {
    fmt::print(console.out, "{}: schema {} -> {}\n", report->database, report->schema_before,
               report->schema_after);
  }
  return kComplete;
}

int RunDbCheck(const std::string& database, Services& services, const Console& console) {
  const auto report = services.CheckDatabase(database);
  if (!report) return PrintError(console, report.error());
  for (const auto& problem : report->problems)
    fmt::print(console.out, "{}: {}\n", report->database, problem);
  if (!report->problems.empty()) return kFailed;
  fmt::print(console.out, "{}: schema {}, no problems\n", report->database, report->schema_after);
  return kComplete;
}

}  // namespace patra::adapter::cli
