// Looks how quickly the store answers, tells how many workers it can bear, and says so where that changes.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "app/port/log.h"
#include "domain/task/store_pace.h"

namespace patra::app {

// Thread-safe.
class StoreWatch {
 public:
  explicit StoreWatch(Log& log) : log_(log) {}

  void Begin(int workers);
  // How long a small statement took; nothing: it came to nothing.
  void Note(std::optional<Duration> took);
  int allowed() const { return allowed_.load(); }

 private:
  Log& log_;
  std::mutex mutex_;  // guards what follows
  std::optional<domain::StorePace> pace_;
  int workers_ = 0;

  std::atomic<int> allowed_{0};
};

}  // namespace patra::app
