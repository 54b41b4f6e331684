// Copies of a store, taken while others write to it.
#pragma once

#include <string>

#include "base/result.h"

namespace patra::infra::sqlite {

// Writes a consistent copy of `database` to `target`, which must not exist yet; nobody is blocked. The
// copy appears under its name only when it is whole, and its owner alone may read it.
Result<void> Backup(const std::string& database, const std::string& target);

// Puts `backup` in the place of `database`, which must not exist: a store is never overwritten. The
// backup is checked first.
Result<void> Restore(const std::string& backup, const std::string& database);

}  // namespace patra::infra::sqlite
