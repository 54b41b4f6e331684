#include "infra/sqlite/fold_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/named_file.h"

namespace patra::infra::sqlite {

CheckpointLock::CheckpointLock(const std::string& store_path)
    : path_(store_path + "-checkpoint"),
      descriptor_(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
  // A lock on a file that was removed meanwhile keeps nobody out.
  held_ = descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
          IsStillNamed(descriptor_, path_);
}

CheckpointLock::~CheckpointLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void CheckpointLock::RemoveFile() const {
  if (held_) unlink(path_.c_str());
}

bool HasMoved(Connection& connection) {
  int has_moved = 0;
  sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  return has_moved != 0;
}

void CloseAndFold(std::unique_ptr<Connection> connection, const std::string& store_path) {
  // SQLite removes the log by its name, which would be that of the store that is there now.
  const bool may_write = sqlite3_db_readonly(connection->handle(), "main") == 0;
  if (!may_write || HasMoved(*connection)) return;
  const CheckpointLock lock(store_path);
  if (!lock.held()) return;
  // Others are kept waiting while the last one closes, so that most is done before.
  sqlite3_wal_checkpoint_v2(connection->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                            nullptr);
  sqlite3_db_config(connection->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  connection.reset();
  if (access((store_path + "-wal").c_str(), F_OK) != 0) lock.RemoveFile();
}

void FoldWhatIsLeft(const std::string& store_path) {
  if (access(store_path.c_str(), W_OK) != 0) return;
  auto connection = Connection::Open(store_path, Connection::Access::kReadWrite);
  // Files beside the store are taken away only by who has looked at them.
  if (connection && (*connection)->Execute("SELECT count(*) FROM sqlite_schema"))
    CloseAndFold(*std::move(connection), store_path);
}

Result<void> RefuseOrphanedLog(const std::string& store_path) {
  std::error_code failed;
  const auto log = store_path + "-wal";
  const auto bytes = std::filesystem::file_size(log, failed);
  if (failed || bytes == 0 || std::filesystem::exists(store_path, failed)) return {};
  return Fail(
      ErrorCode::kConflict,
      fmt::format("there is no store {}, but the log {} of one, which may hold records that "
                  "are nowhere else",
                  store_path, log),
      {},
      fmt::format("put the store back beside it under that name; if it is gone for good, "
                  "move {} away",
                  log));
}

}  // namespace patra::infra::sqlite
