// Runs one leased task to its end, batch by batch: permit, request, page, commit (seed loop 9.3).
#pragma once

#include <functional>

#include "app/gate/await_permit.h"
#include "app/port/page_reader.h"
#include "app/port/rate_gate.h"
#include "app/port/run_ledger.h"
#include "app/port/task_queue.h"
#include "app/port/transport.h"
#include "base/result.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct BatchReport {
  domain::RecordCounts counts;
  std::optional<std::int64_t> announced;  // of the slice, told with its first batch
  Duration waited{};
  Duration latency{};
};

struct TaskOutcome {
  domain::TaskStatus status =
      domain::TaskStatus::kSucceeded;  // kQueued: stopped half-way, see `parked`
  domain::RecordCounts counts;
  int requests = 0;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
  std::optional<Error> error;
  std::optional<GateWait> parked;  // no permit for longer than a worker should wait
};

class ExecuteTask {
 public:
  using OnBatch = std::function<void(const BatchReport&)>;

  ExecuteTask(RunLedger& ledger, RateGate& gate, Transport& transport, PageReader& reader,
              Clock& clock)
      : ledger_(ledger), gate_(gate), transport_(transport), reader_(reader), clock_(clock) {}

  // An error means that the ledger itself could not be reached or the lease is lost; what the
  // provider did wrong is in the outcome. A parked task is still ours: the caller gives it back.
  // Waits for permits are told when they begin, if they are long enough to be noticed.
  Result<TaskOutcome> Run(const LeasedTask& task, const OnBatch& on_batch,
                          const OnGateWait& on_wait);

 private:
  struct Walk;

  Result<void> WalkPages(Walk& walk, const OnBatch& on_batch);
  Result<HttpResponse> Fetch(Walk& walk);
  Result<HttpResponse> SendWithPermit(Walk& walk);
  Result<std::optional<GateWait>> LongWaitAhead(const domain::GateTarget& target,
                                                const domain::GateRules& rules);
  std::optional<Position> NextPosition(const Walk& walk, const PageContent& page) const;
  Result<TaskOutcome> Close(Walk& walk, std::optional<Error> error);

  RunLedger& ledger_;
  RateGate& gate_;
  Transport& transport_;
  PageReader& reader_;
  Clock& clock_;
};

}  // namespace patra::app
