#include "adapter/rest/worker_pool.h"

namespace patra::adapter::rest {

WorkerPool::WorkerPool(int workers, std::size_t waiting_max) : waiting_max_(waiting_max) {
  for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { Run(); });
}

bool WorkerPool::Submit(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || waiting_.size() >= waiting_max_) return false;
    waiting_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void WorkerPool::Stop() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  workers_.clear();
}

void WorkerPool::Run() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    auto job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    job();
  }
}

}  // namespace patra::adapter::rest
