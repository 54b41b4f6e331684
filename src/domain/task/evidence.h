// What is kept of how a page was asked for, whether it came or not: enough to explain it, to ask again, and to count what it took.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/value.h"
#include "domain/error/verdict.h"
#include "domain/gate/met_at_gate.h"

namespace patra::domain {

// What went out to a provider, and what it met on the way.
struct RequestsSent {
  int requests = 0;       // on the wire
  int retries = 0;        // tries after the first
  int throttled = 0;      // answers that told to be slower
  Duration waited{};      // for permits
  Duration backed_off{};  // between two tries
  Duration latency{};     // of all whole answers together
  MetAtGate met{};
  std::array<int, 4> failed{};  // requests that brought no page, by L1 to L4

  void CountFailed(ErrorLevel level);
  RequestsSent& operator+=(const RequestsSent& more);
  RequestsSent& operator-=(const RequestsSent& less);
};

// A request that brought no page.
struct FailedTry {
  Instant at;
  int batch_no = 1;
  ErrorLevel level = ErrorLevel::kL1;
  int status = 0;  // of the answer; 0: none came as a whole
  std::string reason;
  Duration backed_off{};  // before the next try
};

// The first ones and the newest: between them, one is like the other.
class FailedTries {
 public:
  static constexpr std::size_t kKeptMax = 20;
  static constexpr std::size_t kReasonBytesMax = 500;

  void Add(FailedTry failed);
  void Append(const FailedTries& later);

  const std::vector<FailedTry>& kept() const { return kept_; }
  std::int64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  FailedTry& newest() { return kept_.back(); }  // REQUIRES: !empty()

  Value ToValue() const;

 private:
  std::vector<FailedTry> kept_;
  std::int64_t count_ = 0;
};

struct Evidence {
  // Of the last request: JSON, redacted; empty where none was sent.
  std::string request{};
  // Of what came of it, or of why it was not sent, redacted. It may be added to until it is stored.
  Value::Object response{};
  int status = 0;      // of the last answer; 0: none came as a whole
  Duration latency{};  // of it
  RequestsSent sent{};
  FailedTries failures{};
  std::string credential{};  // that the last request went out with; empty where it needed none

  // What self-healing had in force, or did.
  bool are_pages_smaller = false;
  bool are_requests_fewer = false;  // at the same time
  bool is_recut = false;            // smaller slices took over

  // With what was asked for after it, for the same page. The newer request is the one to look at.
  void Append(Evidence later);

  // Beside other members of the account of a batch or run.
  void AddTo(Value::Object& stats) const;
};

}  // namespace patra::domain
