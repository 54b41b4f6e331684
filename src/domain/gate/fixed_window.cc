#include "domain/gate/fixed_window.h"

#include <algorithm>

namespace patra::domain {

std::int64_t WindowShape::NumberAt(Duration wall) const {
  const auto since = wall - offset;
  const auto number = since / window;
  return since % window < Duration::zero() ? number - 1 : number;
}

void FixedWindow::Observe(Duration now, Duration wall, const WindowShape& shape) {
  const auto shift = wall - now;
  const bool is_first = shift_ == kLongAgo;
  const bool has_jumped = !is_first && std::chrono::abs(shift - shift_) > shape.guard;
  shift_ = shift;
  if (is_first || has_jumped) {
    number_ = shape.NumberAt(wall - shape.guard);
    used_ = used_next_ = 0;
  } else if (window_ != shape.window) {
    // The provider told of another window: what was used is used, but it is numbered anew.
    number_ = shape.NumberAt(wall - shape.guard);
    used_ += used_next_;
    used_next_ = 0;
  }
  window_ = shape.window;
  if (has_jumped) Fill(now, shape);
}

Duration FixedWindow::Earliest(Duration from, std::int64_t cost, const WindowShape& shape) const {
  auto at = std::max(from, last_);
  // The window of `at` and the one after it may be full, the third never is.
  for (int i = 0; i < 3; ++i) {
    const auto first = shape.NumberAt(at + shift_ - shape.guard);
    const auto last = shape.NumberAt(at + shift_ + shape.guard);
    if (UsedIn(last, shape) + cost > shape.count) {
      at = shape.StartOf(last + 1) + shape.guard - shift_;
    } else if (UsedIn(first, shape) + cost > shape.count) {
      at = shape.StartOf(first + 1) + shape.guard - shift_;
    } else {
      break;
    }
  }
  return at;
}

void FixedWindow::Book(Duration at, std::int64_t cost, const WindowShape& shape) {
  const auto first = shape.NumberAt(at + shift_ - shape.guard);
  const auto last = shape.NumberAt(at + shift_ + shape.guard);
  if (first > number_) {
    used_ = first == number_ + 1 ? used_next_ : 0;
    used_next_ = 0;
    number_ = first;
  }
  used_ += cost;
  if (last > first) used_next_ += cost;
  last_ = std::max(last_, at);
}

void FixedWindow::Fill(Duration now, const WindowShape& shape) {
  used_ = shape.count;
  const bool touches_next = shape.NumberAt(now + shift_ + shape.guard) > number_;
  if (touches_next) used_next_ = shape.count;
}

void FixedWindow::Cap(Duration now, std::int64_t left, const WindowShape& shape) {
  if (shape.NumberAt(now + shift_) != number_) return;
  used_ = std::max(used_, shape.count - std::max<std::int64_t>(left, 0));
}

std::int64_t FixedWindow::UsedIn(std::int64_t number, const WindowShape& shape) const {
  if (number == number_) return used_;
  if (number == number_ + 1) return used_next_;
  return number < number_ ? shape.count : 0;
}

}  // namespace patra::domain
