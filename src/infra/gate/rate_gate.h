#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/port/gate_ledger.h"
#include "app/port/rate_gate.h"
#include "base/clock.h"
#include "base/random.h"
#include "infra/gate/gate_memory.h"

namespace patra::infra::gate {

// The gate of one machine: all processes that open the same file share one allowance. `clock`'s Elapsed has
// to be the same for all of them, as the system's is. Thread-safe.
class RateGate final : public app::RateGate {
 public:
  // What it leaves to chance follows `seed`; without one, every process has its own.
  static Result<std::unique_ptr<RateGate>> Open(std::string path, app::GateLedger& ledger,
                                                const Clock& clock,
                                                std::optional<std::uint64_t> seed = std::nullopt);
  ~RateGate() override;

  Result<app::GateAnswer> Acquire(const domain::GateTarget& target, const domain::GateRules& rules,
                                  const domain::GateAsk& ask) override;
  Result<domain::GateChange> Feedback(const domain::GateTarget& target,
                                      const domain::GateRules& rules,
                                      const domain::GateSignal& signal) override;
  Result<domain::GateEstimate> Estimate(const domain::GateTarget& target,
                                        const domain::GateRules& rules, Duration horizon) override;
  Result<std::vector<app::GateStatus>> List() override;
  Result<void> Reset(const std::string& key) override;

 protected:
  void Release(const domain::GateTarget& target, domain::LeaseId lease) noexcept override;

 private:
  RateGate(std::string path, app::GateLedger& ledger, const Clock& clock,
           std::unique_ptr<GateFile> file, std::uint64_t seed);

  // The file in use, after making sure that it is still the one that others find.
  Result<GateFile*> File();
  Result<domain::GateCells> Cells(const GateFile::Locked& memory, const domain::GateTarget& target,
                                  const domain::GateRules& rules, const domain::GateTime& time);
  domain::GateTime TimeOf(const GateFile& file) const {
    return {clock_.Elapsed() + file.ahead(), clock_.Now()};
  }

  const std::string path_;
  app::GateLedger& ledger_;
  const Clock& clock_;

  std::mutex files_mutex_;  // guards files_
  // The last one is in use. Those before were replaced under us; threads may still be in them.
  std::vector<std::unique_ptr<GateFile>> files_;
  std::atomic<GateFile*> file_;
  std::atomic<Duration::rep> looked_at_;

  std::atomic<std::uint32_t> leases_ = 0;  // given out
  std::mutex random_mutex_;                // guards random_
  SeededRandom random_;
};

}  // namespace patra::infra::gate
