#include "infra/archive/archive_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace patra::infra::archive {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> CannotBe(std::string_view done, const std::string& path) {
  const int reason = errno;
  const bool is_full = reason == ENOSPC || reason == EDQUOT;
  return Fail(
      reason == ENOENT ? ErrorCode::kNotFound
      : is_full        ? ErrorCode::kExhausted
                       : ErrorCode::kUnavailable,
      fmt::format("{} cannot be {}: {}", path, done, std::strerror(reason)), {},
      is_full ? "make room on that disk, or name another folder: retention.archive_dir" : "");
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : number_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // What was written late may be told here for the first time.
  bool Close() { return close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool SyncFolder(const fs::path& folder) {
  const Descriptor opened(folder.string(), O_RDONLY | O_DIRECTORY);
  return opened.is_open() && fsync(opened.number()) == 0;
}

// With those above it, each durable.
Result<void> MakeFolder(const fs::path& folder) {
  std::error_code unknown;
  if (folder.empty() || fs::is_directory(folder, unknown)) return {};
  PATRA_TRY(MakeFolder(folder.parent_path()));
  if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return CannotBe("made", folder.string());
  const auto above = folder.parent_path();
  if (!SyncFolder(above.empty() ? fs::path(".") : above)) return CannotBe("kept", above.string());
  return {};
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string Aside(const std::string& path) { return path + ".part"; }

}  // namespace

// What stands in a store names no file elsewhere.
Result<std::string> ArchiveFolder::PathOf(const std::string& name) const {
  const fs::path path(name);
  const bool leads_out =
      path.is_absolute() || name.empty() || std::ranges::find(path, fs::path("..")) != path.end();
  if (!leads_out) return (fs::path(folder_) / path).string();
  return Fail(ErrorCode::kCorruption, fmt::format("the archive has no file of the name '{}'", name),
              {}, "its files are below its folder");
}

Result<void> ArchiveFolder::Write(const std::string& name, std::string_view bytes) {
  const auto path = PATRA_TRY(PathOf(name));
  const auto folder = fs::path(path).parent_path();
  PATRA_TRY(MakeFolder(folder));
  const auto aside = Aside(path);
  Descriptor file(aside, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
  if (!file.is_open() || !WriteAll(file.number(), bytes) || fsync(file.number()) != 0 ||
      !file.Close())
    return CannotBe("written", aside);
  if (rename(aside.c_str(), path.c_str()) != 0) return CannotBe("named", path);
  if (!SyncFolder(folder)) return CannotBe("kept", folder.string());
  return {};
}

Result<std::string> ArchiveFolder::Read(const std::string& name, std::int64_t bytes_max) {
  const auto path = PATRA_TRY(PathOf(name));
  const Descriptor file(path, O_RDONLY);
  if (!file.is_open()) return CannotBe("read", path);
  struct stat about{};
  if (fstat(file.number(), &about) != 0) return CannotBe("read", path);
  if (about.st_size > bytes_max) {
    return Fail(ErrorCode::kLimit, fmt::format("{} has {} bytes, which are more than {}", path,
                                               about.st_size, bytes_max));
  }
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t begun = 0;
  while (begun < bytes.size()) {
    const auto count = read(file.number(), bytes.data() + begun, bytes.size() - begun);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotBe("read", path);
    if (count == 0) break;
    begun += static_cast<std::size_t>(count);
  }
  bytes.resize(begun);
  return bytes;
}

Result<void> ArchiveFolder::Remove(const std::string& name) {
  const auto path = PATRA_TRY(PathOf(name));
  for (const auto& gone : {Aside(path), path}) {
    if (unlink(gone.c_str()) != 0 && errno != ENOENT) return CannotBe("removed", gone);
  }
  return {};
}

}  // namespace patra::infra::archive
