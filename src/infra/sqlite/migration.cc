#include "infra/sqlite/migration.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/hash.h"
#include "infra/sql/item_views.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kHasPlans =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'ing_plan'";

// bytes_of_hash(hex): the 32 bytes of a hash that was stored as text. What is no hash becomes one that nothing has, so that
// the next version of its record replaces it.
void BytesOfHash(sqlite3_context* context, int, sqlite3_value** values) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const auto digest =
      DigestFromHex(text == nullptr ? std::string_view() : std::string_view(text, size))
          .value_or(Sha256Digest{});
  sqlite3_result_blob(context, digest.data(), static_cast<int>(digest.size()), SQLITE_TRANSIENT);
}

// What the SQL of changes may call beside SQLite's own functions.
Result<void> AddFunctions(Connection& connection) {
  const int code =
      sqlite3_create_function_v2(connection.handle(), "bytes_of_hash", 1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nullptr,
                                 BytesOfHash, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  return std::unexpected(ErrorFrom(connection.handle(), code, "adding a function"));
}

constexpr std::string_view kCreateBook = R"sql(
    CREATE TABLE IF NOT EXISTS patra_schema (
        number     INTEGER PRIMARY KEY,
        name       TEXT    NOT NULL,
        checksum   TEXT    NOT NULL,
        reader_min INTEGER NOT NULL,  -- programs that know fewer changes than this must not touch the store
        applied_at INTEGER NOT NULL
    ) STRICT)sql";

Result<void> Apply(Connection& connection, const Migration& migration, Instant now) {
  PATRA_TRY(connection.Execute(std::string(migration.sql)));
  return sql::NoteApplied(connection, migration, now);
}

// Views of records are made of definitions, so no change knows their names, and they may lean on what it replaces.
Result<void> MakeItemViews(Connection& connection) {
  if (PATRA_TRY(connection.Integer(kHasPlans)) == 0) return {};
  return sql::ItemViews::MakeAll(connection);
}

}  // namespace

Result<app::SchemaChange> Migrate(Connection& connection, const std::vector<Migration>& migrations,
                                  Instant now) {
  app::SchemaChange report;
  report.before = PATRA_TRY(sql::AppliedSoFar(connection, migrations));
  report.after = report.before;
  if (migrations.empty() || report.before >= migrations.back().number) return report;

  PATRA_TRY(AddFunctions(connection));
  const bool may_have_views = report.before > 0;
  if (report.before > 0)
    PATRA_TRY(sql::RefuseWhileAtWork(connection, migrations, report.before, now));
  for (const auto& migration : migrations) {
    PATRA_TRY(connection.Execute("BEGIN IMMEDIATE"));
    const auto step = [&]() -> Result<void> {
      PATRA_TRY(connection.Execute(std::string(kCreateBook)));
      // Read again inside the transaction: another process may have been faster.
      if (PATRA_TRY(sql::AppliedSoFar(connection, migrations)) >= migration.number) return {};
      if (may_have_views) PATRA_TRY(sql::ItemViews::DropAll(connection));
      PATRA_TRY(Apply(connection, migration, now));
      const bool is_last = migration.number == migrations.back().number;
      if (may_have_views && is_last) PATRA_TRY(MakeItemViews(connection));
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

}  // namespace patra::infra::sqlite
