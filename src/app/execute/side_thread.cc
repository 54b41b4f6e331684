#include "app/execute/side_thread.h"

#include <utility>

#include "base/result.h"

namespace patra::app {

SideThread& SideThread::Mine() {
  thread_local SideThread mine;
  return mine;
}

void SideThread::Begin(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  PATRA_ASSERT(!job_);
  job_ = std::move(job);
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  changed_.notify_all();
}

void SideThread::Await() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !job_; });
}

void SideThread::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return static_cast<bool>(job_); })) {
    lock.unlock();
    job_();  // nobody else touches it while it is there
    lock.lock();
    job_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace patra::app
