// A piece of a calendar quota. The store counts the whole, in pieces, because nothing else survives
// everything; what is left of a piece when its window ends is lost.
#pragma once

#include <algorithm>
#include <cstdint>

#include "domain/gate/fixed_window.h"

namespace patra::domain {

class QuotaShare {
 public:
  enum class State { kEnough, kNeedsMore, kExhausted };

  State For(std::int64_t window, std::int64_t cost) const {
    if (window != window_) return State::kNeedsMore;
    if (left_ >= cost) return State::kEnough;
    return is_exhausted_ ? State::kExhausted : State::kNeedsMore;
  }

  void Spend(std::int64_t cost) { left_ -= cost; }

  // What the store granted of what was asked; less than that means that there is no more.
  void Add(std::int64_t window, std::int64_t granted, bool was_all) {
    if (window != window_) *this = QuotaShare(window);
    left_ += granted;
    is_exhausted_ = is_exhausted_ || was_all;
  }

  // The provider counts less than we do: somebody else uses the same credential.
  void Cap(std::int64_t window, std::int64_t left) {
    if (window != window_) *this = QuotaShare(window);
    left_ = std::min(left_, std::max<std::int64_t>(left, 0));
    if (left <= 0) is_exhausted_ = true;
  }

  std::int64_t left() const { return left_; }

  // Small enough that a lost piece does not matter, large enough that the store is asked rarely.
  static std::int64_t PieceOf(std::int64_t count, std::int64_t cost) {
    constexpr std::int64_t kPiecesPerWindow = 200;
    return std::max(cost, std::max<std::int64_t>(count / kPiecesPerWindow, 1));
  }

  QuotaShare() = default;

 private:
  explicit QuotaShare(std::int64_t window) : window_(window) {}

  std::int64_t window_ = -1;
  std::int64_t left_ = 0;
  bool is_exhausted_ = false;
};

}  // namespace patra::domain
