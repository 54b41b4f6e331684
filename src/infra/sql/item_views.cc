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
// As many as every database takes, for views and for their columns.
constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kHashBytes = 8;

constexpr PerDialect kViewText{
    .sqlite = "SELECT sql AS definition FROM sqlite_schema WHERE name = :name LIMIT 1",
    .mysql = R"sql(
    SELECT coalesce(view.view_definition, '') AS definition
    FROM information_schema.tables AS named
    LEFT JOIN information_schema.views AS view
        ON view.table_schema = named.table_schema AND view.table_name = named.table_name
    WHERE named.table_schema = DATABASE() AND named.table_name = :name LIMIT 1)sql"};
constexpr PerDialect kOurs{.sqlite = R"sql(
    SELECT name FROM sqlite_schema
    WHERE type = 'view' AND substr(name, 1, 2) = 'v_' AND instr(sql, 'records of ') > 0
    LIMIT 10000)sql",
                           .mysql = R"sql(
    SELECT table_name AS name FROM information_schema.views
    WHERE table_schema = DATABASE() AND substr(table_name, 1, 2) = 'v_'
      AND instr(view_definition, 'records of ') > 0
    LIMIT 10000)sql"};
// Ids of plans grow.
constexpr std::string_view kNewestPlanOfEach = R"sql(
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

std::string ColumnOf(Dialect dialect, const domain::FieldSpec& field, const std::string& name) {
  const bool is_mysql = dialect == Dialect::kMysql;
  const auto path = Quoted(fmt::format("$.\"{}\"", field.name), '\'');
  // Out of its quotation marks, and what the document calls null is null.
  const auto value =
      is_mysql ? fmt::format("JSON_UNQUOTE(NULLIF(JSON_EXTRACT(fields, {}), 'null'))", path)
               : fmt::format("json_extract(fields, {})", path);
  const auto typed = [&](std::string_view type) {
    if (is_mysql && field.type == domain::FieldType::kBoolean)
      return fmt::format("CASE {} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END AS {}", value,
                         Quoted(name, '"'));
    if (is_mysql) type = type == "INTEGER" ? "SIGNED" : type == "REAL" ? "DOUBLE" : "CHAR";
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

std::string TimeColumn(Dialect dialect, std::string_view column) {
  if (dialect == Dialect::kMysql) {
    return fmt::format(
        "concat(left(date_format(date_add('1970-01-01 00:00:00', INTERVAL {0} MICROSECOND), "
        "'%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS {0}",
        column);
  }
  return fmt::format("strftime('%Y-%m-%dT%H:%M:%fZ', {0} / 1000000.0, 'unixepoch') AS {0}", column);
}

std::string OwnerOf(const domain::SpecSnapshot& spec) {
  // Names of sources and endpoints are checked when a definition is compiled; a comment must not end early
  // all the same.
  return fmt::format("records of {}/{}", SafeName(spec.provenance),
                     Sha256Hex(spec.provenance + "/" + spec.endpoint));
}

// MySQL keeps no comments: there the owner is a text that is compared with another.
std::string ViewText(Dialect dialect, const std::string& name, const domain::SpecSnapshot& spec) {
  const bool is_mysql = dialect == Dialect::kMysql;
  std::vector<std::string> columns{is_mysql ? "CONVERT(provider_item_id USING utf8mb4) AS item_id"
                                            : "provider_item_id AS item_id",
                                   TimeColumn(dialect, "updated_at")};
  std::set<std::string> taken{"item_id",    "updated_at",    "merged_into",
                              "fetched_at", "first_seen_at", "batch_id"};
  for (const auto& field : MappedFields(spec)) {
    if (!CanBeColumn(field.name) || columns.size() >= kColumnsMax) continue;
    auto column = field.name;
    while (!taken.insert(Lower(column)).second) column = "field_" + column;
    columns.push_back(ColumnOf(dialect, field, column));
  }
  columns.insert(columns.end(), {"merged_into", TimeColumn(dialect, "fetched_at"),
                                 TimeColumn(dialect, "first_seen_at"), "batch_id"});
  std::string text = fmt::format("CREATE VIEW {} AS {}\nSELECT ", name,
                                 is_mysql ? "" : fmt::format("/* {} */", OwnerOf(spec)));
  for (const auto& column : columns) text += (&column == columns.data() ? "" : ",\n    ") + column;
  text += fmt::format(
      "\nFROM ing_item\nWHERE record_set_id = (SELECT id FROM ing_record_set"
      " WHERE provenance_code = {} AND endpoint_name = {}) AND deleted_at IS NULL",
      Quoted(spec.provenance, '\''), Quoted(spec.endpoint, '\''));
  if (!is_mysql) return text;
  return text + fmt::format(" AND '{}, made of {}' <> ''", OwnerOf(spec), Sha256Hex(text));
}

// Whether a stored view is what its text would make. MySQL writes the text anew.
bool IsMadeOf(Dialect dialect, std::string_view stored, std::string_view text) {
  if (dialect == Dialect::kSqlite) return stored == text;
  const auto made_of = text.substr(text.rfind("made of "), 8 + 64);
  return stored.find(made_of) != std::string_view::npos;
}

Result<std::optional<std::string>> StoredText(Session& session, const std::string& name) {
  auto rows = PATRA_TRY(session.Query(session.In(kViewText), {{"name", name}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Text("definition");
}

Result<std::string> Refresh(Session& session, const domain::SpecSnapshot& spec) {
  const auto plain = SafeName(fmt::format("v_{}_{}", spec.provenance, spec.endpoint));
  const auto distinct =
      fmt::format("{}_{}", plain.substr(0, kNameBytesMax - kHashBytes - 1),
                  Sha256Hex(spec.provenance + "/" + spec.endpoint).substr(0, kHashBytes));
  for (const auto& name : {plain, distinct}) {
    const auto stored = PATRA_TRY(StoredText(session, name));
    const bool is_ours = stored && stored->find(OwnerOf(spec)) != std::string::npos;
    if (stored && !is_ours) continue;
    const auto text = ViewText(session.dialect(), name, spec);
    if (stored && IsMadeOf(session.dialect(), *stored, text)) return name;
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
  if (refreshed) return {};
  // A view is a convenience: neither names that are taken nor an account that may make none keep a plan from being made.
  const auto code = refreshed.error().code;
  if (code == ErrorCode::kConflict || code == ErrorCode::kRefused) return {};
  return std::unexpected(refreshed.error());
}

Result<void> ItemViews::DropAll(Session& session) {
  for (const auto& name : PATRA_TRY(TextsIn(PATRA_TRY(session.Query(session.In(kOurs))))))
    PATRA_TRY(session.Execute("DROP VIEW " + name));
  return {};
}

Result<void> ItemViews::MakeAll(Session& session) {
  for (const auto& snapshot : PATRA_TRY(TextsIn(PATRA_TRY(session.Query(kNewestPlanOfEach)))))
    PATRA_TRY(RefreshIn(session, snapshot));
  return {};
}

}  // namespace patra::infra::sql
