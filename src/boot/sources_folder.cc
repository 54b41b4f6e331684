#include "boot/sources_folder.h"

#include <filesystem>

namespace patra::boot {

std::string SourcesFolder(const std::string& named) {
  if (!named.empty()) return named;
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    const auto shipped = program.parent_path().parent_path() / "share" / "patra" / "sources";
    if (std::filesystem::is_directory(shipped, failed)) return shipped.string();
  }
  return "sources";
}

}  // namespace patra::boot
