#include "domain/gate/sliding_log.h"

#include <algorithm>

namespace patra::domain {

Duration SlidingLog::Earliest(Duration from, std::int64_t cost, std::int64_t count,
                              Duration span) const {
  auto at = std::max(from, last_);
  auto used = total_;
  for (std::size_t n = 0; n < size_; ++n) {
    const auto& entry = Nth(n);
    const auto leaves = entry.at + span;
    if (leaves > at) {
      if (used + cost <= count) break;
      at = leaves;
    }
    used -= entry.cost;
  }
  return at;
}

void SlidingLog::Book(Duration at, std::int64_t cost, std::int64_t count, Duration span) {
  PATRA_ASSERT(at >= last_);
  Forget(at - span);
  const bool is_exact = count <= static_cast<std::int64_t>(kEntries);
  const auto grain = is_exact ? Duration::zero() : span / static_cast<int>(kEntries / 2);
  const bool joins_last = size_ == kEntries || (size_ > 0 && grain > Duration::zero() &&
                                                Nth(size_ - 1).at / grain == at / grain);
  if (joins_last) {
    Nth(size_ - 1).at = at;
    Nth(size_ - 1).cost += cost;
  } else {
    Nth(size_++) = {at, cost};
  }
  total_ += cost;
  last_ = at;
}

void SlidingLog::Fill(Duration now, std::int64_t count, Duration span) {
  Book(std::max(now, last_), count, count, span);
}

void SlidingLog::Forget(Duration until) {
  while (size_ > 0 && Nth(0).at <= until) {
    total_ -= Nth(0).cost;
    head_ = (head_ + 1) % kEntries;
    --size_;
  }
}

}  // namespace patra::domain
