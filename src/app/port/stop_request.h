// Whether somebody wants the work to stop after the current batch.
#pragma once

#include <atomic>
#include <chrono>

#include "base/time.h"

namespace patra::app {

// Thread-safe; may be asked for in a signal handler.
class StopRequest {
 public:
  void Ask() {
    std::int64_t never = kNever;
    asked_at_.compare_exchange_strong(never, Now());
  }
  bool asked() const { return is_asked_by_others() || is_enough(); }
  bool is_asked_by_others() const { return asked_at_.load() != kNever; }

  // The work ends by itself: it has waited long enough. Whoever begins anew has not.
  void Enough() { is_enough_.store(true); }
  bool is_enough() const { return is_enough_.load(); }
  void BeginAnew() { is_enough_.store(false); }

  // How long ago, in real time: whoever asks waits in it, whatever clock the work goes by.
  Duration asked_for() const {
    const auto at = asked_at_.load();
    return at == kNever ? Duration{} : Duration(Now() - at);
  }

 private:
  static constexpr std::int64_t kNever = -1;
  static std::int64_t Now() {
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::atomic<std::int64_t> asked_at_{kNever};
  std::atomic<bool> is_enough_{false};
};

}  // namespace patra::app
