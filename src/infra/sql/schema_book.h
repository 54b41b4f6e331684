// Numbered changes of the schema, and the table that keeps which of them a store has seen. A shipped change is never edited: its
// checksum is stored when it is applied and compared ever after.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

struct Migration {
  int number;
  std::string_view name;  // "0001_create_ledger"
  std::string_view sql;
};

// The oldest program that can work with the schema as this change leaves it, by the number of the newest change it knows:
// additive changes leave it, others raise it.
int ReaderMinOf(int number);

// The number of the newest change that is applied, after comparing the past with ours. A schema that this program cannot work with,
// or whose past differs from ours, is refused, and so is a database of another program: one with tables but without the book.
Result<int> AppliedSoFar(Session& session, const std::vector<Migration>& migrations);

// Whether changes are to come that programs have to know, while executors are at work that may not: they looked when they were
// started and would go on. `applied` is not 0.
Result<void> RefuseWhileAtWork(Session& session, const std::vector<Migration>& migrations,
                               int applied, Instant now);

// REQUIRES: the book's table is there
Result<void> NoteApplied(Session& session, const Migration& migration, Instant now);

// Refuses a schema that is older or not readable; for those who may not migrate.
Result<void> CheckSchema(Session& session, const std::vector<Migration>& migrations);

}  // namespace patra::infra::sql
