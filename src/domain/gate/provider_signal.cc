#include "domain/gate/provider_signal.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/duration.h"
#include "base/http_date.h"

namespace patra::domain {
namespace {

constexpr std::int64_t kNumberMax = 1'000'000'000'000;
// Seconds from now are never this many, seconds since 1970 always are.
constexpr std::int64_t kEpochFrom = 1'000'000'000;
constexpr std::int64_t kSecondsMax = std::int64_t{10} * 366 * 86'400;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameName(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, Lower, Lower);
}

std::string_view Trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::optional<std::string_view> Find(HeaderView headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (SameName(key, name)) return Trimmed(value);
  }
  return std::nullopt;
}

// A number that is not negative, whole or cut to whole: "30", "0.25" is 0. RateLimit-Limit may be a list
// ("100, 100;w=60"); its first number is the one in force.
std::optional<std::int64_t> Number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || number < 0 || number > kNumberMax) return std::nullopt;
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (!rest.empty() && rest[0] != '.' && rest[0] != ',' && rest[0] != ';') return std::nullopt;
  return number;
}

// Rounded up: asking too early is worse than too late.
std::optional<Duration> Seconds(std::string_view text) {
  const bool is_whole =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  const auto number = Number(text);
  if (!number && !is_whole) return std::nullopt;
  // More than anybody can mean is still no leave to go on.
  if (!number || *number > kSecondsMax) return std::chrono::seconds(kSecondsMax);
  const auto point = text.find('.');
  const bool has_fraction = point != std::string_view::npos &&
                            text.find_first_of("123456789", point) != std::string_view::npos;
  return std::chrono::seconds(*number + (has_fraction ? 1 : 0));
}

Instant SendersNow(HeaderView headers, Instant received_at) {
  const auto date = Find(headers, "date");
  if (!date) return received_at;
  return ParseHttpDate(*date, received_at).value_or(received_at);
}

std::optional<Duration> ResetIn(std::string_view text, Instant senders_now) {
  const auto number = Number(text);
  if (!number) return std::nullopt;
  if (*number < kEpochFrom) return Seconds(text);
  const bool is_millis = *number >= kEpochFrom * 1'000;
  const Instant at{is_millis ? Duration(std::chrono::milliseconds(*number))
                             : Duration(std::chrono::seconds(*number))};
  return std::max(at - senders_now, Duration::zero());
}

std::optional<Duration> Interval(std::string_view text) {
  const auto number = Number(text);
  auto interval = number && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })
                      ? Result<Duration>(std::chrono::seconds(std::min(*number, kSecondsMax)))
                      : ParseDuration(text);
  // A header is believed only as far as it makes sense: a window of months would keep a source shut.
  constexpr Duration kLongest = std::chrono::days(1);
  if (!interval || *interval < std::chrono::milliseconds(1) || *interval > kLongest)
    return std::nullopt;
  return *interval;
}

GateSignal::Kind KindOf(int status) {
  using enum GateSignal::Kind;
  if (status == 429) return kThrottled;
  if (status == 401) return kRefused;
  if (status >= 500 || status == 408) return kTransient;
  return status >= 400 ? kRejected : kOk;
}

}  // namespace

std::optional<Duration> RetryAfter(HeaderView headers, Instant received_at) {
  const auto text = Find(headers, "retry-after");
  if (!text) return std::nullopt;
  if (const auto seconds = Seconds(*text)) return seconds;
  const auto date = ParseHttpDate(*text, received_at);
  if (!date) return std::nullopt;
  return std::max(*date - SendersNow(headers, received_at), Duration::zero());
}

std::optional<Duration> WaitToldInText(std::string_view text, Instant received_at) {
  struct Told {
    std::string_view each;
    std::string_view per;
    Duration length;
  };
  static constexpr auto kTold = std::to_array<Told>({
      {"每分钟", "次/分钟", std::chrono::minutes(1)},
      {"每小时", "次/小时", std::chrono::hours(1)},
      {"每天", "次/天", std::chrono::days(1)},
  });
  constexpr Duration kChinaAhead = std::chrono::hours(8);
  for (const auto& told : kTold) {
    if (text.find(told.each) == std::string_view::npos &&
        text.find(told.per) == std::string_view::npos)
      continue;
    const auto local = received_at.time_since_epoch() + kChinaAhead;
    return told.length - local % told.length;
  }
  return std::nullopt;
}

GateSignal ReadSignal(int status, HeaderView headers, Instant received_at, const GateRules& rules) {
  GateSignal signal{.kind = KindOf(status), .cool_down = RetryAfter(headers, received_at)};
  const auto senders_now = SendersNow(headers, received_at);
  for (const auto& rule : rules.headers) {
    const auto text = Find(headers, rule.name);
    if (!text) continue;
    switch (rule.meaning) {
      case HeaderMeaning::kLimit:
        if (!signal.limit) signal.limit = Number(*text);
        break;
      case HeaderMeaning::kInterval:
        if (!signal.interval) signal.interval = Interval(*text);
        break;
      case HeaderMeaning::kConcurrency:
        if (!signal.concurrency) signal.concurrency = Number(*text);
        break;
      case HeaderMeaning::kRemaining:
        if (!signal.remaining) signal.remaining = Number(*text);
        break;
      case HeaderMeaning::kReset:
        if (!signal.reset_in) signal.reset_in = ResetIn(*text, senders_now);
        break;
    }
  }
  // A throttled caller who is told when its window ends need not guess.
  const bool is_used_up = signal.remaining.value_or(1) == 0;
  if (signal.kind == GateSignal::Kind::kThrottled && !signal.cool_down && is_used_up)
    signal.cool_down = signal.reset_in;
  return signal;
}

}  // namespace patra::domain
