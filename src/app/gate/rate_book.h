// What this process sends and how the gate changes by that, gathered by minute and written now and then.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "app/port/rate_gate.h"
#include "app/port/rate_history.h"
#include "base/clock.h"

namespace patra::app {

// Thread-safe. Who looks at a picture of it misses nothing but what a process has not written when it is killed.
class RateBook {
 public:
  static constexpr Duration kWriteEvery = std::chrono::seconds(10);
  static constexpr std::size_t kRowsMax =
      10'000;  // while the store is away; beyond that the oldest go

  RateBook(RateHistory& history, const Clock& clock) : history_(history), clock_(clock) {}
  ~RateBook();
  RateBook(const RateBook&) = delete;
  RateBook& operator=(const RateBook&) = delete;

  // A request that went out at `sent_at` by Elapsed, and what became of it.
  void Note(const domain::GateTarget& target, const domain::GateRules& rules,
            const domain::GateSignal& signal, const domain::GateChange& change, Duration sent_at);

  // Where it was not written lately.
  Result<void> WriteIfDue();

 private:
  using Row = std::tuple<Instant, std::string, std::string, std::string>;

  SentInMinute& RowOf(Instant minute, domain::LimitScope scope, const domain::GateTarget& target);
  Result<void> Write();

  RateHistory& history_;
  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::map<Row, SentInMinute> rows_;
  Duration written_at_{};
};

}  // namespace patra::app
