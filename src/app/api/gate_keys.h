// What the rate gate remembers, key by key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/actor.h"

namespace patra::app {

struct GateKeyReport {
  struct Quota {
    Instant from;
    Instant to;
    std::int64_t allowed = 0;
    std::int64_t reserved = 0;
  };
  std::string key;
  std::string reason;  // why it is shut: "COOL_DOWN"; "NONE" where it is not
  std::optional<Instant> blocked_until;
  std::optional<Instant> last_used_at;
  std::int64_t share_ppm = 0;      // of the configured rate
  std::optional<Duration> jitter;  // of the way to the provider, once it was measured
  std::int64_t in_flight = 0;
  std::int64_t permits = 0;
  std::int64_t waits = 0;
  std::int64_t rejects = 0;
  std::int64_t lost_slots = 0;
  std::int64_t throttled = 0;
  std::int64_t failures = 0;
  std::int64_t cool_downs = 0;
  std::int64_t cuts = 0;
  std::int64_t openings = 0;
  std::vector<Quota> quotas;
};

class GateKeys {
 public:
  virtual ~GateKeys() = default;

  virtual Result<std::vector<GateKeyReport>> List() = 0;
  virtual std::string counts() const = 0;  // whose requests
  // Ends stops and slow-downs, and queues what waited for them; what was used stays used. Audited.
  virtual Result<void> Reset(const std::string& key, const std::string& reason,
                             const domain::Actor& actor) = 0;
};

}  // namespace patra::app
