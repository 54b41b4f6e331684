// Whether somebody wants the work to stop after the current batch.
#pragma once

#include <atomic>

namespace patra::app {

// Thread-safe; may be asked for in a signal handler.
class StopRequest {
 public:
  void Ask() { asked_.store(true); }
  bool asked() const { return asked_.load(); }

 private:
  std::atomic<bool> asked_{false};
};

}  // namespace patra::app
