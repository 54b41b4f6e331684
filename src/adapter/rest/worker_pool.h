// Threads that answer requests, so that one that takes its time keeps nobody from being heard.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace patra::adapter::rest {

// Thread-safe.
class WorkerPool {
 public:
  WorkerPool(int workers, std::size_t waiting_max);
  ~WorkerPool() { Stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False where too many wait already, or it was stopped.
  bool Submit(std::function<void()> job);
  // What was submitted is done; nothing more is taken.
  void Stop();

 private:
  void Run();

  const std::size_t waiting_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool is_over_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace patra::adapter::rest
