// Whether somebody wants the work to stop after the current batch.
#pragma once

#include <atomic>

namespace patra::app {

// Thread-safe; may be asked for in a signal handler.
class StopRequest {
 public:
  void Ask() { asked_.store(true); }
  bool asked() const { return asked_.load() || is_enough_.load(); }

  // The work ends by itself: it has waited long enough. Whoever begins anew has not.
  void Enough() { is_enough_.store(true); }
  void BeginAnew() { is_enough_.store(false); }
  bool is_asked_by_others() const { return asked_.load(); }

 private:
  std::atomic<bool> asked_{false};
  std::atomic<bool> is_enough_{false};
};

}  // namespace patra::app
