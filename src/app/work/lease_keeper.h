// Keeps the leases of a process alive while its workers wait for answers: one statement for all of them,
// three times per lease.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/port/task_queue.h"

namespace patra::app {

// Lives in real time, whatever clock the rest goes by: what it fights is this machine's slowness. Work on a
// virtual clock needs none.
class LeaseKeeper {
 public:
  LeaseKeeper(TaskQueue& queue, std::string owner, Duration lease);
  ~LeaseKeeper();
  LeaseKeeper(const LeaseKeeper&) = delete;
  LeaseKeeper& operator=(const LeaseKeeper&) = delete;

 private:
  void Run();

  TaskQueue& queue_;
  const std::string owner_;
  const Duration lease_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace patra::app
