#include "infra/sqlite/coverage_table.h"

namespace patra::infra::sqlite::coverage_table {
namespace {

// Rows are disjoint, so at most one begins before the window and reaches into it.
constexpr std::string_view kAround = R"sql(
    SELECT covered_from, covered_to FROM ing_coverage
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash
      AND covered_from >= coalesce(
          (SELECT max(covered_from) FROM ing_coverage
           WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
             AND query_hash = :query_hash AND covered_from <= :from), :from)
      AND covered_from <= :to AND covered_to >= :from
    ORDER BY covered_from LIMIT 100000)sql";

constexpr std::string_view kDelete = R"sql(
    DELETE FROM ing_coverage
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND covered_from >= :from AND covered_from <= :to)sql";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_coverage
        (id, provenance_code, endpoint_name, query_hash, covered_from, covered_to, updated_at)
    VALUES (:id, :provenance_code, :endpoint_name, :query_hash, :from, :to, :now))sql";

constexpr std::string_view kForgetAfter = R"sql(
    DELETE FROM ing_coverage
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND covered_from >= :from)sql";

constexpr std::string_view kShorten = R"sql(
    UPDATE ing_coverage SET covered_to = :from
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND covered_from < :from AND covered_to > :from)sql";

constexpr std::string_view kQueries = R"sql(
    SELECT DISTINCT query_hash FROM ing_coverage
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
    ORDER BY query_hash LIMIT 10000)sql";

}  // namespace

Result<domain::Coverage> Around(Connection& connection, const domain::Partition& partition,
                                const std::string& query_hash, const domain::Window& window) {
  std::vector<domain::Window> windows;
  auto rows = PATRA_TRY(connection.Query(kAround, partition.provenance, partition.endpoint,
                                         query_hash, window.from(), window.to()));
  while (PATRA_TRY(rows.Next())) {
    windows.push_back(PATRA_TRY(domain::Window::Between(rows.Time(0), rows.Time(1))));
  }
  return domain::Coverage(windows);
}

Result<void> Add(Connection& connection, const domain::Partition& partition,
                 const std::string& query_hash, const domain::Window& window, Id new_id,
                 Instant now) {
  auto coverage = PATRA_TRY(Around(connection, partition, query_hash, window));
  coverage.Add(window);
  // Everything around the window touches it, so one stretch remains.
  const auto& merged = coverage.windows().front();
  PATRA_TRY(connection.Run(kDelete, partition.provenance, partition.endpoint, query_hash,
                           merged.from(), merged.to()));
  PATRA_TRY(connection.Run(kInsert, new_id, partition.provenance, partition.endpoint, query_hash,
                           merged.from(), merged.to(), now));
  return {};
}

Result<void> Withdraw(Connection& connection, const domain::Partition& partition,
                      const std::string& query_hash, Instant from) {
  PATRA_TRY(
      connection.Run(kForgetAfter, partition.provenance, partition.endpoint, query_hash, from));
  PATRA_TRY(connection.Run(kShorten, from, partition.provenance, partition.endpoint, query_hash));
  return {};
}

Result<std::vector<std::string>> Queries(Connection& connection,
                                         const domain::Partition& partition) {
  std::vector<std::string> queries;
  auto rows = PATRA_TRY(connection.Query(kQueries, partition.provenance, partition.endpoint));
  while (PATRA_TRY(rows.Next())) queries.push_back(rows.Text(0));
  return queries;
}

}  // namespace patra::infra::sqlite::coverage_table
