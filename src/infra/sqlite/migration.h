// Numbered changes of the schema. A shipped change is never edited: its checksum is stored when it
// is applied and compared ever after.
#pragma once

#include <string_view>
#include <vector>

#include "app/port/store_care.h"
#include "base/result.h"
#include "base/time.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

struct Migration {
  int number;
  std::string_view name;  // "0001_create_ledger"
  std::string_view sql;
};

// The changes in sql/sqlite, compiled in, in order.
const std::vector<Migration>& EmbeddedMigrations();

// The oldest program that can work with the schema as this change leaves it, by the number of the newest change it knows:
// additive changes leave it, others raise it.
int ReaderMinOf(int number);

// Brings the schema up to date, each change in a transaction of its own that also records it. Views of records are not
// there in between and fit the newest schema at the end.
// Several processes may call it at once. A schema that this program cannot work with, or whose past
// differs from ours, is refused.
Result<app::SchemaChange> Migrate(Connection& connection, const std::vector<Migration>& migrations,
                                  Instant now);

// Refuses a schema that is older or not readable; for those who may not migrate.
Result<void> CheckSchema(Connection& connection, const std::vector<Migration>& migrations);

}  // namespace patra::infra::sqlite
