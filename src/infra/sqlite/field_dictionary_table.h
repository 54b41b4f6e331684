// Table reg_expr_field_dict: the fields that queries speak of.
#pragma once

#include <vector>

#include "domain/spec/field_dictionary.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::field_dictionary_table {

Result<std::vector<domain::QueryField>> All(Connection& connection);  // by key
Result<void> Put(Connection& connection, const domain::QueryField& field);
Result<void> Remove(Connection& connection, const std::string& key);

}  // namespace patra::infra::sqlite::field_dictionary_table
