// How long work has waited for a provider that brings nothing but trouble: cool-downs, an open breaker, runs that failed and are
// tried again. Every command that works ends by this one rule.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/time.h"

namespace patra::app {

struct StallBounds {
  std::optional<Duration> at_once{};  // without a page in between
  std::optional<Duration> in_all{};
};

// Not thread-safe. Times are of the clock that only runs forward.
class Stall {
 public:
  explicit Stall(const StallBounds& bounds) : bounds_(bounds) {}

  void MeetTrouble(Duration now, std::string what) {
    MeetFailure(now, std::move(what));
    is_overcome_at_once_ = false;
  }
  // Nothing may be sent for a while. What was said of the provider before explains it better than the door does.
  void MeetShutDoor(Duration now, std::string reason) {
    MeetTrouble(now, since_ && !what_.empty() ? what_ : std::move(reason));
  }
  // A request failed, which was sent at `since`, and is tried again: trouble as long as no page comes. Where one comes, it was
  // none.
  void MeetFailure(Duration since, std::string what) {
    if (!since_) is_overcome_at_once_ = true;
    if (!since_) since_ = since;
    what_ = std::move(what);
  }
  // A page came.
  void Recover(Duration now) {
    if (!is_overcome_at_once_) before_ += AtOnce(now);
    since_.reset();
  }

  Duration InAll(Duration now) const { return before_ + AtOnce(now); }
  bool IsEnough(Duration now) const {
    const bool is_too_long = since_ && bounds_.at_once && AtOnce(now) >= *bounds_.at_once;
    const bool is_too_much = since_ && bounds_.in_all && InAll(now) >= *bounds_.in_all;
    return is_too_long || is_too_much;
  }
  const std::string& what() const { return what_; }  // the trouble that was met last

 private:
  Duration AtOnce(Duration now) const { return since_ ? now - *since_ : Duration::zero(); }

  const StallBounds bounds_;
  std::optional<Duration> since_{};   // no page has come
  bool is_overcome_at_once_ = false;  // if one comes now
  Duration before_{};
  std::string what_{};
};

}  // namespace patra::app
