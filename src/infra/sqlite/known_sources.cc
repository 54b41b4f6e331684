#include "infra/sqlite/known_sources.h"

#include <set>

namespace patra::infra::sqlite {
namespace {

constexpr std::size_t kNamesMax = 10'000;

constexpr std::string_view kNextSource = R"sql(
    SELECT provenance_code FROM ing_plan WHERE provenance_code > :after
    ORDER BY provenance_code LIMIT 1)sql";

constexpr std::string_view kNextSliced = R"sql(
    SELECT provenance_code, endpoint_name FROM ing_plan_slice
    WHERE (provenance_code, endpoint_name) > (:source, :endpoint)
    ORDER BY provenance_code, endpoint_name LIMIT 1)sql";

constexpr std::string_view kNextWithCursor = R"sql(
    SELECT provenance_code, endpoint_name FROM ing_cursor
    WHERE (provenance_code, endpoint_name) > (:source, :endpoint)
    ORDER BY provenance_code, endpoint_name LIMIT 1)sql";

constexpr std::string_view kNextWithItems = R"sql(
    SELECT provenance_code, endpoint_name FROM ing_item
    WHERE (provenance_code, endpoint_name) > (:source, :endpoint)
    ORDER BY provenance_code, endpoint_name LIMIT 1)sql";

Result<void> AddAlong(Connection& connection, std::string_view next, const std::string& source,
                      const std::string& endpoint, std::set<KnownEndpoint>& known) {
  KnownEndpoint at{.source = source, .endpoint = {}};
  while (known.size() < kNamesMax) {
    auto rows = PATRA_TRY(connection.Query(next, at.source, at.endpoint));
    if (!PATRA_TRY(rows.Next())) return {};
    KnownEndpoint found{rows.Text(0), rows.Text(1)};
    if (!source.empty() && found.source != source) return {};
    if (endpoint.empty() || found.endpoint == endpoint) known.insert(found);
    at = std::move(found);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> KnownSources(Connection& connection, const std::string& source) {
  if (!source.empty()) return std::vector{source};
  std::vector<std::string> sources;
  std::string after;
  while (sources.size() < kNamesMax) {
    auto rows = PATRA_TRY(connection.Query(kNextSource, after));
    if (!PATRA_TRY(rows.Next())) break;
    after = sources.emplace_back(rows.Text(0));
  }
  return sources;
}

Result<std::vector<KnownEndpoint>> KnownEndpoints(Connection& connection, const std::string& source,
                                                  const std::string& endpoint) {
  std::set<KnownEndpoint> known;
  PATRA_TRY(AddAlong(connection, kNextSliced, source, endpoint, known));
  PATRA_TRY(AddAlong(connection, kNextWithCursor, source, endpoint, known));
  return std::vector(known.begin(), known.end());
}

Result<std::vector<KnownEndpoint>> EndpointsWithItems(Connection& connection,
                                                      const std::string& source,
                                                      const std::string& endpoint) {
  std::set<KnownEndpoint> known;
  PATRA_TRY(AddAlong(connection, kNextWithItems, source, endpoint, known));
  return std::vector(known.begin(), known.end());
}

}  // namespace patra::infra::sqlite
