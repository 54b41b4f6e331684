// SQLite writes into a log beside the store (-wal). Folding it in puts the content where its name says it is.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

// SQLite before 3.51.3 can corrupt the file when two connections checkpoint at once, so a lock on a
// file beside the store decides who may. It is released with the descriptor, also by a crash.
class CheckpointLock {
 public:
  explicit CheckpointLock(const std::string& store_path);
  ~CheckpointLock();
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;

  bool held() const { return held_; }
  // Only while it is held: then whoever waits for it notices.
  void RemoveFile() const;

 private:
  const std::string path_;
  const int descriptor_;
  bool held_ = false;
};

// Closes the last connection of this process. If no other process has the store open, the log is folded in and the
// files beside the store are gone; else one of the others does that later.
void CloseAndFold(std::unique_ptr<Connection> connection, const std::string& store_path);

// The same for what connections that only read have left beside it.
void FoldWhatIsLeft(const std::string& store_path);

// A log whose store is not where its name says: what was committed last may be in it alone, and SQLite would throw it away for
// whoever makes a store under that name.
Result<void> RefuseOrphanedLog(const std::string& store_path);

// Whether the file that the connection has open is no longer where its name says.
bool HasMoved(Connection& connection);

}  // namespace patra::infra::sqlite
