#include "infra/sql/field_dictionary_table.h"

namespace patra::infra::sql::field_dictionary_table {
namespace {

constexpr std::string_view kAll = R"sql(
    SELECT field_key, display_name, coalesce(description, '') AS description, data_type_code, cardinality_code, exposable
    FROM reg_expr_field_dict WHERE field_key > '' ORDER BY field_key LIMIT 10000)sql";

constexpr std::string_view kPut = R"sql(
    INSERT INTO reg_expr_field_dict
        (field_key, display_name, description, data_type_code, cardinality_code, exposable)
    VALUES (:field_key, :display_name, nullif(:description, ''), :data_type_code, :cardinality_code, :exposable)
    ON CONFLICT (field_key) DO UPDATE
    SET display_name = excluded.display_name, description = excluded.description,
        data_type_code = excluded.data_type_code, cardinality_code = excluded.cardinality_code,
        exposable = excluded.exposable)sql";

constexpr std::string_view kRemove = "DELETE FROM reg_expr_field_dict WHERE field_key = :field_key";

}  // namespace

Result<std::vector<domain::QueryField>> All(Session& session) {
  std::vector<domain::QueryField> fields;
  auto rows = PATRA_TRY(session.Query(kAll));
  while (PATRA_TRY(rows.Next())) {
    fields.push_back({.key = rows.Text("field_key"),
                      .name = rows.Text("display_name"),
                      .about = rows.Text("description"),
                      .type = rows.Text("data_type_code"),
                      .is_many = rows.View("cardinality_code") == "MULTI",
                      .is_exposed = rows.Integer("exposable") != 0});
  }
  return fields;
}

Result<void> Put(Session& session, const domain::QueryField& field) {
  PATRA_TRY(session.Run(kPut, {{"field_key", field.key},
                               {"display_name", field.name},
                               {"description", field.about},
                               {"data_type_code", field.type},
                               {"cardinality_code", field.is_many ? "MULTI" : "SINGLE"},
                               {"exposable", std::int64_t{field.is_exposed ? 1 : 0}}}));
  return {};
}

Result<void> Remove(Session& session, const std::string& key) {
  PATRA_TRY(session.Run(kRemove, {{"field_key", key}}));
  return {};
}

}  // namespace patra::infra::sql::field_dictionary_table
