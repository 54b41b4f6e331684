#include "infra/sql/coverage_table.h"

namespace patra::infra::sql::coverage_table {
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

Result<domain::Coverage> Around(Session& session, const domain::Lane& lane,
                                const std::string& query_hash, const domain::Window& window) {
  std::vector<domain::Window> windows;
  auto rows = PATRA_TRY(session.Query(kAround, {{"provenance_code", lane.provenance},
                                                {"endpoint_name", lane.endpoint},
                                                {"query_hash", query_hash},
                                                {"from", window.from()},
                                                {"to", window.to()}}));
  while (PATRA_TRY(rows.Next())) {
    windows.push_back(
        PATRA_TRY(domain::Window::Between(rows.Time("covered_from"), rows.Time("covered_to"))));
  }
  return domain::Coverage(windows);
}

Result<void> Add(Session& session, const domain::Lane& lane, const std::string& query_hash,
                 const domain::Window& window, Id new_id, Instant now) {
  auto coverage = PATRA_TRY(Around(session, lane, query_hash, window));
  coverage.Add(window);
  // Everything around the window touches it, so one stretch remains.
  const auto& merged = coverage.windows().front();
  PATRA_TRY(session.Run(kDelete, {{"provenance_code", lane.provenance},
                                  {"endpoint_name", lane.endpoint},
                                  {"query_hash", query_hash},
                                  {"from", merged.from()},
                                  {"to", merged.to()}}));
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"provenance_code", lane.provenance},
                                  {"endpoint_name", lane.endpoint},
                                  {"query_hash", query_hash},
                                  {"from", merged.from()},
                                  {"to", merged.to()},
                                  {"now", now}}));
  return {};
}

Result<void> TakeOut(Session& session, const domain::Lane& lane, const std::string& query_hash,
                     const domain::Window& window, Id new_id, Instant now) {
  const auto proven = PATRA_TRY(Around(session, lane, query_hash, window));
  if (proven.windows().empty()) return {};
  PATRA_TRY(session.Run(kDelete, {{"provenance_code", lane.provenance},
                                  {"endpoint_name", lane.endpoint},
                                  {"query_hash", query_hash},
                                  {"from", window.from()},
                                  {"to", window.to()}}));
  PATRA_TRY(session.Run(kShorten, {{"from", window.from()},
                                   {"provenance_code", lane.provenance},
                                   {"endpoint_name", lane.endpoint},
                                   {"query_hash", query_hash}}));
  if (const auto rest = domain::Window::Between(window.to(), proven.windows().back().to()))
    PATRA_TRY(Add(session, lane, query_hash, *rest, new_id, now));
  return {};
}

Result<void> Withdraw(Session& session, const domain::Lane& lane, const std::string& query_hash,
                      Instant from) {
  PATRA_TRY(session.Run(kForgetAfter, {{"provenance_code", lane.provenance},
                                       {"endpoint_name", lane.endpoint},
                                       {"query_hash", query_hash},
                                       {"from", from}}));
  PATRA_TRY(session.Run(kShorten, {{"from", from},
                                   {"provenance_code", lane.provenance},
                                   {"endpoint_name", lane.endpoint},
                                   {"query_hash", query_hash}}));
  return {};
}

Result<std::vector<std::string>> Queries(Session& session, const domain::Lane& lane) {
  std::vector<std::string> queries;
  auto rows = PATRA_TRY(session.Query(
      kQueries, {{"provenance_code", lane.provenance}, {"endpoint_name", lane.endpoint}}));
  while (PATRA_TRY(rows.Next())) queries.push_back(rows.Text("query_hash"));
  return queries;
}

}  // namespace patra::infra::sql::coverage_table
