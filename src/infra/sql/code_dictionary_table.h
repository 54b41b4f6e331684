// Tables sys_dict_*: the codes that there are, and what other systems call them.
#pragma once

#include "domain/spec/code_dictionary.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::code_dictionary_table {

Result<domain::CodeDictionary> All(Session& session);

}  // namespace patra::infra::sql::code_dictionary_table
