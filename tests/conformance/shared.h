// Where the standard test vectors and recorded responses are: PATRA_SHARED, by default ../shared
// beside the repository. Tests that need them are skipped loudly where they are missing.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace patra::testing {

inline std::filesystem::path SharedFolder() {
  if (const char* set = std::getenv("PATRA_SHARED")) return set;
  return std::filesystem::path(PATRA_SOURCE_DIR).parent_path() / "shared";
}

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace patra::testing

#define SKIP_WITHOUT_SHARED(path)                                                 \
  if (!std::filesystem::exists(path)) {                                           \
    GTEST_SKIP() << path << " is missing; set PATRA_SHARED to the shared folder"; \
  }
