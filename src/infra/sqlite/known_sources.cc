#include "infra/sqlite/known_sources.h"

#include <set>

namespace patra::infra::sqlite {
namespace {

constexpr std::size_t kNamesMax = 10'000;

// Each step is one seek. A comparison of pairs, (source, endpoint) > (?, ?), would be one statement instead of
// two, but SQLite reads every row that equals the pair before it goes on.
struct NamesIn {
  std::string_view next_source;
  std::string_view next_endpoint;
};

constexpr NamesIn kPlanned{
    .next_source = "SELECT min(provenance_code) FROM ing_plan WHERE provenance_code > :after",
    .next_endpoint = {}};

constexpr NamesIn kSliced{
    .next_source = "SELECT min(provenance_code) FROM ing_plan_slice WHERE provenance_code > :after",
    .next_endpoint = R"sql(
    SELECT min(endpoint_name) FROM ing_plan_slice INDEXED BY idx_slice_range
    WHERE provenance_code = :source AND endpoint_name > :after)sql"};

constexpr NamesIn kWithCursor{
    .next_source = "SELECT min(provenance_code) FROM ing_cursor WHERE provenance_code > :after",
    .next_endpoint = R"sql(
    SELECT min(endpoint_name) FROM ing_cursor INDEXED BY uk_cursor_ns
    WHERE provenance_code = :source AND endpoint_name > :after)sql"};

constexpr NamesIn kWithItems{
    .next_source = "SELECT min(provenance_code) FROM ing_item WHERE provenance_code > :after",
    .next_endpoint = R"sql(
    SELECT min(endpoint_name) FROM ing_item INDEXED BY uk_item
    WHERE provenance_code = :source AND endpoint_name > :after)sql"};

// NamesIn, one after the other; `next` takes the last one as its last parameter.
template <typename... Before>
Result<std::vector<std::string>> Jump(Connection& connection, std::string_view next,
                                      const Before&... before) {
  std::vector<std::string> names;
  std::string after;
  while (names.size() < kNamesMax) {
    auto rows = PATRA_TRY(connection.Query(next, before..., after));
    if (!PATRA_TRY(rows.Next()) || rows.IsNull(0)) break;
    auto name = rows.Text(0);
    after = names.emplace_back(std::move(name));
  }
  return names;
}

Result<std::vector<std::string>> SourcesOf(Connection& connection, const NamesIn& in,
                                           const std::string& source) {
  if (!source.empty()) return std::vector{source};
  return Jump(connection, in.next_source);
}

Result<void> AddEndpoints(Connection& connection, const NamesIn& in, const std::string& source,
                          const std::string& endpoint, std::set<KnownEndpoint>& known) {
  for (const auto& name : PATRA_TRY(SourcesOf(connection, in, source))) {
    for (auto& found : PATRA_TRY(Jump(connection, in.next_endpoint, name))) {
      if (endpoint.empty() || found == endpoint) known.insert({name, std::move(found)});
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> KnownSources(Connection& connection, const std::string& source) {
  return SourcesOf(connection, kPlanned, source);
}

Result<std::vector<KnownEndpoint>> KnownEndpoints(Connection& connection, const std::string& source,
                                                  const std::string& endpoint) {
  std::set<KnownEndpoint> known;
  PATRA_TRY(AddEndpoints(connection, kSliced, source, endpoint, known));
  PATRA_TRY(AddEndpoints(connection, kWithCursor, source, endpoint, known));
  return std::vector(known.begin(), known.end());
}

Result<std::vector<KnownEndpoint>> EndpointsWithItems(Connection& connection,
                                                      const std::string& source,
                                                      const std::string& endpoint) {
  std::set<KnownEndpoint> known;
  PATRA_TRY(AddEndpoints(connection, kWithItems, source, endpoint, known));
  return std::vector(known.begin(), known.end());
}

}  // namespace patra::infra::sqlite
