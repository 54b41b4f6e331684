#include "infra/gate/credential_book.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/hash.h"

namespace patra::infra::gate {
namespace {

constexpr Duration kNoteEvery = std::chrono::hours(1);
constexpr Duration kCountsFor = std::chrono::hours(24);
constexpr Duration kForgottenAfter = std::chrono::days(30);
constexpr std::size_t kEntriesMax = 10'000;
constexpr std::size_t kEntryBytesMax = 8'192;
constexpr std::size_t kHashDigits = 32;

class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

std::unexpected<Error> FolderError(const std::string& folder, std::string_view why) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("{} cannot say which stores share credentials: {}", folder, why), {},
              "it has to be a folder that belongs to this user alone (mode 0700)");
}

std::string Reason() { return std::strerror(errno); }  // NOLINT(concurrency-mt-unsafe)

// Nothing where there is none.
Result<std::optional<File>> OpenFolder(const std::string& folder) {
  File opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened.number() < 0 && errno == ENOENT) return std::nullopt;
  if (opened.number() < 0) return FolderError(folder, Reason());
  struct stat status{};
  if (fstat(opened.number(), &status) != 0) return FolderError(folder, Reason());
  if (status.st_uid != geteuid()) return FolderError(folder, "it belongs to somebody else");
  if ((status.st_mode & 077) != 0) return FolderError(folder, "others may look into it");
  return opened;
}

struct Entry {
  std::string credential_hash;
  std::string user_hash;
  std::string store;
  std::string credential;
  Instant used_at;
};

std::optional<std::string> ReadSmall(int folder, const char* name) {
  const File file(openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return std::nullopt;
  std::array<char, kEntryBytesMax> bytes{};
  const auto size = read(file.number(), bytes.data(), bytes.size());
  if (size <= 0) return std::nullopt;
  return std::string(bytes.data(), static_cast<std::size_t>(size));
}

// "<hash of the credential>-<hash of the store and its name for it>": the store's file, what it calls the credential, and when it was used.
std::optional<Entry> ReadEntry(int folder, const std::string& name) {
  if (name.size() != 2 * kHashDigits + 1 || name[kHashDigits] != '-') return std::nullopt;
  const auto text = ReadSmall(folder, name.c_str());
  if (!text) return std::nullopt;
  const auto first = text->find('\n');
  const auto second = first == std::string::npos ? first : text->find('\n', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const auto used_at =
      ParseRfc3339(text->substr(second + 1, text->find('\n', second + 1) - second - 1));
  if (!used_at) return std::nullopt;
  return Entry{.credential_hash = name.substr(0, kHashDigits),
               .user_hash = name.substr(kHashDigits + 1),
               .store = text->substr(0, first),
               .credential = text->substr(first + 1, second - first - 1),
               .used_at = *used_at};
}

std::vector<Entry> ReadEntries(int folder) {
  std::vector<Entry> entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(dup(folder)), closedir);
  if (!list) return entries;
  rewinddir(list.get());
  for (std::size_t i = 0; i < kEntriesMax; ++i) {
    const auto* found = readdir(list.get());  // NOLINT(concurrency-mt-unsafe): the stream is ours
    if (found == nullptr) break;
    if (auto entry = ReadEntry(folder, found->d_name)) entries.push_back(*std::move(entry));
  }
  return entries;
}

bool IsAddress(const std::string& store) { return store.find("://") != std::string::npos; }

// Whether a server still has its store cannot be seen from here.
bool MayExist(const std::string& store) {
  return IsAddress(store) || std::filesystem::exists(store);
}

std::string NameOf(const Entry& entry) { return entry.credential_hash + "-" + entry.user_hash; }

}  // namespace

std::string CredentialFolder(const std::string& runtime_folder) {
  if (runtime_folder.starts_with('/')) return runtime_folder + "/patra-credentials";
  return fmt::format("/tmp/patra-credentials-{}", geteuid());
}

Result<void> MakeCredentialFolder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return FolderError(folder, Reason());
  if (!PATRA_TRY(OpenFolder(folder))) return FolderError(folder, "it is gone");
  return {};
}

CredentialBook::CredentialBook(std::string folder, const std::string& store, const Clock& clock)
    : folder_(std::move(folder)),
      store_(IsAddress(store) ? store
                              : std::filesystem::absolute(store).lexically_normal().string()),
      clock_(clock) {}

Result<void> CredentialBook::Note(const std::string& credential, const std::string& host,
                                  std::string_view secret) {
  const auto now = clock_.Now();
  const auto hash_of = [](const std::string& text) {
    return Sha256Hex(text).substr(0, kHashDigits);
  };
  const auto name = fmt::format("{}-{}", hash_of(fmt::format("patra\n{}\n{}", host, secret)),
                                hash_of(fmt::format("{}\n{}", store_, credential)));
  {
    const std::lock_guard lock(mutex_);
    const auto noted = noted_at_.find(name);
    if (noted != noted_at_.end() && now - noted->second < kNoteEvery) return {};
    noted_at_[name] = now;
  }
  PATRA_TRY(MakeCredentialFolder(folder_));
  const auto folder = PATRA_TRY(OpenFolder(folder_));
  if (!folder) return FolderError(folder_, "it is gone");
  for (const auto& entry : ReadEntries(folder->number())) {
    if (now - entry.used_at > kForgottenAfter) unlinkat(folder->number(), NameOf(entry).c_str(), 0);
  }
  // Whoever reads meanwhile sees the old text or the new one.
  const auto draft = fmt::format("{}.{}", name, getpid());
  const auto text = fmt::format("{}\n{}\n{}\n", store_, credential, FormatRfc3339(now));
  {
    const File file(openat(folder->number(), draft.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.number() < 0) return FolderError(folder_, Reason());
    if (write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      return FolderError(folder_, Reason());
  }
  if (renameat(folder->number(), draft.c_str(), folder->number(), name.c_str()) != 0)
    return FolderError(folder_, Reason());
  return {};
}

Result<std::vector<app::SharedCredential>> CredentialBook::Shared() {
  std::vector<app::SharedCredential> shared;
  const auto folder = PATRA_TRY(OpenFolder(folder_));
  if (!folder) return shared;
  const auto now = clock_.Now();
  const auto entries = ReadEntries(folder->number());
  for (const auto& own : entries) {
    if (own.store != store_ || now - own.used_at > kCountsFor) continue;
    for (const auto& other : entries) {
      const bool is_other = other.credential_hash == own.credential_hash &&
                            other.user_hash != own.user_hash && now - other.used_at <= kCountsFor;
      if (!is_other || !MayExist(other.store)) continue;
      const bool is_ours = other.store == store_;
      // Of two names in one store, each would tell of the other.
      if (is_ours && other.credential < own.credential) continue;
      shared.push_back(
          {own.credential, is_ours ? "" : other.store, other.credential, other.used_at});
    }
  }
  return shared;
}

}  // namespace patra::infra::gate
