#include "infra/machine/system_machine.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timex.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace patra::infra::machine {

Result<app::DiskRoom> SystemMachine::RoomAt(const std::string& path) {
  std::error_code failed;
  std::filesystem::path place = std::filesystem::absolute(path, failed);
  while (!std::filesystem::exists(place, failed) && place.has_relative_path())
    place = place.parent_path();
  struct statvfs disk{};
  if (statvfs(place.c_str(), &disk) != 0)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("how much room there is at {} cannot be found out", place.string()));
  const auto block = static_cast<std::int64_t>(disk.f_frsize);
  return app::DiskRoom{.free_bytes = static_cast<std::int64_t>(disk.f_bavail) * block,
                       .bytes = static_cast<std::int64_t>(disk.f_blocks) * block};
}

Result<bool> SystemMachine::IsOpenToOthers(const std::string& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0)
    return Fail(ErrorCode::kNotFound, fmt::format("there is no file {}", path));
  return (file.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

Result<std::string> SystemMachine::Read(const std::string& path) {
  constexpr std::size_t kBytesMax = 1u << 20;
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(kBytesMax + 1, '\0');
  if (!stream || (!stream.read(bytes.data(), std::ssize(bytes)) && !stream.eof()))
    return Fail(ErrorCode::kNotFound, fmt::format("{} cannot be read", path));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  if (bytes.size() > kBytesMax)
    return Fail(ErrorCode::kLimit, fmt::format("{} is larger than {} bytes", path, kBytesMax));
  return bytes;
}

std::optional<bool> SystemMachine::IsClockKept() {
  timex state{};
  const int kept = adjtimex(&state);
  if (kept < 0) return std::nullopt;
  return kept != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

std::int64_t SystemMachine::OpenFilesMax() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::int64_t>(limit.rlim_cur);
}

}  // namespace patra::infra::machine
