// What an answer means: one pure function decides, from status, headers, the source's own rules and what
// the transport says (seeds 000 §12.1, 004 §1).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "domain/gate/provider_signal.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

enum class ErrorLevel {
  kNone,
  kL1,  // passes by itself: try again, slower
  kL2,  // the request is wrong: trying again changes nothing
  kL3,  // a record is bad: it goes to quarantine, its siblings go on
  kL4,  // a person must act: everything of this source stops
};
std::string_view Code(ErrorLevel level);  // "L1"

struct Verdict {
  ErrorLevel level = ErrorLevel::kNone;
  // What to do; none where the answer is an ordinary page.
  std::optional<ErrorAction> action{};
  std::optional<Duration> wait{};  // as the provider told it, before which nothing may be sent
  bool is_throttled = false;       // 429, or what the source says means the same
  std::string reason{};            // for people

  bool is_page() const { return !action; }
};

struct Answer {
  int status = 0;
  HeaderView headers{};
  Instant received_at;
  const ErrorRule* rule = nullptr;  // of the source, that the answer matches
  std::string_view text{};          // the body, of which some tell how long to wait
};

Verdict JudgeAnswer(const Answer& answer, const RetrySpec& retry);

// No answer, or not a whole one.
Verdict JudgeFailure(const Error& failure, const RetrySpec& retry);

}  // namespace patra::domain
