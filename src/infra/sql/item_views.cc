// v_crossref_works: the living records of one endpoint with their mapped fields as typed columns.
//
// Names come from definitions, so nothing of them is trusted: a view's name keeps letters, digits and
// underscores only, columns are quoted identifiers, fields are found by a quoted JSON path. A comment in the
// view's text says whose it is, so that two endpoints whose names become the same, or one that is called
// like a view of the ledger, do not replace each other's.
#include "infra/sql/item_views.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/value.h"
#include "infra/sql/mapped_fields.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql {
namespace {

// SQLite allows 2,000 columns in a result; nobody reads that many.
constexpr std::size_t kColumnsMax = 500;
constexpr std::size_t kNameBytesMax = 120;

constexpr std::string_view kViewText = "SELECT sql FROM sqlite_schema WHERE name = :name LIMIT 1";
constexpr std::string_view kOurs = R"sql(
    SELECT name FROM sqlite_schema
    WHERE type = 'view' AND substr(name, 1, 2) = 'v_' AND instr(sql, ' AS /* records of ') > 0
    LIMIT 10000)sql";
// Ids of plans grow.
constexpr std::string_view kNewestPlans = R"sql(
    SELECT expr_proto_snapshot FROM ing_plan
    WHERE id IN (SELECT max(id) FROM ing_plan GROUP BY provenance_code, endpoint_name) LIMIT 10000)sql";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

std::string SafeName(std::string_view text) {
  auto name = Lower(text.substr(0, kNameBytesMax));
  std::ranges::replace_if(
      name, [](unsigned char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); }, '_');
  return name;
}

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  return quoted + quote;
}

// A quotation mark cannot be written inside a quoted JSON path, a NUL not inside SQL.
bool CanBeColumn(std::string_view name) {
  return !name.empty() && name.find('"') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

std::string ColumnOf(const domain::FieldSpec& field, const std::string& name) {
  const auto value =
      fmt::format("json_extract(fields, {})", Quoted(fmt::format("$.\"{}\"", field.name), '\''));
  const auto typed = [&](std::string_view type) {
    return fmt::format("CAST({} AS {}) AS {}", value, type, Quoted(name, '"'));
  };
  if (field.many) return fmt::format("{} AS {}", value, Quoted(name, '"'));
  switch (field.type) {
    case domain::FieldType::kInteger:
    case domain::FieldType::kBoolean:
      return typed("INTEGER");
    case domain::FieldType::kNumber:
      return typed("REAL");
    case domain::FieldType::kText:
    case domain::FieldType::kInstant:
    case domain::FieldType::kDate:
    case domain::FieldType::kPartialDate:
      return typed("TEXT");
    case domain::FieldType::kAny:
      break;
  }
  return fmt::format("{} AS {}", value, Quoted(name, '"'));
}

std::string TimeColumn(std::string_view column) {
  return fmt::format("strftime('%Y-%m-%dT%H:%M:%fZ', {0} / 1000000.0, 'unixepoch') AS {0}", column);
}

std::string OwnerOf(const domain::SpecSnapshot& spec) {
  // Names of sources and endpoints are checked when a definition is compiled; a comment must not end early
  // all the same.
  return fmt::format("/* records of {}/{} */", SafeName(spec.provenance),
                     Sha256Hex(spec.provenance + "/" + spec.endpoint));
}

std::string ViewText(const std::string& name, const domain::SpecSnapshot& spec) {
  std::vector<std::string> columns{"provider_item_id AS item_id", TimeColumn("updated_at")};
  std::set<std::string> taken{"item_id",    "updated_at",    "merged_into",
                              "fetched_at", "first_seen_at", "batch_id"};
  for (const auto& field : MappedFields(spec)) {
    if (!CanBeColumn(field.name) || columns.size() >= kColumnsMax) continue;
    auto column = field.name;
    while (!taken.insert(Lower(column)).second) column = "field_" + column;
    columns.push_back(ColumnOf(field, column));
  }
  columns.insert(columns.end(), {"merged_into", TimeColumn("fetched_at"),
                                 TimeColumn("first_seen_at"), "batch_id"});
  std::string text = fmt::format("CREATE VIEW {} AS {}\nSELECT ", name, OwnerOf(spec));
  for (const auto& column : columns) text += (&column == columns.data() ? "" : ",\n    ") + column;
  return text + fmt::format(
                    "\nFROM ing_item\nWHERE record_set_id = (SELECT id FROM ing_record_set"
                    " WHERE provenance_code = {} AND endpoint_name = {}) AND deleted_at IS NULL",
                    Quoted(spec.provenance, '\''), Quoted(spec.endpoint, '\''));
}

Result<std::optional<std::string>> StoredText(Session& session, const std::string& name) {
  auto rows = PATRA_TRY(session.Query(kViewText, {{"name", name}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Text("sql");
}

Result<std::string> Refresh(Session& session, const domain::SpecSnapshot& spec) {
  const auto plain = SafeName(fmt::format("v_{}_{}", spec.provenance, spec.endpoint));
  const auto distinct =
      fmt::format("{}_{}", plain, Sha256Hex(spec.provenance + "/" + spec.endpoint).substr(0, 8));
  for (const auto& name : {plain, distinct}) {
    const auto stored = PATRA_TRY(StoredText(session, name));
    const bool is_ours = stored && stored->find(OwnerOf(spec)) != std::string::npos;
    if (stored && !is_ours) continue;
    const auto text = ViewText(name, spec);
    if (stored == text) return name;
    if (stored) PATRA_TRY(session.Execute("DROP VIEW " + name));
    PATRA_TRY(session.Execute(text));
    return name;
  }
  return Fail(
      ErrorCode::kConflict,
      fmt::format("the names {} and {} are both taken by other tables or views", plain, distinct),
      {}, "rename or drop one of them");
}

}  // namespace

Result<std::string> ItemViews::RefreshItemView(const domain::SpecSnapshot& spec) {
  return database_.Write([&](Session& session) { return Refresh(session, spec); });
}

Result<void> ItemViews::RefreshIn(Session& session, const std::string& snapshot) {
  const auto value = ParseJson(snapshot);
  if (!value) return {};
  const auto spec = domain::SpecSnapshot::FromValue(*value);
  if (!spec) return {};
  const auto refreshed = Refresh(session, *spec);
  // A view is a convenience: names that are taken keep no plan from being made.
  if (!refreshed && refreshed.error().code != ErrorCode::kConflict)
    return std::unexpected(refreshed.error());
  return {};
}

Result<void> ItemViews::DropAll(Session& session) {
  for (const auto& name : PATRA_TRY(TextsIn(PATRA_TRY(session.Query(kOurs)))))
    PATRA_TRY(session.Execute("DROP VIEW " + name));
  return {};
}

Result<void> ItemViews::MakeAll(Session& session) {
  for (const auto& snapshot : PATRA_TRY(TextsIn(PATRA_TRY(session.Query(kNewestPlans)))))
    PATRA_TRY(RefreshIn(session, snapshot));
  return {};
}

}  // namespace patra::infra::sql
