// Brings the schema of a file up to date.
#pragma once

#include <vector>

#include "app/port/store_care.h"
#include "base/result.h"
#include "base/time.h"
#include "infra/sql/schema_book.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

using sql::CheckSchema;
using sql::Migration;

// The changes in sql/sqlite, compiled in, in order.
const std::vector<Migration>& EmbeddedMigrations();

// Brings the schema up to date, each change in a transaction of its own that also records it. Views of records are not
// there in between and fit the newest schema at the end.
// Several processes may call it at once. A schema that this program cannot work with, or whose past differs from ours, is refused.
Result<app::SchemaChange> Migrate(Connection& connection, const std::vector<Migration>& migrations,
                                  Instant now);

}  // namespace patra::infra::sqlite
