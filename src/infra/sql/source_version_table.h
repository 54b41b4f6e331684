// Table reg_source_version: under which number a source was changed last.
#pragma once

#include <string>

#include "base/id.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::source_version_table {

Result<Id> Of(Session& session,
              const std::string& source);  // 0: nothing changed since there are numbers
Result<void> Put(Session& session, const std::string& source, Id version);

}  // namespace patra::infra::sql::source_version_table
