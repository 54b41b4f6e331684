// How many requests the runs of a shift may send, all together.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace patra::app {

// Thread-safe.
class RequestBudget {
 public:
  struct Return {
    void operator()(RequestBudget* budget) const { budget->GiveBack(); }
  };
  // Of a run, while it goes on: the one request that it is sure to send. Null where none is left for it.
  using Share = std::unique_ptr<RequestBudget, Return>;

  explicit RequestBudget(std::optional<std::int64_t> most) : most_(most) {}

  Share Take() {
    const std::lock_guard lock(mutex_);
    if (most_ && sent_ + shares_ >= *most_) return nullptr;
    ++shares_;
    return Share(this);
  }

  // `sent` until now, in all. Whether that was the last one.
  bool Note(std::int64_t sent) {
    const std::lock_guard lock(mutex_);
    sent_ = sent;
    return IsSpent();
  }

  bool is_spent() {
    const std::lock_guard lock(mutex_);
    return IsSpent();
  }

 private:
  void GiveBack() {
    const std::lock_guard lock(mutex_);
    --shares_;
  }
  bool IsSpent() const { return most_ && sent_ >= *most_; }

  const std::optional<std::int64_t> most_;
  std::mutex mutex_;  // guards what follows
  std::int64_t sent_ = 0;
  std::int64_t shares_ = 0;
};

}  // namespace patra::app
