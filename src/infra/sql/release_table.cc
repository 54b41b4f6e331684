#include "infra/sql/release_table.h"

#include <algorithm>

namespace patra::infra::sql::release_table {
namespace {

constexpr std::string_view kValid = R"sql(
    SELECT provenance_code, registry_rows FROM reg_release
    WHERE release_tag = :release AND effective_from <= :at AND (effective_to IS NULL OR effective_to > :at)
    ORDER BY provenance_code LIMIT 100000)sql";

constexpr std::string_view kNames = R"sql(
    SELECT DISTINCT release_tag FROM reg_release ORDER BY release_tag LIMIT 1000)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT effective_from, effective_to, registry_rows FROM reg_release
    WHERE release_tag = :release AND provenance_code = :provenance AND (effective_to IS NULL OR effective_to > :at)
    ORDER BY effective_from LIMIT 1000)sql";

constexpr std::string_view kPut = R"sql(
    INSERT INTO reg_release (id, release_tag, provenance_code, effective_from, registry_rows)
    VALUES (:id, :release, :provenance, :from, :rows))sql";

constexpr std::string_view kClose = R"sql(
    UPDATE reg_release SET effective_to = :to
    WHERE release_tag = :release AND provenance_code = :provenance AND effective_to IS NULL)sql";

}  // namespace

Result<std::vector<OfSource>> Valid(Session& session, const std::string& release, Instant at) {
  std::vector<OfSource> valid;
  auto rows = PATRA_TRY(session.Query(kValid, {{"release", release}, {"at", at}}));
  while (PATRA_TRY(rows.Next())) {
    auto source = rows.Text("provenance_code");
    auto of_source = PATRA_TRY(RowsFromJson(source, rows.View("registry_rows")));
    valid.push_back({std::move(source), std::move(of_source)});
  }
  return valid;
}

Result<std::vector<std::string>> Names(Session& session) {
  std::vector<std::string> names;
  auto rows = PATRA_TRY(session.Query(kNames, {}));
  while (PATRA_TRY(rows.Next())) names.push_back(rows.Text("release_tag"));
  return names;
}

Result<Found> Find(Session& session, const std::string& release, const std::string& source,
                   Instant at) {
  Found found;
  const auto changes_at = [&](Instant moment) {
    found.until = found.until ? std::min(*found.until, moment) : moment;
  };
  auto rows = PATRA_TRY(
      session.Query(kOfSource, {{"release", release}, {"provenance", source}, {"at", at}}));
  while (PATRA_TRY(rows.Next())) {
    const auto from = rows.Time("effective_from");
    const auto to = rows.OptionalTime("effective_to");
    if (from > at) {
      changes_at(from);
      continue;
    }
    if (to) changes_at(*to);
    found.rows = PATRA_TRY(RowsFromJson(source, rows.View("registry_rows")));
  }
  return found;
}

Result<void> Put(Session& session, Id id, const std::string& release, const OfSource& definition,
                 Instant from) {
  const auto rows = JsonOfRows(definition.rows);
  PATRA_TRY(session.Run(kPut, {{"id", id},
                               {"release", release},
                               {"provenance", definition.source},
                               {"from", from},
                               {"rows", rows}}));
  return {};
}

Result<void> Close(Session& session, const std::string& release, const std::string& source,
                   Instant to) {
  PATRA_TRY(session.Run(kClose, {{"to", to}, {"release", release}, {"provenance", source}}));
  return {};
}

}  // namespace patra::infra::sql::release_table
