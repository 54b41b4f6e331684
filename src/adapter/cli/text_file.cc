#include "adapter/cli/text_file.h"

#include <fstream>

#include <fmt/format.h>

namespace patra::adapter::cli {

Result<void> WriteTextFile(const std::string& path, std::string_view text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.flush();
  if (!stream.good())
    return Fail(ErrorCode::kUnavailable, fmt::format("{} cannot be written", path));
  return {};
}

}  // namespace patra::adapter::cli
