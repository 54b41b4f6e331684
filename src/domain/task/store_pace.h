// How many workers of an executor a store can bear: one that answers slowly, or not at all, is asked by fewer, and by
// more again while it does well.
#pragma once

#include <optional>

#include "base/time.h"

namespace patra::domain {

// A statement that takes longer is one that somebody should look into; one that takes a quarter of it is quick.
inline constexpr Duration kStoreIsSlowAt = std::chrono::milliseconds(500);
inline constexpr Duration kStoreIsQuickBelow = kStoreIsSlowAt / 4;

class StorePace {
 public:
  explicit StorePace(int workers) : workers_(workers), allowed_(workers) {}

  // How long the store took for a small statement; nothing: it did not do it.
  void Note(std::optional<Duration> took) {
    if (!took || *took >= kStoreIsSlowAt) {
      allowed_ = allowed_ > 1 ? allowed_ / 2 : 1;
    } else if (*took < kStoreIsQuickBelow && allowed_ < workers_) {
      ++allowed_;
    }
  }

  // One always goes on: who would notice otherwise that the store is well again?
  int allowed() const { return allowed_; }

 private:
  int workers_;
  int allowed_;
};

}  // namespace patra::domain
