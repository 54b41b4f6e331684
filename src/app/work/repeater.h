// Does something again and again beside the work, until it is let go.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/time.h"

namespace patra::app {

// Lives in real time, whatever clock the rest goes by: what it fights is this machine's slowness. Work on a
// virtual clock needs none.
class Repeater {
 public:
  Repeater(Duration every, std::function<void()> what);
  ~Repeater();
  Repeater(const Repeater&) = delete;
  Repeater& operator=(const Repeater&) = delete;

 private:
  void Run();

  const Duration every_;
  const std::function<void()> what_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace patra::app
