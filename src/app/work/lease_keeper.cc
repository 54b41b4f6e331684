#include "app/work/lease_keeper.h"

namespace patra::app {

LeaseKeeper::LeaseKeeper(TaskQueue& queue, std::string owner, Duration lease)
    : queue_(queue), owner_(std::move(owner)), lease_(lease), thread_([this] { Run(); }) {}

LeaseKeeper::~LeaseKeeper() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void LeaseKeeper::Run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, lease_ / 3, [&] { return is_over_; })) {
    lock.unlock();
    // A renewal that fails is tried again a third of a lease later. If none succeeds, the lease runs out, and
    // the fence keeps whatever is still under way from being committed.
    const auto renewed = queue_.Renew(owner_, lease_);
    (void)renewed;
    lock.lock();
  }
}

}  // namespace patra::app
