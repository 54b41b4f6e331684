#include "adapter/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kBytesPerWrite = std::size_t{1} << 18;

std::unexpected<Error> Failed(std::string_view doing, const std::string& path) {
  const int code = errno;
  if (code == EFBIG) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} {}: no file may be so large here", doing, path), {},
                "`ulimit -f` says how large; what was written is removed");
  }
  return Fail(code == ENOSPC ? ErrorCode::kUnavailable : ErrorCode::kInvalidInput,
              fmt::format("{} {}: {}", doing, path,
                          std::strerror(code)),  // NOLINT(concurrency-mt-unsafe): one thread
              {}, "check the folder, its permissions and the free space");
}

// A pipe, a socket, a terminal, /dev/null: something that takes bytes and is no file.
bool TakesBytesOnly(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Where a link leads: the file there is replaced, not the link.
std::string BehindLinks(const std::string& path) {
  std::error_code not_there;
  const auto target = std::filesystem::canonical(path, not_there);
  return not_there ? path : target.string();
}

}  // namespace

Result<OutputFile> OutputFile::Create(const std::string& path) {
  if (TakesBytesOnly(path)) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return Failed("opening", path);
    return OutputFile(path, "", descriptor);
  }
  auto place = BehindLinks(path);
  auto draft = fmt::format("{}.{}.part", place, getpid());
  // Whatever bears a name with our process id is left over from one that died, or was put there to mislead us.
  unlink(draft.c_str());
  const int descriptor =
      open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return Failed("opening", draft);
  return OutputFile(std::move(place), std::move(draft), descriptor);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::move(other.draft_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      waiting_(std::move(other.waiting_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!draft_.empty()) unlink(draft_.c_str());
}

Result<void> OutputFile::Write(std::string_view bytes) {
  waiting_ += bytes;
  return waiting_.size() < kBytesPerWrite ? Result<void>{} : Flush();
}

Result<void> OutputFile::Flush() {
  std::string_view rest = waiting_;
  while (!rest.empty()) {
    const auto written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("writing", draft_.empty() ? path_ : draft_);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  waiting_.clear();
  return {};
}

Result<void> OutputFile::Finish() {
  PATRA_TRY(Flush());
  if (draft_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) return Failed("writing", path_);
    return {};
  }
  if (fsync(descriptor_) != 0) return Failed("writing", draft_);
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) return Failed("naming", path_);
  close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace patra::adapter::cli
