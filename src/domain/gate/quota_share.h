// A piece of a calendar quota. The store counts the whole, in pieces, because nothing else survives
// everything; what is left of a piece when its window ends is lost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "domain/gate/fixed_window.h"

namespace patra::domain {

class QuotaShare {
 public:
  enum class State { kEnough, kNeedsMore, kExhausted };

  // For somebody who has to leave `keep` of the whole untouched.
  State For(std::int64_t window, std::int64_t cost, std::int64_t keep) const {
    if (window != window_) return State::kNeedsMore;
    if (keep >= exhausted_above_) return State::kExhausted;
    if (left_ >= cost) return State::kEnough;
    return keep >= last_piece_above_ ? State::kExhausted : State::kNeedsMore;
  }

  void Spend(std::int64_t cost) {
    left_ -= cost;
    Settle();
  }

  // The same out of the reserve: nobody else does so before `next`.
  void SpendSlowly(std::int64_t cost, Duration next) {
    Spend(cost);
    next_slow_ = next;
  }
  Duration next_slow() const { return next_slow_; }

  // What the store granted of what was asked; less than that means that there is no more for those who have to leave that
  // much, once this piece is used.
  void Add(std::int64_t window, std::int64_t granted, bool was_all, std::int64_t keep) {
    if (window != window_) *this = QuotaShare(window);
    left_ += granted;
    if (was_all) last_piece_above_ = std::min(last_piece_above_, keep);
    Settle();
  }

  // The provider counts less than we do: somebody else uses the same credential.
  void Cap(std::int64_t window, std::int64_t left) {
    if (window != window_) *this = QuotaShare(window);
    left_ = std::min(left_, std::max<std::int64_t>(left, 0));
    if (left <= 0) exhausted_above_ = 0;
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

  // What others get from the store from here on is not for those whose last piece is used.
  void Settle() {
    if (left_ <= 0) exhausted_above_ = std::min(exhausted_above_, last_piece_above_);
  }

  static constexpr auto kNobody = std::numeric_limits<std::int64_t>::max();

  std::int64_t window_ = -1;
  std::int64_t left_ = 0;
  // Those who have to leave so much or more: the store gives them nothing more, and nothing is left for them.
  std::int64_t last_piece_above_ = kNobody;
  std::int64_t exhausted_above_ = kNobody;
  Duration next_slow_ = kLongAgo;
};

}  // namespace patra::domain
