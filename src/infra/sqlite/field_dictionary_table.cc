#include "infra/sqlite/field_dictionary_table.h"

namespace patra::infra::sqlite::field_dictionary_table {
namespace {

constexpr std::string_view kAll = R"sql(
    SELECT field_key, display_name, coalesce(description, ''), data_type_code, cardinality_code, exposable
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

Result<std::vector<domain::QueryField>> All(Connection& connection) {
  std::vector<domain::QueryField> fields;
  auto rows = PATRA_TRY(connection.Query(kAll));
  while (PATRA_TRY(rows.Next())) {
    fields.push_back({.key = rows.Text(0),
                      .name = rows.Text(1),
                      .about = rows.Text(2),
                      .type = rows.Text(3),
                      .is_many = rows.View(4) == "MULTI",
                      .is_exposed = rows.Integer(5) != 0});
  }
  return fields;
}

Result<void> Put(Connection& connection, const domain::QueryField& field) {
  PATRA_TRY(connection.Run(kPut, field.key, field.name, field.about, field.type,
                           field.is_many ? "MULTI" : "SINGLE",
                           std::int64_t{field.is_exposed ? 1 : 0}));
  return {};
}

Result<void> Remove(Connection& connection, const std::string& key) {
  PATRA_TRY(connection.Run(kRemove, key));
  return {};
}

}  // namespace patra::infra::sqlite::field_dictionary_table
