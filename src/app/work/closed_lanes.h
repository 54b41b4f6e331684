// Lanes that one executor leaves alone for a while: their provider lets nobody in, or their next task needs a newer program.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "app/port/task_queue.h"
#include "domain/word/waits.h"

namespace patra::app {

// Thread-safe.
class ClosedLanes {
 public:
  // What a task of it waits for that was not begun.
  void Close(const std::string& lane, const domain::GateWait& wait) {
    const std::lock_guard lock(mutex_);
    until_[lane] = wait.until;
    if (wait.reason == domain::WaitReason::kNewerPatra) left_.insert(lane);
  }
  // A task of it was begun.
  void Open(const std::string& lane) {
    const std::lock_guard lock(mutex_);
    left_.erase(lane);
  }

  // Not to be claimed from.
  ShutLanes Now() const {
    const std::lock_guard lock(mutex_);
    return until_;
  }
  // The same for whoever asks whether waiting helps: this program will not learn to read what it left to newer ones.
  ShutLanes InTheEnd() const {
    const std::lock_guard lock(mutex_);
    auto lanes = until_;
    for (const auto& lane : left_) lanes[lane] = kInstantMax;
    return lanes;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  ShutLanes until_;
  std::set<std::string> left_;
};

}  // namespace patra::app
