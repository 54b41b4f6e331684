#include "infra/sql/schema_book.h"

#include <array>

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::infra::sql {
namespace {

// Changes after which programs that do not know them can no longer work with the store, in order.
constexpr std::array kReadersHaveToKnow{1, 77};

constexpr PerDialect kHasBook{
    .sqlite = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'patra_schema'",
    .mysql =
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND "
        "table_name = 'patra_schema'"};

constexpr PerDialect kHasForeignTables{
    .sqlite =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    .mysql = "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE()"};

constexpr std::string_view kReadBook =
    "SELECT number, name, checksum, reader_min FROM patra_schema ORDER BY number LIMIT 10000";

constexpr PerDialect kHasExecutors{
    .sqlite = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'ing_executor'",
    .mysql =
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND "
        "table_name = 'ing_executor'"};

constexpr std::string_view kAtWork =
    "SELECT count(*) FROM ing_executor WHERE last_seen_at >= :since";

// They show that they live three times per lease, which takes ten minutes at most.
constexpr Duration kAtWorkWithin = std::chrono::minutes(4);

constexpr std::string_view kRecord = R"sql(
    INSERT INTO patra_schema (number, name, checksum, reader_min, applied_at)
    VALUES (:number, :name, :checksum, :reader_min, :applied_at))sql";

}  // namespace

int ReaderMinOf(int number) {
  int known = 0;
  for (const int change : kReadersHaveToKnow) {
    if (change <= number) known = change;
  }
  return known;
}

Result<int> AppliedSoFar(Session& session, const std::vector<Migration>& migrations) {
  if (PATRA_TRY(session.Integer(session.In(kHasBook))) == 0) {
    if (PATRA_TRY(session.Integer(session.In(kHasForeignTables))) > 0) {
      return Fail(ErrorCode::kInvalidInput, "this is the database of some other program", {},
                  "name a new one with --db");
    }
    return 0;
  }
  const int known = migrations.empty() ? 0 : migrations.back().number;
  int applied = 0;
  auto rows = PATRA_TRY(session.Query(kReadBook));
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

Result<void> RefuseWhileAtWork(Session& session, const std::vector<Migration>& migrations,
                               int applied, Instant now) {
  const int known = migrations.empty() ? 0 : migrations.back().number;
  const int needed = ReaderMinOf(known);
  if (needed <= applied || PATRA_TRY(session.Integer(session.In(kHasExecutors))) == 0) return {};
  const auto at_work = PATRA_TRY(session.Integer(kAtWork, {{"since", now - kAtWorkWithin}}));
  if (at_work == 0) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("schema change {} cannot be read by older programs, and {} {} at work",
                          needed, at_work, at_work == 1 ? "executor is" : "executors are"),
              {},
              "stop all of them, then try again; nothing is changed yet, and one that was killed "
              "counts for another four minutes");
}

Result<void> NoteApplied(Session& session, const Migration& migration, Instant now) {
  PATRA_TRY(session.Run(kRecord, {{"number", migration.number},
                                  {"name", migration.name},
                                  {"checksum", Sha256Hex(migration.sql)},
                                  {"reader_min", ReaderMinOf(migration.number)},
                                  {"applied_at", now}}));
  return {};
}

Result<void> CheckSchema(Session& session, const std::vector<Migration>& migrations) {
  const int applied = PATRA_TRY(AppliedSoFar(session, migrations));
  const int known = migrations.empty() ? 0 : migrations.back().number;
  if (applied < known) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the database has schema {}, this patra needs {}", applied, known), {},
                "run `patra db migrate`");
  }
  return {};
}

}  // namespace patra::infra::sql
