// The way of one request to the provider: a permit is awaited, a credential is chosen and put in, the
// request goes out, and the gate learns what came of it. Nothing else in patra talks to a provider (I9).
#pragma once

#include <optional>
#include <string>

#include "app/gate/await_permit.h"
#include "app/gate/rate_book.h"
#include "app/port/credential_book.h"
#include "app/port/log.h"
#include "app/port/rate_gate.h"
#include "app/port/secrets.h"
#include "app/port/transport.h"
#include "app/send/access_tokens.h"
#include "app/send/answer_book.h"
#include "app/send/digest.h"
#include "app/send/redact_page.h"
#include "app/send/redaction.h"
#include "base/clock.h"
#include "base/result.h"
#include "domain/error/verdict.h"
#include "domain/gate/met_at_gate.h"
#include "domain/page/page_content.h"
#include "domain/source/compiled_source.h"
#include "domain/word/lineage.h"

namespace patra::app {

struct Outgoing {
  const domain::CompiledSource& source;
  bool is_detail = false;  // of the second phase: its endpoint, its limits, its cost
  HttpRequest request;     // without credentials
  domain::Lineage lineage{};
  int batch_no = 1;
  domain::GatePriority priority = domain::GatePriority::kHarvest;
  bool is_retry =
      false;  // after a failure; a 429 is none, the cool-down keeps us from hammering there
  // Nobody asks again if this one fails: it is waited for as long as the definition allows.
  bool is_last_try = false;
  std::optional<std::int64_t> concurrency_max{};  // where it is less than the definition allows
  // From when on, by the clock that only runs forward, it is not worth sending: what it holds is dead by then.
  std::optional<Duration> dead_from{};

  const domain::SpecSnapshot& spec() const { return source.spec(); }
};

// What became of a request. Exactly one of `response`, `failure`, `parked`, `is_dead` and `is_stopped` is there. None of them, nor the
// digests, holds a secret: where a provider repeats one, it is replaced.
struct Sent {
  std::optional<HttpResponse> response{};
  std::optional<Error> failure{};  // went out, but no whole answer came
  std::optional<domain::GateWait>
      parked{};             // never went out: no permit for longer than a worker should wait
  bool is_dead = false;     // never went out: its permit came after `dead_from`
  bool is_stopped = false;  // never went out: somebody asked to stop before its permit came
  PermitNote permit{};
  int requests = 0;  // on the wire: redirects, renewed tokens and refused keys count, too
  std::string request_digest{};   // canonical JSON
  std::string response_digest{};  // canonical JSON
  std::string body_hash{};        // SHA-256 of the response's body
  domain::MetAtGate met{};        // whole after Settle
  std::string span{};             // of the last one on the wire

  // For Settle.
  domain::GateTarget target{};
  domain::GateRules rules{};
  Permit held{};
  std::optional<Duration> delay{};  // from the permit to the first byte
  domain::Lineage lineage{};
  int batch_no = 1;
  Duration sent_at{};  // by Elapsed
  bool carried_credential = false;
};

// A worker that waits longer for a permit has better things to do.
inline constexpr Duration kPermitWaitUsual = std::chrono::seconds(5);

struct SenderPorts {
  RateGate& gate;
  Transport& transport;
  Clock& clock;
  Secrets& secrets;
  Redactor& redactor;
  Log& log;
  CredentialBook* book = nullptr;     // absent: nobody asks which stores use the same credential
  const StopRequest* stop = nullptr;  // absent: nobody can ask to stop while a permit is awaited
  Duration permit_wait_max = kPermitWaitUsual;
  RateBook* rates = nullptr;  // absent: nobody asks what was sent when
};

// Thread-safe.
class Sender {
 public:
  // For sources that need no secrets.
  Sender(RateGate& gate, Transport& transport, Clock& clock);

  // `product` begins the User-Agent, as "patra/1.0".
  explicit Sender(SenderPorts ports, std::string product = "patra");

  // An error is ours (the gate's state, a request that must not go out) or a credential that is refused or
  // missing (kRefused).
  //
  // A redirect is followed where the definition allows it, a token that has run out is renewed once, and a
  // key that is refused gives way to the next; every request on the wire has its own permit. A 401 that
  // comes back is the answer to the last credential there was.
  Result<Sent> Send(const Outgoing& outgoing, const OnGateWait& on_wait);

  // Tells the gate what the answer meant, and gives the place among the concurrent requests back. Once for
  // every Send that brought a response or a failure, as soon as the body has been judged.
  Result<void> Settle(Sent& sent, const domain::Verdict& verdict);

  // Without secrets, however short, and what points to a person.
  std::string ForPeople(std::string_view text) const { return ports_.redactor.Redact(text); }

  // What was read of an answer, without secrets.
  Result<domain::PageContent> Redacted(Result<domain::PageContent> read) const {
    return RedactPage(std::move(read), ports_.redactor);
  }

  // Whether the gate is shut for so long that a run need not begin: a parked task should leave no trace
  // but its time in the queue.
  Result<std::optional<domain::GateWait>> LongWaitAhead(const domain::CompiledSource& source);

 private:
  SenderPorts ports_;
  std::string product_;
  AccessTokens tokens_;
  AnswerBook answers_;
};

}  // namespace patra::app
