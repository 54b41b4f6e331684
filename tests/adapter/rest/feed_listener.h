// Who listens to a feed in a test.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "adapter/rest/event_feed.h"

namespace patra::adapter::rest {

// Hears what a feed has, waiting for it as the server does.
class FeedListener {
 public:
  explicit FeedListener(std::shared_ptr<EventFeed> feed) : feed_(std::move(feed)) {}

  // Until the text is in what was heard, or the feed is over.
  bool HearsUntil(std::string_view text) {
    while (heard_.find(text) == std::string::npos) {
      char piece[512];
      std::size_t size = 0;
      bool is_woken = false;
      const auto taken = feed_->Take(
          piece, sizeof piece, size, [] {},
          [&] {
            const std::lock_guard lock(mutex_);
            is_woken = true;
            woken_.notify_one();
          });
      if (taken == EventFeed::Taken::kOver) return false;
      heard_.append(piece, size);
      if (taken == EventFeed::Taken::kSome) continue;
      std::unique_lock lock(mutex_);
      if (!woken_.wait_for(lock, std::chrono::seconds(20), [&] { return is_woken; })) {
        lock.unlock();
        feed_->HungUp();
        return false;
      }
    }
    return true;
  }
  const std::string& heard() const { return heard_; }

 private:
  std::shared_ptr<EventFeed> feed_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::string heard_;
};

}  // namespace patra::adapter::rest
