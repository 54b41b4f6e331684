// A SQLite VFS that lets everything through to the real one until its counter says: fail.
#pragma once

#include <memory>

namespace patra::testing {

// While it lives, it is the default VFS of this process. One at a time; not thread-safe to arm.
class FaultVfs {
 public:
  enum class Kind { kIoError, kDiskFull };

  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // The n-th reading, writing, syncing or truncating call from now on fails (1 is the next), and with
  // `forever` all after it.
  void FailAt(int n, Kind kind, bool forever);
  void Disarm();
  bool fired() const;
};

}  // namespace patra::testing
