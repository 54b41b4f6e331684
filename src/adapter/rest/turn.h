// What one thread has at a time, and others wait for so long at most. A std::timed_mutex would be the same, but the thread sanitizer of
// our compiler does not see it being locked.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/time.h"

namespace patra::adapter::rest {

// For std::unique_lock.
class Turn {
 public:
  bool try_lock_for(Duration most) {
    std::unique_lock lock(mutex_);
    if (!is_over_.wait_for(lock, most, [&] { return !is_taken_; })) return false;
    is_taken_ = true;
    return true;
  }

  void lock() {
    std::unique_lock lock(mutex_);
    is_over_.wait(lock, [&] { return !is_taken_; });
    is_taken_ = true;
  }

  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      is_taken_ = false;
    }
    is_over_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable is_over_;
  bool is_taken_ = false;
};

}  // namespace patra::adapter::rest
