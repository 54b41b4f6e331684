// Permission to send. No request leaves without a permit, and permits are spaced so that the
// provider never counts more than it allows (I9).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/gate/gate_decision.h"

namespace patra::app {

class RateGate;

// One request may go, at once: the slot was paid for and is lost if it is not used. Keeps a place in the
// limits on concurrent requests until it dies, so it lives as long as the request is under way.
class Permit {
 public:
  Permit() = default;
  Permit(RateGate& gate, const domain::GateTarget& target, const domain::Booking& booking,
         Duration granted_at);
  ~Permit() { GiveBack(); }
  Permit(Permit&& other) noexcept { *this = std::move(other); }
  Permit& operator=(Permit&& other) noexcept;

  Duration granted_at() const { return granted_at_; }  // by the clock's Elapsed
  const domain::Booking& booking() const { return booking_; }

 private:
  void GiveBack() noexcept;

  RateGate* gate_ = nullptr;  // absent where there is nothing to give back
  domain::GateTarget target_;
  domain::Booking booking_;
  Duration granted_at_{};
};

struct Allow {
  Permit permit;
  domain::GateReading reading{};
};
// Ask again then, with the booking if there is one.
struct WaitUntil {
  Duration wait{};
  Instant until;
  domain::WaitReason reason = domain::WaitReason::kNone;
  std::optional<domain::Booking> booking;
  bool leaves_rest = false;  // kQuota: some of it is left, for more urgent askers or for later
  domain::GateReading reading{};
};
// Not within the deadline: do something else until then.
struct Reject {
  Duration wait{};
  Instant until;
  domain::WaitReason reason = domain::WaitReason::kNone;
  bool leaves_rest = false;  // as above
  domain::GateReading reading{};
};
using GateAnswer = std::variant<Allow, WaitUntil, Reject>;

// For people: what is remembered about one key.
struct GateStatus {
  std::string key;
  domain::GateCounts counts;
  std::int64_t share_ppm = 0;      // of the configured rate, at present
  std::optional<Duration> jitter;  // of the way to the provider, once it was measured
  std::int64_t in_flight = 0;
  std::optional<Instant> blocked_until;
  domain::WaitReason reason = domain::WaitReason::kNone;
  std::optional<Instant> last_used_at;
};

// Whose requests a gate counts, and whether it can do so at present.
struct GateReach {
  std::string counts = "all processes on this store";
  bool is_remote = false;  // it is asked over a network
  bool is_away =
      false;  // and cannot be: everybody goes on with a part of the allowance until it can
};

// Thread-safe.
class RateGate {
 public:
  virtual ~RateGate() = default;

  virtual Result<GateAnswer> Acquire(const domain::GateTarget& target,
                                     const domain::GateRules& rules,
                                     const domain::GateAsk& ask) = 0;

  // After every request, also one that failed: with what it was told, where it was told something.
  virtual Result<domain::GateChange> Feedback(const domain::GateTarget& target,
                                              const domain::GateRules& rules,
                                              const domain::GateSignal& signal) = 0;

  virtual Result<domain::GateEstimate> Estimate(const domain::GateTarget& target,
                                                const domain::GateRules& rules,
                                                Duration horizon) = 0;

  virtual Result<std::vector<GateStatus>> List() = 0;

  // Ends cool-downs, the breaker's pause and slow-downs of a key, and takes its credential back. What was
  // used stays used. kNotFound for a key that nobody asked about.
  virtual Result<void> Reset(const std::string& key) = 0;

  virtual GateReach Reach() { return {}; }

 protected:
  friend class Permit;
  virtual void Release(const domain::GateTarget& target, domain::LeaseId lease) noexcept = 0;
};

inline Permit::Permit(RateGate& gate, const domain::GateTarget& target,
                      const domain::Booking& booking, Duration granted_at)
    : booking_(booking), granted_at_(granted_at) {
  if (booking.lease == 0) return;
  gate_ = &gate;
  target_ = target;
}

inline Permit& Permit::operator=(Permit&& other) noexcept {
  GiveBack();
  gate_ = std::exchange(other.gate_, nullptr);
  target_ = std::move(other.target_);
  booking_ = other.booking_;
  granted_at_ = other.granted_at_;
  return *this;
}

inline void Permit::GiveBack() noexcept {
  if (auto* gate = std::exchange(gate_, nullptr)) gate->Release(target_, booking_.lease);
}

}  // namespace patra::app
