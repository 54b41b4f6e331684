#include "infra/sqlite/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "infra/sqlite/connection.h"
#include "infra/sqlite/database_check.h"

namespace patra::infra::sqlite {
namespace {

constexpr int kPagesPerStep = 4096;  // the source is locked for reading one step at a time

Result<void> MustNotExist(const std::string& path, std::string_view hint) {
  std::error_code problem;
  const auto status = std::filesystem::symlink_status(path, problem);
  if (!std::filesystem::exists(status)) return {};
  // It may lead to a disk that is not there: a copy beside it would be taken for one over there.
  if (std::filesystem::is_symlink(status)) {
    return Fail(ErrorCode::kConflict, fmt::format("{} is a link", path), {},
                "name the file that it should lead to");
  }
  return Fail(ErrorCode::kConflict, fmt::format("{} exists already", path), {}, std::string(hint));
}

Result<void> MustExist(const std::string& path) {
  if (std::filesystem::exists(path)) return {};
  return Fail(ErrorCode::kNotFound, fmt::format("there is no {}", path));
}

Result<void> CopyPages(Connection& from, Connection& to) {
  auto* copy = sqlite3_backup_init(to.handle(), "main", from.handle(), "main");
  if (copy == nullptr)
    return std::unexpected(ErrorFrom(to.handle(), sqlite3_errcode(to.handle()), "copying"));
  int code = SQLITE_OK;
  while (code == SQLITE_OK) code = sqlite3_backup_step(copy, kPagesPerStep);
  sqlite3_backup_finish(copy);
  if (code != SQLITE_DONE) return std::unexpected(ErrorFrom(to.handle(), code, "copying"));
  // The copy is one file, without a write-ahead log beside it.
  return to.Execute("PRAGMA journal_mode = DELETE");
}

std::unexpected<Error> FileProblem(std::string_view doing, const std::string& path) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot {} {}: {}", doing, path,
                          std::strerror(errno)),  // NOLINT(concurrency-mt-unsafe)
              {}, "check the folder, its permissions and the free space");
}

// An empty file beside `target` that is nobody else's, readable by its owner only.
Result<std::string> MakeDraft(const std::string& target) {
  auto draft = target + ".unfinished.XXXXXX";
  const int file = mkostemp(draft.data(), O_CLOEXEC);
  if (file < 0) return FileProblem("write beside", target);
  close(file);
  return draft;
}

// Gives the copy its name, unless somebody has taken that meanwhile.
Result<void> NameIt(const std::string& draft, const std::string& target) {
  if (renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
    return {};
  // Some file systems cannot look and rename in one step.
  if (errno == EINVAL) {
    PATRA_TRY(MustNotExist(target, ""));
    if (std::rename(draft.c_str(), target.c_str()) == 0) return {};
  }
  if (errno == EEXIST) return MustNotExist(target, "somebody else made it meanwhile");
  return FileProblem("name the copy", target);
}

Result<void> CopyWhole(const std::string& source, const std::string& target) {
  const auto unfinished = PATRA_TRY(MakeDraft(target));
  const auto copied = [&]() -> Result<void> {
    const auto from = PATRA_TRY(Connection::Open(source, Connection::Access::kReadOnly));
    const auto to = PATRA_TRY(Connection::Open(unfinished, Connection::Access::kReadWrite));
    // One read transaction keeps the source still, however much is written meanwhile.
    PATRA_TRY(from->Execute("BEGIN; SELECT count(*) FROM sqlite_schema"));
    return CopyPages(*from, *to);
  }();
  const auto named = copied ? NameIt(unfinished, target) : copied;
  if (!named) unlink(unfinished.c_str());
  return named;
}

}  // namespace

Result<void> Backup(const std::string& database, const std::string& target) {
  PATRA_TRY(MustExist(database));
  PATRA_TRY(MustNotExist(target, "name a new file for the backup"));
  return CopyWhole(database, target);
}

Result<void> Restore(const std::string& backup, const std::string& database) {
  PATRA_TRY(MustExist(backup));
  PATRA_TRY(MustNotExist(database, "move the old store away first"));
  {
    const auto connection = PATRA_TRY(Connection::Open(backup, Connection::Access::kReadOnly));
    const auto findings = PATRA_TRY(CheckDatabase(*connection));
    if (!findings.problems.empty()) {
      return Fail(ErrorCode::kCorruption,
                  fmt::format("{} is damaged: {}", backup, findings.problems.front()));
    }
  }
  return CopyWhole(backup, database);
}

}  // namespace patra::infra::sqlite
