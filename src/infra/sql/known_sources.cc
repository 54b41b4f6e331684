#include "infra/sql/known_sources.h"

#include <set>

namespace patra::infra::sql {
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

// One name after the other; `ask` yields the one that comes after another.
template <typename Ask>
Result<std::vector<std::string>> Jump(const Ask& ask) {
  std::vector<std::string> names;
  std::string after;
  while (names.size() < kNamesMax) {
    Rows rows = PATRA_TRY(ask(after));
    if (!PATRA_TRY(rows.Next()) || rows.IsNull(kOnly)) break;
    after = names.emplace_back(rows.Text(kOnly));
  }
  return names;
}

Result<std::vector<std::string>> SourcesOf(Session& session, const NamesIn& in,
                                           const std::string& source) {
  if (!source.empty()) return std::vector{source};
  return Jump(
      [&](const std::string& after) { return session.Query(in.next_source, {{"after", after}}); });
}

Result<void> AddEndpoints(Session& session, const NamesIn& in, const std::string& source,
                          const std::string& endpoint, std::set<KnownEndpoint>& known) {
  for (const auto& name : PATRA_TRY(SourcesOf(session, in, source))) {
    const auto next = [&](const std::string& after) {
      return session.Query(in.next_endpoint, {{"source", name}, {"after", after}});
    };
    for (auto& found : PATRA_TRY(Jump(next))) {
      if (endpoint.empty() || found == endpoint) known.insert({name, std::move(found)});
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> KnownSources(Session& session, const std::string& source) {
  return SourcesOf(session, kPlanned, source);
}

Result<std::vector<KnownEndpoint>> KnownEndpoints(Session& session, const std::string& source,
                                                  const std::string& endpoint) {
  std::set<KnownEndpoint> known;
  PATRA_TRY(AddEndpoints(session, kSliced, source, endpoint, known));
  PATRA_TRY(AddEndpoints(session, kWithCursor, source, endpoint, known));
  return std::vector(known.begin(), known.end());
}

}  // namespace patra::infra::sql
