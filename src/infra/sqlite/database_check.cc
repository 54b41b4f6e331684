#include "infra/sqlite/database_check.h"

#include <map>

#include <fmt/format.h>

#include "base/time.h"
#include "infra/sqlite/migration.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kSchemaObjects = R"sql(
    SELECT name, type, sql FROM sqlite_schema
    WHERE name NOT LIKE 'sqlite_%' AND name <> 'patra_schema' AND sql IS NOT NULL
    ORDER BY name LIMIT 10000)sql";

constexpr std::string_view kNewestChange = "SELECT coalesce(max(number), 0) FROM patra_schema";

constexpr std::string_view kIntegrity = "PRAGMA integrity_check(20)";

using Objects = std::map<std::string, std::string>;  // "index uk_plan_key" -> its SQL

Result<Objects> ObjectsOf(Connection& connection) {
  Objects objects;
  auto rows = PATRA_TRY(connection.Query(kSchemaObjects));
  while (PATRA_TRY(rows.Next()))
    objects[rows.Text("type") + " " + rows.Text("name")] = rows.Text("sql");
  return objects;
}

// What the schema should be: the migrations, applied to an empty database in memory.
Result<Objects> ExpectedObjects() {
  const auto empty = PATRA_TRY(Connection::Open(":memory:", Connection::Access::kReadWrite));
  PATRA_TRY(Migrate(*empty, EmbeddedMigrations(), Instant{}));
  return ObjectsOf(*empty);
}

Result<void> CompareSchema(Connection& connection, app::StoreFindings& findings) {
  const auto expected = PATRA_TRY(ExpectedObjects());
  const auto actual = PATRA_TRY(ObjectsOf(connection));
  for (const auto& [name, sql] : expected) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      findings.problems.push_back(fmt::format("{} is missing", name));
    } else if (found->second != sql) {
      findings.problems.push_back(fmt::format("{} is not as the migrations made it", name));
    }
  }
  return {};
}

Result<void> CheckPages(Connection& connection, app::StoreFindings& findings) {
  auto rows = PATRA_TRY(connection.Query(kIntegrity));
  while (PATRA_TRY(rows.Next())) {
    if (rows.View(sql::kOnly) != "ok") findings.problems.push_back(rows.Text(sql::kOnly));
  }
  return {};
}

}  // namespace

Result<app::StoreFindings> LookAtDatabase(Connection& connection) {
  PATRA_TRY(CheckSchema(connection, EmbeddedMigrations()));
  app::StoreFindings findings;
  findings.schema = static_cast<int>(PATRA_TRY(connection.Integer(kNewestChange)));
  PATRA_TRY(CompareSchema(connection, findings));
  return findings;
}

Result<app::StoreFindings> CheckDatabase(Connection& connection) {
  auto findings = PATRA_TRY(LookAtDatabase(connection));
  PATRA_TRY(CheckPages(connection, findings));
  return findings;
}

}  // namespace patra::infra::sqlite
