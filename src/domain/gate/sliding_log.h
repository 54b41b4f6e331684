// What was sent and when, for limits that allow bursts: at most `count` in any stretch of `span`.
#pragma once

#include <array>
#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

// Exact up to kEntries; above, neighbours share an entry with the later one's time, which errs on
// the safe side by less than a hundredth of the span.
class SlidingLog {
 public:
  static constexpr std::size_t kEntries = 512;

  // When `cost` more fit, not before `from` nor before what is booked already.
  // REQUIRES: cost <= count
  Duration Earliest(Duration from, std::int64_t cost, std::int64_t count, Duration span) const;

  // REQUIRES: at is not before the last booking
  void Book(Duration at, std::int64_t cost, std::int64_t count, Duration span);

  Duration last() const { return last_; }  // booking

  // As if everything had been used just now.
  void Fill(Duration now, std::int64_t count, Duration span);

 private:
  struct Entry {
    Duration at;
    std::int64_t cost;
  };

  void Forget(Duration until);
  Entry& Nth(std::size_t n) { return entries_[(head_ + n) % kEntries]; }
  const Entry& Nth(std::size_t n) const { return entries_[(head_ + n) % kEntries]; }

  std::array<Entry, kEntries> entries_{};
  std::size_t head_ = 0;  // the oldest
  std::size_t size_ = 0;
  std::int64_t total_ = 0;
  Duration last_ = kLongAgo;
};

}  // namespace patra::domain
