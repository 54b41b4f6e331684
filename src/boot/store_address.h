#pragma once

#include <string>

#include "base/result.h"

namespace patra::boot {

// The file that "sqlite:PATH" names.
Result<std::string> SqliteFile(const std::string& database);

// The same, of a store that is there already.
Result<std::string> ExistingFile(const std::string& database);

}  // namespace patra::boot
