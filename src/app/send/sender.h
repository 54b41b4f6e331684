// The way of one request to the provider: a permit is awaited, a credential is chosen and put in, the
// request goes out, and the gate learns what came of it. Nothing else in patra talks to a provider (I9).
#pragma once

#include <optional>
#include <string>

#include "app/gate/await_permit.h"
#include "app/port/rate_gate.h"
#include "app/port/transport.h"
#include "base/clock.h"
#include "base/result.h"
#include "domain/error/verdict.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/task/lineage.h"

namespace patra::app {

struct Outgoing {
  const domain::SpecSnapshot& spec;
  bool is_detail = false;  // of the second phase: its endpoint, its limits, its cost
  HttpRequest request;     // without credentials
  domain::Lineage lineage{};
  int batch_no = 1;
  domain::GatePriority priority = domain::GatePriority::kHarvest;
  bool is_retry = false;
};

// How the permit of a request was come by (seed 4.10.7).
struct PermitNote {
  std::string key;
  Duration waited{};
  domain::WaitReason reason = domain::WaitReason::kNone;
};

// What became of a request. Exactly one of `response`, `failure` and `parked` is there.
struct Sent {
  std::optional<HttpResponse> response{};
  std::optional<Error> failure{};  // went out, but no whole answer came
  std::optional<GateWait>
      parked{};  // never went out: no permit for longer than a worker should wait
  PermitNote permit{};
  int requests = 0;  // on the wire: redirects and renewed tokens count, too

  // For Settle.
  domain::GateTarget target{};
  domain::GateRules rules{};
  Permit held{};
};

class Sender {
 public:
  Sender(RateGate& gate, Transport& transport, Clock& clock)
      : gate_(gate), transport_(transport), clock_(clock) {}

  // An error is ours (the gate's state, a request that must not go out) or a refused credential.
  Result<Sent> Send(const Outgoing& outgoing, const OnGateWait& on_wait);

  // Tells the gate what the answer meant, and gives the place among the concurrent requests back. Once for
  // every Send that brought a response or a failure, as soon as the body has been judged.
  Result<void> Settle(Sent& sent, const domain::Verdict& verdict);

  // Whether the gate is shut for so long that a run need not begin: a parked task should leave no trace
  // but its time in the queue.
  Result<std::optional<GateWait>> LongWaitAhead(const domain::SpecSnapshot& spec);

 private:
  RateGate& gate_;
  Transport& transport_;
  Clock& clock_;
};

}  // namespace patra::app
