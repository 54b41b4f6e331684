// What one listener has still to hear. Whoever sends sleeps while there is nothing, and is woken when there is.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace patra::adapter::rest {

// Thread-safe.
class EventFeed {
 public:
  explicit EventFeed(std::size_t bytes_max = std::size_t{1} << 20) : bytes_max_(bytes_max) {}

  // Who does not keep up is cut off: it comes again and says what it heard last.
  void Push(std::string_view text);
  void End();
  bool is_over() const;

  // Whether the listener may still hear what others may not: asked at every beat.
  void WatchBy(std::function<bool()> may_stay);
  // Now and then: ends where the listener may not stay, or has taken nothing for so long though something waited.
  void Beat(Duration now);
  static constexpr Duration kSilentMax = std::chrono::seconds(60);

  // Whether so much more may wait. What is pushed beyond ends the feed.
  bool HasRoom(std::size_t bytes) const;

  enum class Taken { kSome, kNothing, kOver };
  // Where there is nothing, `sleep` is called, and `wake` by whoever pushes next, each once and never both at a time.
  Taken Take(char* to, std::size_t size_max, std::size_t& size, const std::function<void()>& sleep,
             std::function<void()> wake);
  // Nobody listens any more; nothing is woken after that.
  void HungUp();

 private:
  void Wake();

  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  std::function<bool()> may_stay_;
  std::string waiting_;
  std::function<void()> wake_;
  std::optional<Duration> silent_since_{};
  bool is_over_ = false;
};

}  // namespace patra::adapter::rest
