#include "infra/sqlite/migration.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kCreateBook = R"sql(
    CREATE TABLE IF NOT EXISTS patra_schema (
        number     INTEGER PRIMARY KEY,
        name       TEXT    NOT NULL,
        checksum   TEXT    NOT NULL,
        reader_min INTEGER NOT NULL,  -- programs that know fewer changes than this must not touch the store
        applied_at INTEGER NOT NULL
    ) STRICT)sql";

constexpr std::string_view kHasBook =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'patra_schema'";

constexpr std::string_view kHasForeignTables =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

constexpr std::string_view kReadBook =
    "SELECT number, name, checksum, reader_min FROM patra_schema ORDER BY number LIMIT 10000";

constexpr std::string_view kRecord = R"sql(
    INSERT INTO patra_schema (number, name, checksum, reader_min, applied_at)
    VALUES (:number, :name, :checksum, :reader_min, :applied_at))sql";

// The number of the newest change that is applied, after comparing the past with ours.
Result<int> AppliedSoFar(Connection& connection, const std::vector<Migration>& migrations) {
  if (PATRA_TRY(connection.Integer(kHasBook)) == 0) {
    if (PATRA_TRY(connection.Integer(kHasForeignTables)) > 0) {
      return Fail(ErrorCode::kInvalidInput, "this is a SQLite database of some other program", {},
                  "name a new file with --db sqlite:PATH");
    }
    return 0;
  }
  const int known = migrations.empty() ? 0 : migrations.back().number;
  int applied = 0;
  auto rows = PATRA_TRY(connection.Query(kReadBook));
  while (PATRA_TRY(rows.Next())) {
    applied = static_cast<int>(rows.Integer("number"));
    if (rows.Integer("reader_min") > known) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("the database has schema {} ({}), which needs a newer patra", applied,
                              rows.View("name")),
                  {}, fmt::format("this patra knows schemas up to {}; upgrade it", known));
    }
    for (const auto& migration : migrations) {
      if (migration.number == applied && Sha256Hex(migration.sql) != rows.View("checksum")) {
        return Fail(
            ErrorCode::kCorruption,
            fmt::format("schema change {} was applied with other content than this patra has",
                        migration.name),
            {}, "the database was made by a modified or development build");
      }
    }
  }
  return applied;
}

Result<void> Apply(Connection& connection, const Migration& migration, Instant now) {
  PATRA_TRY(connection.Execute(std::string(migration.sql)));
  PATRA_TRY(connection.Run(kRecord, {{"number", migration.number},
                                     {"name", migration.name},
                                     {"checksum", Sha256Hex(migration.sql)},
                                     {"reader_min", kSchemaReaderMin},
                                     {"applied_at", now}}));
  return {};
}

}  // namespace

Result<app::SchemaChange> Migrate(Connection& connection, const std::vector<Migration>& migrations,
                                  Instant now) {
  app::SchemaChange report;
  report.before = PATRA_TRY(AppliedSoFar(connection, migrations));
  report.after = report.before;
  if (migrations.empty() || report.before >= migrations.back().number) return report;

  for (const auto& migration : migrations) {
    PATRA_TRY(connection.Execute("BEGIN IMMEDIATE"));
    const auto step = [&]() -> Result<void> {
      PATRA_TRY(connection.Execute(std::string(kCreateBook)));
      // Read again inside the transaction: another process may have been faster.
      if (PATRA_TRY(AppliedSoFar(connection, migrations)) >= migration.number) return {};
      PATRA_TRY(Apply(connection, migration, now));
      return connection.Execute("COMMIT");
    }();
    if (connection.in_transaction()) PATRA_TRY(connection.Execute("ROLLBACK"));
    if (!step) {
      return std::unexpected(
          Error(step.error()).While(fmt::format("applying schema change {}", migration.name)));
    }
    report.after = migration.number;
  }
  return report;
}

Result<void> CheckSchema(Connection& connection, const std::vector<Migration>& migrations) {
  const int applied = PATRA_TRY(AppliedSoFar(connection, migrations));
  const int known = migrations.empty() ? 0 : migrations.back().number;
  if (applied < known) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the database has schema {}, this patra needs {}", applied, known), {},
                "run `patra db migrate`");
  }
  return {};
}

}  // namespace patra::infra::sqlite
