#include "adapter/cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kBytesPerWrite = std::size_t{1} << 18;

std::unexpected<Error> Failed(std::string_view doing, const std::string& path) {
  const int code = errno;
  return Fail(code == ENOSPC ? ErrorCode::kUnavailable : ErrorCode::kInvalidInput,
              fmt::format("{} {}: {}", doing, path,
                          std::strerror(code)),  // NOLINT(concurrency-mt-unsafe): one thread
              {}, "check the folder, its permissions and the free space");
}

}  // namespace

Result<OutputFile> OutputFile::Create(const std::string& path) {
  auto draft = fmt::format("{}.{}.part", path, getpid());
  const int descriptor = open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return Failed("opening", draft);
  return OutputFile(path, std::move(draft), descriptor);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      draft_(std::move(other.draft_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      waiting_(std::move(other.waiting_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(draft_.c_str());
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
    if (written < 0) return Failed("writing", draft_);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  waiting_.clear();
  return {};
}

Result<void> OutputFile::Finish() {
  PATRA_TRY(Flush());
  if (fsync(descriptor_) != 0) return Failed("writing", draft_);
  if (std::rename(draft_.c_str(), path_.c_str()) != 0) return Failed("naming", path_);
  close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace patra::adapter::cli
