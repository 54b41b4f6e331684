#include "boot/store_address.h"

#include <fmt/format.h>

namespace patra::boot {

Result<std::string> SqliteFile(const std::string& database) {
  const std::string_view prefix = "sqlite:";
  if (database.starts_with(prefix) && database.size() > prefix.size())
    return database.substr(prefix.size());
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' names no store", database), {},
              "write --db sqlite:PATH");
}

}  // namespace patra::boot
