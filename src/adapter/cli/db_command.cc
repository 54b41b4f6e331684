#include "adapter/cli/db_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace patra::adapter::cli {

int RunDbMigrate(const std::string& database, Services& services, const Console& console) {
  const auto report = services.MigrateDatabase(database);
  if (!report) {
    Report(console, report.error());
    return ExitCodeOf(report.error().code);
  }
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
  if (!report) {
    Report(console, report.error());
    return ExitCodeOf(report.error().code);
  }
  for (const auto& problem : report->problems)
    fmt::print(console.out, "{}: {}\n", report->database, problem);
  if (!report->problems.empty()) return kFailed;
  fmt::print(console.out, "{}: schema {}, no problems\n", report->database, report->schema_after);
  return kComplete;
}

}  // namespace patra::adapter::cli
