// What was sent under the keys of the rate gate, minute by minute: the gate itself remembers the present alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

// What one process sent of one endpoint's requests. A request counts under each key whose limits on the rate it has to keep to;
// what the provider made of it under the key that its complaints concern.
struct SentInMinute {
  Instant minute;
  std::string key;
  std::string provenance;
  std::string endpoint;
  std::int64_t requests = 0;
  std::int64_t throttled = 0;
  std::int64_t failures = 0;
  std::int64_t cuts = 0;
  std::int64_t cool_downs = 0;
  std::int64_t openings = 0;
  std::int64_t share_ppm_sum = 0;  // over the requests: of the limit that was allowed
  std::int64_t limit_per_day = 0;  // 0: none on the rate
  Instant stopped_until{};         // by the last stop; the beginning of time: by none

  SentInMinute& operator+=(const SentInMinute& other) {
    requests += other.requests;
    throttled += other.throttled;
    failures += other.failures;
    cuts += other.cuts;
    cool_downs += other.cool_downs;
    openings += other.openings;
    share_ppm_sum += other.share_ppm_sum;
    limit_per_day = std::max(limit_per_day, other.limit_per_day);
    stopped_until = std::max(stopped_until, other.stopped_until);
    return *this;
  }
};

inline constexpr Duration kRatesKept = std::chrono::days(31);

class RateHistory {
 public:
  virtual ~RateHistory() = default;

  // Adds to what others have added. What is older than kRatesKept goes.
  virtual Result<void> Add(const std::vector<SentInMinute>& sent) = 0;
};

}  // namespace patra::app
