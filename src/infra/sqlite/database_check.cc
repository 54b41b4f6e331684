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

// The questions of the operators' runbook. Each must run and use an index.
constexpr std::string_view kRunbook[] = {
    R"sql(SELECT id FROM ing_task
          WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < 0 LIMIT 1)sql",
    R"sql(SELECT id FROM ing_task_run_batch WHERE run_id = 0 AND batch_no = 0 LIMIT 1)sql",
    R"sql(SELECT status_code, sum(batches), sum(records), sum(quarantined) FROM ing_batch_rollup
          WHERE minute > 0 GROUP BY status_code)sql",
    R"sql(SELECT normalized_instant FROM ing_cursor
          WHERE cursor_type_code = 'TIME' ORDER BY normalized_instant LIMIT 1)sql",
    R"sql(SELECT id FROM ing_plan WHERE spec_fingerprint = '' LIMIT 1)sql",
};

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

Result<void> AskRunbook(Connection& connection, app::StoreFindings& findings) {
  for (const auto question : kRunbook) {
    const auto plan_text = fmt::format("EXPLAIN QUERY PLAN {}", question);
    auto plan = connection.Query(plan_text);
    if (!plan) {
      findings.problems.push_back(fmt::format("a runbook query fails: {}", plan.error().message));
      continue;
    }
    while (PATRA_TRY(plan->Next())) {
      const auto step = plan->View("detail");
      if (step.starts_with("SCAN") && step.find("INDEX") == std::string_view::npos) {
        findings.problems.push_back(
            fmt::format("a runbook query reads a whole table: {}", question));
      }
    }
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
  PATRA_TRY(AskRunbook(connection, findings));
  return findings;
}

}  // namespace patra::infra::sqlite
