#include "infra/sql/registry.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/close_match.h"
#include "infra/sql/code_dictionary_table.h"
#include "infra/sql/field_dictionary_table.h"
#include "infra/sql/registry_difference.h"
#include "infra/sql/registry_tables.h"
#include "infra/sql/release_table.h"
#include "infra/sql/source_version_table.h"

namespace patra::infra::sql {
namespace {

using app::RegistryChange;
using domain::DefinitionNode;
using release_table::OfSource;
using Changes = std::vector<RegistryChange>;

// Who applies at the same time takes the moment before waiting for its turn: what begins so little later is none of a wrong clock.
constexpr Duration kAtOnce = std::chrono::seconds(5);

Result<FieldDifference> FieldDifferenceOf(Session& session, const app::RegistryContent& content) {
  if (!content.fields) return FieldDifference{};
  const auto stored = PATRA_TRY(field_dictionary_table::All(session));
  return DifferenceOf(stored, *content.fields);
}

void Append(Changes& changes, Changes more) {
  changes.insert(changes.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

std::vector<std::vector<RegistryRow>> RowsOfAll(const std::vector<DefinitionNode>& definitions) {
  std::vector<std::vector<RegistryRow>> all;
  for (const auto& definition : definitions) all.push_back(RowsOf(definition));
  return all;
}

// What everybody has, but for the sources that the release has its own of.
std::vector<RegistryRow> Under(const std::vector<OfSource>& of_release,
                               std::vector<RegistryRow> everybodys) {
  std::set<std::string> own;
  for (const auto& definition : of_release) own.insert(definition.source);
  std::erase_if(everybodys, [&](const RegistryRow& row) { return own.contains(row.provenance); });
  for (const auto& definition : of_release)
    everybodys.insert(everybodys.end(), definition.rows.begin(), definition.rows.end());
  return everybodys;
}

Result<std::vector<OfSource>> OfRelease(Session& session, const std::string& release, Instant at) {
  if (release.empty()) return std::vector<OfSource>();
  return release_table::Valid(session, release, at);
}

// As whoever works with the release sees it.
Result<std::vector<RegistryRow>> SeenRows(Session& session, const std::string& release,
                                          Instant at) {
  return Under(PATRA_TRY(OfRelease(session, release, at)), PATRA_TRY(ValidRows(session, at)));
}

Result<void> Write(Session& session, IdGenerator& ids, const RowDifference& difference,
                   Instant from) {
  for (const auto& row : difference.closed) PATRA_TRY(CloseRow(session, row, from));
  for (const auto& row : difference.opened) PATRA_TRY(OpenRow(session, ids.Next(), row, from));
  std::set<std::string> changed;
  for (const auto* rows : {&difference.closed, &difference.opened}) {
    for (const auto& row : *rows) changed.insert(row.provenance);
  }
  for (const auto& source : changed)
    PATRA_TRY(source_version_table::Put(session, source, ids.Next()));
  return {};
}

// Where a clock was ahead when something was applied, nothing would be valid until it is as late as that: what is applied again is
// valid at once.
Result<Changes> BeginNow(Session& session, IdGenerator& ids,
                         const std::vector<DefinitionNode>& definitions, Instant now) {
  Changes changes;
  const auto later = PATRA_TRY(BeginningLater(session, now + kAtOnce));
  for (const auto& rows :
       later.empty() ? std::vector<std::vector<RegistryRow>>{} : RowsOfAll(definitions)) {
    const auto found = rows.empty() ? later.end() : later.find(rows.front().provenance);
    if (found == later.end()) continue;
    PATRA_TRY(BringForward(session, found->first, now));
    PATRA_TRY(source_version_table::Put(session, found->first, ids.Next()));
    changes.push_back({.where = found->first + " begins",
                       .before = FormatRfc3339(found->second),
                       .after = FormatRfc3339(now)});
  }
  return changes;
}

// What everybody has already is no matter of the release.
Result<Changes> ApplyForRelease(Session& session, IdGenerator& ids, const std::string& release,
                                const std::vector<DefinitionNode>& definitions, Instant from) {
  const auto everybodys = PATRA_TRY(ValidRows(session, kInstantMax));
  const auto of_release = PATRA_TRY(release_table::Valid(session, release, kInstantMax));
  const auto seen = Under(of_release, everybodys);
  Changes changes;
  for (auto& wanted : RowsOfAll(definitions)) {
    if (wanted.empty()) continue;
    const auto source = wanted.front().provenance;
    const bool has_own =
        std::ranges::find(of_release, source, &OfSource::source) != of_release.end();
    const bool is_everybodys = DifferenceOf(everybodys, {wanted}).empty();
    auto difference = DifferenceOf(seen, {wanted});
    if (difference.empty() && !(has_own && is_everybodys)) continue;
    if (has_own) PATRA_TRY(release_table::Close(session, release, source, from));
    if (!is_everybodys)
      PATRA_TRY(
          release_table::Put(session, ids.Next(), release, {source, std::move(wanted)}, from));
    PATRA_TRY(source_version_table::Put(session, source, ids.Next()));
    Append(changes, std::move(difference.changes));
  }
  return changes;
}

Result<void> CheckNamed(const std::string& release) {
  if (!release.empty()) return {};
  return Fail(ErrorCode::kInvalidInput, "there is no release to speak of", {}, "name one");
}

// What a release has of its own. One that never had anything is a slip: nothing would be done, and look as if it were.
Result<std::vector<release_table::OfSource>> OwnOf(Session& session, const std::string& release) {
  auto own = PATRA_TRY(release_table::Valid(session, release, kInstantMax));
  if (!own.empty()) return own;
  const auto names = PATRA_TRY(release_table::Names(session));
  if (std::ranges::find(names, release) != names.end()) return own;
  return Fail(ErrorCode::kNotFound,
              fmt::format("nothing was ever applied for a release '{}'", release), {},
              DidYouMean(release, names,
                         names.empty() ? "no release has definitions of its own"
                                       : fmt::format("there are: {}", fmt::join(names, ", "))));
}

std::vector<RegistryRow> RowsIn(const std::vector<RegistryRow>& rows, const std::string& source) {
  std::vector<RegistryRow> of_source;
  std::ranges::copy_if(rows, std::back_inserter(of_source),
                       [&](const auto& row) { return row.provenance == source; });
  return of_source;
}

}  // namespace

Result<Changes> Registry::Diff(const app::RegistryContent& content) {
  return database_.Read([&](Session& session) -> Result<Changes> {
    const auto seen = PATRA_TRY(SeenRows(session, release_, kInstantMax));
    auto changes = DifferenceOf(seen, RowsOfAll(content.definitions)).changes;
    if (release_.empty()) Append(changes, PATRA_TRY(FieldDifferenceOf(session, content)).changes);
    return changes;
  });
}

Result<Changes> Registry::Apply(const app::RegistryContent& content, Instant from) {
  return database_.Write([&](Session& session) -> Result<Changes> {
    if (!release_.empty())
      return ApplyForRelease(session, ids_, release_, content.definitions, from);
    auto begun = PATRA_TRY(BeginNow(session, ids_, content.definitions, from));
    const auto stored = PATRA_TRY(ValidRows(session, kInstantMax));
    auto difference = DifferenceOf(stored, RowsOfAll(content.definitions));
    PATRA_TRY(Write(session, ids_, difference, from));
    Append(difference.changes, std::move(begun));
    auto fields = PATRA_TRY(FieldDifferenceOf(session, content));
    for (const auto& key : fields.removed) PATRA_TRY(field_dictionary_table::Remove(session, key));
    for (const auto& field : fields.put) PATRA_TRY(field_dictionary_table::Put(session, field));
    Append(difference.changes, std::move(fields.changes));
    return std::move(difference.changes);
  });
}

Result<Changes> Registry::Promote(Instant from) {
  PATRA_TRY(CheckNamed(release_));
  return database_.Write([&](Session& session) -> Result<Changes> {
    const auto stored = PATRA_TRY(ValidRows(session, kInstantMax));
    Changes changes;
    for (const auto& own : PATRA_TRY(OwnOf(session, release_))) {
      auto difference = DifferenceOf(stored, {own.rows});
      PATRA_TRY(Write(session, ids_, difference, from));
      PATRA_TRY(release_table::Close(session, release_, own.source, from));
      PATRA_TRY(source_version_table::Put(session, own.source, ids_.Next()));
      Append(changes, std::move(difference.changes));
    }
    return changes;
  });
}

Result<Changes> Registry::Drop(Instant from) {
  PATRA_TRY(CheckNamed(release_));
  return database_.Write([&](Session& session) -> Result<Changes> {
    const auto stored = PATRA_TRY(ValidRows(session, kInstantMax));
    Changes changes;
    for (const auto& own : PATRA_TRY(OwnOf(session, release_))) {
      PATRA_TRY(release_table::Close(session, release_, own.source, from));
      PATRA_TRY(source_version_table::Put(session, own.source, ids_.Next()));
      const auto everybodys = RowsIn(stored, own.source);
      if (everybodys.empty()) {
        changes.push_back({.where = own.source, .before = "of the release alone", .after = ""});
      } else {
        Append(changes, DifferenceOf(own.rows, {everybodys}).changes);
      }
    }
    return changes;
  });
}

Result<domain::CodeDictionary> Registry::Codes() {
  return database_.Read([](Session& session) { return code_dictionary_table::All(session); });
}

Result<std::vector<domain::QueryField>> Registry::Fields() {
  return database_.Read([](Session& session) { return field_dictionary_table::All(session); });
}

Result<std::optional<app::RegisteredSource>> Registry::Find(const std::string& source, Instant at,
                                                            const std::string& known_version) {
  using Found = std::optional<app::RegisteredSource>;
  return database_.Read([&](Session& session) -> Result<Found> {
    app::RegisteredSource found{
        .version = fmt::to_string(PATRA_TRY(source_version_table::Of(session, source)))};
    if (found.version == known_version) return Found();
    release_table::Found own;
    if (!release_.empty()) own = PATRA_TRY(release_table::Find(session, release_, source, at));
    found.until = own.until;
    auto rows = std::move(own.rows);
    if (rows.empty()) {
      auto everybodys = PATRA_TRY(ReadSource(session, source, at));
      rows = std::move(everybodys.rows);
      if (everybodys.until)
        found.until = std::min(*everybodys.until, found.until.value_or(kInstantMax));
    }
    if (!rows.empty()) found.definition = DefinitionOf(std::move(rows));
    return Found(std::move(found));
  });
}

Result<std::vector<std::string>> Registry::Names(Instant at) {
  return database_.Read([&](Session& session) -> Result<std::vector<std::string>> {
    auto names = PATRA_TRY(SourceNames(session, at));
    for (const auto& own : PATRA_TRY(OfRelease(session, release_, at))) {
      if (std::ranges::find(names, own.source) == names.end()) names.push_back(own.source);
    }
    std::ranges::sort(names);
    return names;
  });
}

Result<std::vector<DefinitionNode>> Registry::Export(Instant at) {
  return database_.Read([&](Session& session) -> Result<std::vector<DefinitionNode>> {
    std::map<std::string, std::vector<RegistryRow>> by_source;
    for (auto& row : PATRA_TRY(SeenRows(session, release_, at)))
      by_source[row.provenance].push_back(std::move(row));
    std::vector<DefinitionNode> definitions;
    for (auto& [source, rows] : by_source) definitions.push_back(DefinitionOf(std::move(rows)));
    return definitions;
  });
}

}  // namespace patra::infra::sql
