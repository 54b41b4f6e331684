#include "adapter/rest/event_feed.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace patra::adapter::rest {

void EventFeed::Push(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (is_over_) return;
  if (waiting_.size() + text.size() > bytes_max_) {
    is_over_ = true;
  } else {
    waiting_ += text;
  }
  Wake();
}

void EventFeed::End() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  Wake();
}

void EventFeed::WatchBy(std::function<bool()> may_stay) {
  const std::lock_guard lock(mutex_);
  may_stay_ = std::move(may_stay);
}

void EventFeed::Beat(Duration now) {
  std::function<bool()> ask;
  {
    const std::lock_guard lock(mutex_);
    ask = may_stay_;
  }
  const bool may_stay = !ask || ask();
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) {
    silent_since_.reset();
  } else if (!silent_since_) {
    silent_since_ = now;
  }
  if (may_stay && (!silent_since_ || now - *silent_since_ < kSilentMax)) return;
  is_over_ = true;
  // Who may not hear it does not hear what waited, either.
  waiting_.clear();
  Wake();
}

bool EventFeed::is_over() const {
  const std::lock_guard lock(mutex_);
  return is_over_;
}

bool EventFeed::HasRoom(std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() + bytes <= bytes_max_;
}

EventFeed::Taken EventFeed::Take(char* to, std::size_t size_max, std::size_t& size,
                                 const std::function<void()>& sleep, std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  if (!waiting_.empty()) {
    size = std::min(size_max, waiting_.size());
    std::memcpy(to, waiting_.data(), size);
    waiting_.erase(0, size);
    silent_since_.reset();
    return Taken::kSome;
  }
  if (is_over_) return Taken::kOver;
  sleep();
  wake_ = std::move(wake);
  return Taken::kNothing;
}

void EventFeed::HungUp() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  wake_ = nullptr;
}

void EventFeed::Wake() {
  if (!wake_) return;
  std::exchange(wake_, nullptr)();
}

}  // namespace patra::adapter::rest
