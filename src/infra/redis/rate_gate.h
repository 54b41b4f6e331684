#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/port/gate_ledger.h"
#include "app/port/rate_gate.h"
#include "base/clock.h"
#include "base/random.h"
#include "infra/redis/lane.h"
#include "infra/redis/shared_cells.h"

namespace patra::infra::redis {

// Whose requests it counts.
inline std::string ReachOf(const std::string& address) { return "everybody who uses " + address; }

struct GateOptions {
  SharedOptions shared;
  // Pays for several slots at once where many are used, and tells the others once in a while. Needs a clock that runs.
  bool books_ahead = true;
  // How many share the allowance while Redis does not say: the executors that are alive, this one included.
  std::function<int()> executors = [] { return 1; };
};

// The gate of everybody who uses one Redis. The decisions are domain/gate's, made here on the state that Redis keeps; see
// shared_cells.h. While Redis is away, every process keeps to its part of the allowance. Thread-safe.
class RateGate final : public app::RateGate {
 public:
  // A Redis that does not answer is no error: it is away. One that refuses us is.
  static Result<std::unique_ptr<RateGate>> Open(GateOptions options, app::GateLedger& ledger,
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
  app::GateReach Reach() override;

  // For tests and reports.
  std::int64_t round_trips();

 protected:
  void Release(const domain::GateTarget& target, domain::LeaseId lease) noexcept override;

 private:
  enum class Mode {
    kShared,
    kAway,       // Redis does not answer
    kReturning,  // it does again, but others who were cut off may not know yet
  };
  struct Decision {
    domain::GateVerdict verdict;
    domain::GateTime time{};
  };
  using Change = SharedCells::Change;

  RateGate(GateOptions options, app::GateLedger& ledger, const Clock& clock, std::uint64_t seed);

  Lane& LaneOf(const domain::GateTarget& target, const domain::GateRules& rules);
  domain::LeaseId NewLease() { return domain::MakeLeaseId(owner_, ++leases_); }

  Result<Decision> Decide(Lane& lane, const domain::GateAsk& ask);
  std::optional<Decision> DecideFromPaid(Lane& lane, const domain::GateAsk& ask);
  Result<std::optional<Decision>> DecideShared(Lane& lane, const domain::GateAsk& ask);
  domain::GateVerdict DecideAndPayAhead(Lane& lane, const domain::GateCells& cells,
                                        const domain::GateAsk& ask, const domain::GateTime& time,
                                        std::vector<PaidSlot>& paid);
  // Tells the cells what is untold, then makes the change; false where Redis is away.
  Result<bool> Apply(Lane& lane, const Change& change);
  Result<bool> Flush(Lane& lane);
  Result<bool> FlushAll();

  // Without Redis; rate_gate_alone.cc.
  void GoAway();
  // What is due: a look for Redis, or the end of a return.
  Result<void> Settle();
  void Return(Result<std::unique_ptr<Connection>> connection);
  Result<void> FinishReturn();
  domain::GateCells CellsAlone(Lane& lane);
  domain::GateRules RulesAlone(const Lane& lane) const;
  Result<Decision> DecideAlone(Lane& lane, const domain::GateAsk& ask);
  domain::GateChange FeedAlone(Lane& lane, const Event& event);

  void RunBeside(const std::stop_token& stop);

  const GateOptions options_;
  app::GateLedger& ledger_;
  const Clock& clock_;

  std::mutex mutex_;  // guards all below
  SeededRandom random_;
  const domain::LeaseOwner owner_;
  std::uint32_t leases_ = 0;
  SharedCells cells_;
  std::map<std::string, std::vector<std::unique_ptr<Lane>>> lanes_;  // by the names of their cells
  std::map<domain::LeaseId, Lane*> held_;                            // by permits that are out

  Mode mode_ = Mode::kShared;
  Duration resume_at_{};  // kReturning: by the gate's time
  Duration try_at_{};     // kAway: when to look for Redis again, by Elapsed
  Duration try_after_{};
  int executors_ = 1;                                // kAway, kReturning
  std::map<std::string, domain::GateCell> alone_{};  // by name; kAway, kReturning

  std::condition_variable_any wake_;
  std::jthread beside_;  // last: stops before what it uses goes away
};

}  // namespace patra::infra::redis
