// What an answer means: one pure function decides, from status, headers, the source's own rules and what
// the transport says.
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
  // Of an answer that did not come as a whole. kLimit is one that is too large: a smaller page, or a
  // narrower slice, may fit.
  std::optional<ErrorCode> failure{};

  bool is_page() const { return !action; }
};

struct Answer {
  int status = 0;
  HeaderView headers{};
  Instant received_at;
  const ErrorRule* rule = nullptr;  // of the source, that the answer matches
  std::string_view words{};         // of the provider, where the rule found them
  std::string_view text{};          // the body, of which some tell how long to wait
  std::string_view timezone =
      "UTC";  // of the source: whose day is over when a rule waits for the next one
};

// The source's own rule decides where one matches. Else, by status:
//
//   2xx but 206          a page
//   408 425 429 5xx 206  L1; 429 is a throttle, and a Retry-After is obeyed
//   401 407              L4: the provider or a proxy refuses who we are. Another key, a new token and the
//                        like have been tried by then.
//   everything else      L2, also a redirect that was not followed
//
// `retry.statuses` makes others L1, `retry.give_up` makes L1 ones L2.
Verdict JudgeAnswer(const Answer& answer, const RetrySpec& retry);

// No answer, or not a whole one. A certificate that does not prove who the other side is (kCorruption) is
// L4: no retry makes it right, and until a person has looked nobody knows who would get our credentials.
Verdict JudgeFailure(const Error& failure, const RetrySpec& retry);

}  // namespace patra::domain
