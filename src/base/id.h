// 63-bit ids that sort by the time they were made: 41 bits of milliseconds since 2024, 10 bits of
// node, 12 bits of sequence. The application makes them, so that a slice and its task go in one
// bulk insert, and they fit a signed 64-bit column everywhere. In JSON an id is a string:
// JavaScript numbers lose its last bits.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/time.h"

namespace patra {

using Id = std::int64_t;

Result<Id> ParseId(std::string_view text);
Instant TimeOf(Id id);  // to the millisecond

// Thread-safe. Ids of one generator always rise, also while the clock stands still or goes back:
// then it runs ahead of the clock instead of repeating itself.
class IdGenerator {
 public:
  static constexpr int kNodeBits = 10;
  static constexpr int kSequenceBits = 12;

  // `node` tells apart the processes that share a store; only its lowest kNodeBits count.
  IdGenerator(const Clock& clock, std::uint64_t node);

  Id Next();

 private:
  const Clock& clock_;
  const std::int64_t node_;
  std::mutex mutex_;
  std::int64_t last_tick_ = 0;  // milliseconds and sequence of the newest id, without the node
};

}  // namespace patra
