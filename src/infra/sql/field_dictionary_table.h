// Table reg_expr_field_dict: the fields that queries speak of.
#pragma once

#include <vector>

#include "domain/spec/field_dictionary.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::field_dictionary_table {

Result<std::vector<domain::QueryField>> All(Session& session);  // by key
Result<void> Put(Session& session, const domain::QueryField& field);
Result<void> Remove(Session& session, const std::string& key);

}  // namespace patra::infra::sql::field_dictionary_table
