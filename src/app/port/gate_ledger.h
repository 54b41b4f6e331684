// What the rate gate keeps in the store, because it has to survive everything: which gate is the store's own, what is
// used of daily and monthly quotas, and while nobody asks it for anything, all that it knows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct QuotaWindow {
  std::string key;
  Instant from;
  Instant to;
  std::int64_t allowed = 0;
  std::int64_t reserved = 0;  // handed out to gates
};

// All that a gate knows, put away.
struct RestingGate {
  // Nothing is sent under the key before then.
  struct Stop {
    std::string key;
    Instant until;
  };
  std::string memory;         // as the gate that wrote it lays it out
  std::vector<Stop> stops{};  // the same for gates that lay it out in another way
};

// Thread-safe.
class GateLedger {
 public:
  virtual ~GateLedger() = default;

  // Names the state that belongs to the store. Nothing where there never was one; another one than that of
  // the state at hand means that state was lost.
  virtual Result<std::optional<std::int64_t>> Epoch() = 0;
  // What rested in the store is in use from then on, and no longer true.
  virtual Result<void> SetEpoch(std::int64_t epoch) = 0;

  // Until the next epoch.
  virtual Result<void> Rest(const RestingGate& gate) = 0;
  virtual Result<std::optional<RestingGate>> Resting() = 0;

  // Takes up to `piece` from the window's allowance, of which `keep` stays untouched; what was left of it. A window keeps the
  // smallest allowance that it was asked with. What was taken from windows of the key that overlap it counts, too: days have
  // other bounds after clocks have changed.
  virtual Result<std::int64_t> ReserveQuota(const std::string& key, Instant from, Instant to,
                                            std::int64_t allowed, std::int64_t keep,
                                            std::int64_t piece) = 0;

  // The windows that contain `at`, and those to come.
  virtual Result<std::vector<QuotaWindow>> Quotas(Instant at) = 0;
};

}  // namespace patra::app
