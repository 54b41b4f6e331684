// What every implementation of the rate gate needs to run the contract tests.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "app/port/gate_ledger.h"
#include "app/port/rate_gate.h"
#include "base/clock.h"

namespace patra::testing {

// The store's part of the gate, kept in memory. Thread-safe.
class PlainGateLedger final : public app::GateLedger {
 public:
  Result<std::optional<std::int64_t>> Epoch() override {
    const std::lock_guard lock(mutex_);
    return epoch_;
  }
  Result<void> SetEpoch(std::int64_t epoch) override {
    const std::lock_guard lock(mutex_);
    epoch_ = epoch;
    resting_.reset();
    return {};
  }
  Result<void> Rest(const app::RestingGate& gate) override {
    const std::lock_guard lock(mutex_);
    resting_ = gate;
    return {};
  }
  Result<std::optional<app::RestingGate>> Resting() override {
    const std::lock_guard lock(mutex_);
    return resting_;
  }
  Result<std::int64_t> ReserveQuota(const std::string& key, Instant from, Instant to,
                                    std::int64_t allowed, std::int64_t keep,
                                    std::int64_t piece) override {
    const std::lock_guard lock(mutex_);
    auto& window = windows_[{key, from}];
    window.key = key;
    window.from = from;
    window.to = to;
    window.allowed = allowed;
    const auto granted =
        std::clamp<std::int64_t>(window.allowed - keep - window.reserved, 0, piece);
    window.reserved += granted;
    return granted;
  }
  Result<std::vector<app::QuotaWindow>> Quotas(Instant at) override {
    const std::lock_guard lock(mutex_);
    std::vector<app::QuotaWindow> list;
    for (const auto& [name, window] : windows_) {
      if (window.to > at) list.push_back(window);
    }
    return list;
  }

 private:
  std::mutex mutex_;
  std::optional<std::int64_t> epoch_;
  std::optional<app::RestingGate> resting_;
  std::map<std::pair<std::string, Instant>, app::QuotaWindow> windows_;
};

// One shared state that several gates, as of several processes, are opened on.
class GateBackend {
 public:
  virtual ~GateBackend() = default;
  virtual std::unique_ptr<app::RateGate> Open() = 0;
  virtual void LoseState() = 0;
  virtual VirtualClock& clock() = 0;
};

}  // namespace patra::testing
