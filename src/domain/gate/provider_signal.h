// What a response says about the allowance.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "domain/gate/gate_decision.h"

namespace patra::domain {

using HeaderView = std::span<const std::pair<std::string, std::string>>;

// Retry-After in seconds or as a date. A date is compared with the response's own Date, so that a clock
// that is wrong, ours or theirs, does not matter; without one, with `received_at`. Nothing where the header is
// missing or means nothing; never negative.
std::optional<Duration> RetryAfter(HeaderView headers, Instant received_at);

// What TuShare says where others send Retry-After: so many times a minute (每分钟, 次/分钟), an hour or a day. The
// wait is until the next of those begins, in China, since nothing tells how long the present one lasts.
// Nothing for any other text.
std::optional<Duration> WaitToldInText(std::string_view text, Instant received_at);

// By status and headers alone; the source's own rules may know better, such as a 429 that is for good or
// an error inside a 200. `sent_at` and `booked` are left to the caller.
GateSignal ReadSignal(int status, HeaderView headers, Instant received_at, const GateRules& rules);

}  // namespace patra::domain
