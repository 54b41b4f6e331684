// One position of a walk, from the request to the records: rendered, sent, judged, and tried again as
// long as that makes sense.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <variant>

#include "app/execute/run_tally.h"
#include "app/port/log.h"
#include "app/port/stop_request.h"
#include "app/port/task_queue.h"
#include "app/send/sender.h"
#include "base/random.h"
#include "domain/error/retry_schedule.h"
#include "domain/error/verdict.h"
#include "domain/page/page_content.h"
#include "domain/source/compiled_source.h"
#include "domain/task/evidence.h"
#include "domain/walk/position.h"

namespace patra::app {

struct FetchedPage {
  domain::PageContent content;
  HttpResponse response;
  std::string body_hash;
  int retries = 0;  // tries before those that brought it, or one of its parts
  domain::Evidence evidence{};
};

// Why there is no page.
struct NoPage {
  enum class Kind {
    kParked,     // no permit, or a wait that is too long for a worker: come back at `until`
    kExhausted,  // L1: tried as often as allowed
    kWrong,      // L2: the provider will never answer this request
    kFatal,      // L4: a person must act
    kStartOver,  // the position is lost: only the whole slice can be asked for again
    kTooLarge,   // the answer exceeds a bound of ours
    kIsolated,   // L3: a rule of the source puts the answer into quarantine
    kUnproven,   // L3: everything was read, and something keeps it from being proven
    kGap,        // everything there is was read, and less or other than was announced
    kEarly,      // everything was read, and some of it before the provider's own time for it
    kStopped,    // somebody asked to stop
    kFailing,    // there is one, but too many before it came only after failures
    kSpent,  // there may be one, but the run has used up its budget: the rest goes on at `until`
  };
  Kind kind = Kind::kExhausted;
  std::string reason;
  Instant until;
  std::optional<domain::WaitReason> waits_for{};
  std::string body{};              // of the answer that is no page
  std::string wrong_parameter{};   // that the provider, or our own template, names
  std::string cause{};             // kParked: what failed before that
  domain::Evidence evidence{};     // of what was tried
  bool blames_definition = false;  // kWrong: it looks for what the provider's answers do not have
};

using Fetched = std::variant<FetchedPage, NoPage>;

// Whether the worker may still act for its task. One that could not renew its lease for most of its length stops by
// itself: another may be at the task any moment, and a provider should not be asked twice.
using HoldsLease = std::function<bool()>;

// What all fetches of one run share. One fetch at a time.
struct FetchScope {
  const LeasedTask& task;
  const domain::CompiledSource& source;
  domain::Lineage lineage;
  SeededRandom random;
  RunTally& tally;
  const OnGateWait& on_wait;
  std::optional<std::int64_t> concurrency_max{};
  std::int64_t runs_max = 0;  // after so many, retries that nobody may make count as made
  // Fewer than the definition says, by somebody who only tries something out: the first failure tells enough where
  // the gate lets nobody in after it.
  std::optional<std::int64_t> attempts_max{};
  // How long whoever asks patiently waits for a provider in trouble, where that is less than for the gate's other reasons.
  std::optional<Duration> patience{};
  bool is_first_use = false;   // of the endpoint: nothing that it sent was ever read
  bool is_first_read = false;  // by the snapshot: no page was ever read by it
  // When the last page was read, by the clock that only runs forward: since then its token waits to be used.
  std::optional<Duration> last_page_at{};
  HoldsLease holds_lease{};  // without it, it always does

  const domain::SpecSnapshot& spec() const { return source.spec(); }
};

class FetchPage {
 public:
  FetchPage(Sender& sender, Clock& clock, Log& log, const StopRequest& stop)
      : sender_(sender), clock_(clock), log_(log), stop_(stop) {}

  // An error is ours: a store or gate that cannot be reached.
  Result<Fetched> At(FetchScope& scope, const domain::Position& position, int batch_no);

  // The same, and waits here for the gate to open again: what a worker knows by now would be lost if the task went
  // back to the queue.
  Result<Fetched> AtPatiently(FetchScope& scope, const domain::Position& position, int batch_no);

  // Details of these ids. REQUIRES: the source has details
  Result<Fetched> Details(FetchScope& scope, std::span<const std::string> ids, int batch_no);
  Result<Fetched> DetailsPatiently(FetchScope& scope, std::span<const std::string> ids,
                                   int batch_no);

  // What a page turns into that could be read, and is none after all: a person must act.
  NoPage NoPageAfterAll(FetchScope& scope, const FetchedPage& page, std::string reason,
                        int batch_no) const;

 private:
  struct Ask {
    HttpRequest request;
    bool is_detail = false;
    bool can_repeat = true;               // sending it twice is harmless
    bool has_token = false;               // that the provider gave, and may have forgotten
    bool owes_total = false;              // without it, the answer is no page
    std::optional<Duration> dead_from{};  // its token
    std::string place{};                  // of the page, for people
    int batch_no = 1;
  };

  struct Attempt {
    bool is_retry = false;
    bool is_last = false;  // of the schedule: nobody asks again if it fails
  };

  Result<Fetched> Run(FetchScope& scope, const Ask& ask);
  Result<Fetched> TryWithinMemory(FetchScope& scope, const Ask& ask, domain::Evidence& evidence);
  Result<Fetched> Try(FetchScope& scope, const Ask& ask, domain::Evidence& evidence);
  Result<std::variant<Sent, NoPage>> Send(FetchScope& scope, const Ask& ask,
                                          const Attempt& attempt);
  static NoPage FailureOf(const FetchScope& scope, const Ask& ask, const Sent& sent,
                          const Result<domain::PageContent>& page, const domain::Verdict& verdict);
  static NoPage Interrupted(const Ask& ask, const domain::Verdict& verdict);
  Result<bool> HasAnotherKey(const FetchScope& scope);
  Result<Fetched> CoolDown(const FetchScope& scope, const domain::Verdict& verdict,
                           const domain::RetryStep& step);
  Result<domain::PageContent> Read(const FetchScope& scope, const Ask& ask,
                                   const HttpResponse& response);
  bool SleepUnlessStopped(Duration wait);
  Result<Fetched> Patiently(const FetchScope& scope, const std::function<Result<Fetched>()>& fetch);

  Sender& sender_;
  Clock& clock_;
  Log& log_;
  const StopRequest& stop_;
};

}  // namespace patra::app
