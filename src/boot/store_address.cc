#include "boot/store_address.h"

#include <filesystem>

#include <fmt/format.h>

namespace patra::boot {

Result<std::string> SqliteFile(const std::string& database) {
  const std::string_view prefix = "sqlite:";
  if (database.starts_with(prefix) && database.size() > prefix.size())
    return database.substr(prefix.size());
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' names no store", database), {},
              "write --db sqlite:PATH");
}

Result<std::string> ExistingFile(const std::string& database) {
  auto file = PATRA_TRY(SqliteFile(database));
  if (std::filesystem::exists(file)) return file;
  return Fail(ErrorCode::kNotFound, fmt::format("there is no {}", file), {},
              "a harvest makes it, and so does `patra db migrate`; --db names another");
}

}  // namespace patra::boot
