#include "app/work/repeater.h"

namespace patra::app {

Repeater::Repeater(Duration every, std::function<void()> what)
    : every_(every), what_(std::move(what)), thread_([this] { Run(); }) {}

Repeater::~Repeater() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Repeater::Run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, every_, [&] { return is_over_; })) {
    lock.unlock();
    what_();
    lock.lock();
  }
}

}  // namespace patra::app
