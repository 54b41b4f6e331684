#include "domain/error/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/text_scanner.h"
#include "base/time_zone.h"

namespace patra::domain {
namespace {

bool Contains(const std::vector<StatusRange>& ranges, int status) {
  return std::ranges::any_of(
      ranges, [&](const StatusRange& range) { return range.from <= status && status <= range.to; });
}

ErrorLevel LevelOf(ErrorAction action) {
  switch (action) {
    case ErrorAction::kRetry:
    case ErrorAction::kWait:
    case ErrorAction::kRestartSlice:
      return ErrorLevel::kL1;
    case ErrorAction::kFail:
      return ErrorLevel::kL2;
    case ErrorAction::kQuarantine:
      return ErrorLevel::kL3;
    case ErrorAction::kStop:
      return ErrorLevel::kL4;
    case ErrorAction::kEmpty:
    case ErrorAction::kEnd:
    case ErrorAction::kPage:
      break;
  }
  return ErrorLevel::kNone;
}

// Of the source's clock.
Duration UntilNext(const Answer& answer, Duration step) {
  const auto zone = TimeZone::Find(answer.timezone);
  const auto ahead = zone ? Duration(zone->OffsetAt(answer.received_at)) : Duration::zero();
  return step - (answer.received_at.time_since_epoch() + ahead) % step;
}

// `until` of a WAIT rule: a time to wait, or the start of the next minute, hour or day. Whose day that is,
// a text that is known says best.
std::optional<Duration> RuleWait(const ErrorRule& rule, const Answer& answer) {
  const auto told = WaitToldInText(answer.text, answer.received_at);
  if (!rule.until) return rule.action == ErrorAction::kWait ? told : std::nullopt;
  const auto next = [&](Duration step) { return told.value_or(UntilNext(answer, step)); };
  const auto until = LowerCode(*rule.until);
  if (until == "next_minute") return next(std::chrono::minutes(1));
  if (until == "next_hour") return next(std::chrono::hours(1));
  if (until == "next_day") return next(std::chrono::days(1));
  const auto duration = ParseDuration(*rule.until);
  return duration ? std::optional(*duration) : std::nullopt;
}

std::optional<Duration> LongerOf(std::optional<Duration> a, std::optional<Duration> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

constexpr std::size_t kWordsMax = 200;

// What is masked by whoever writes it down, such as an address, is recognised only as a whole: a text is cut where none can be.
bool IsBetweenWords(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= ' ' || std::string_view("\"'<>()[]{},;").find(c) != std::string_view::npos ||
         (byte & 0xC0) == 0xC0;
}

std::string_view WithoutCutWord(std::string_view cut) {
  while (!cut.empty() && !IsBetweenWords(cut.back())) cut.remove_suffix(1);
  if (!cut.empty()) cut.remove_suffix(1);
  return cut;
}

// What the provider says about it, on one line; a page for browsers says nothing that people want to read here.
std::string WordsOf(std::string_view body) {
  constexpr std::size_t kLookedAt = 4 * kWordsMax;
  std::string words;
  for (const char c : body.substr(0, kLookedAt)) {
    const bool is_blank = static_cast<unsigned char>(c) <= ' ';
    if (is_blank && (words.empty() || words.back() == ' ')) continue;
    words += is_blank ? ' ' : c;
  }
  if (words.starts_with('<')) return {};
  if (words.size() <= kWordsMax && body.size() <= kLookedAt) return words;
  const auto whole = WithoutCutWord(std::string_view(words).substr(0, kWordsMax));
  return whole.empty() ? std::string() : std::string(whole) + "…";
}

Verdict ByRule(const Answer& answer) {
  const auto& rule = *answer.rule;
  Verdict verdict{.level = LevelOf(rule.action),
                  .action = rule.action,
                  .is_throttled = rule.action == ErrorAction::kWait};
  if (verdict.level == ErrorLevel::kL1) {
    verdict.wait = LongerOf(RetryAfter(answer.headers, answer.received_at), RuleWait(rule, answer));
  }
  verdict.reason = fmt::format("HTTP {}, which the source's rules read as {}", answer.status,
                               CodeOf(rule.action));
  if (const auto words = WordsOf(answer.words); !words.empty()) verdict.reason += ": " + words;
  return verdict;
}

}  // namespace

std::string_view Code(ErrorLevel level) {
  switch (level) {
    case ErrorLevel::kNone:
      return "";
    case ErrorLevel::kL1:
      return "L1";
    case ErrorLevel::kL2:
      return "L2";
    case ErrorLevel::kL3:
      return "L3";
    case ErrorLevel::kL4:
      return "L4";
  }
  return "";
}

namespace {

// Without what stands behind it: that may hold a credential.
std::string_view WhereItLeads(const Answer& answer) {
  constexpr std::size_t kShown = 200;
  if (answer.status < 300 || answer.status >= 400) return {};
  for (const auto& [name, value] : answer.headers) {
    if (!EqualIgnoringCase(name, "location")) continue;
    const auto shown = std::string_view(value).substr(0, value.find_first_of("?#"));
    return shown.size() <= kShown ? shown : shown.substr(0, shown.substr(0, kShown).rfind('/') + 1);
  }
  return {};
}

}  // namespace

Verdict JudgeAnswer(const Answer& answer, const RetrySpec& retry) {
  if (answer.rule != nullptr) return ByRule(answer);
  const int status = answer.status;
  // Nobody asked for a part (206), so that one is no page.
  const bool is_part = status == 206;
  if (status >= 200 && status < 300 && !is_part) return {};

  Verdict verdict{.level = ErrorLevel::kL2,
                  .action = ErrorAction::kFail,
                  .is_throttled = status == 429,
                  .reason = fmt::format("HTTP {}", status)};
  if (const auto to = WhereItLeads(answer); !to.empty()) {
    verdict.reason += fmt::format(
        ": the provider leads elsewhere, to {}, and the definition follows no redirect as far as "
        "that: name that address, or see `http.redirects`",
        to);
  }
  const bool is_transient =
      is_part || status == 408 || status == 425 || status == 429 || status >= 500;
  if (status == 401 || status == 407) {
    verdict.level = ErrorLevel::kL4;
    verdict.action = ErrorAction::kStop;
    verdict.reason += status == 401 ? ": the provider refuses the credential"
                                    : ": the proxy refuses its credential";
  } else if (!Contains(retry.give_up, status) &&
             (is_transient || Contains(retry.statuses, status))) {
    verdict.level = ErrorLevel::kL1;
    verdict.action = verdict.is_throttled ? ErrorAction::kWait : ErrorAction::kRetry;
    verdict.wait = RetryAfter(answer.headers, answer.received_at);
  }
  if (verdict.level == ErrorLevel::kL2) {
    if (const auto words = WordsOf(answer.text); !words.empty()) verdict.reason += ": " + words;
  }
  return verdict;
}

Verdict JudgeFailure(const Error& failure, const RetrySpec& retry) {
  Verdict verdict{.level = ErrorLevel::kL2,
                  .action = ErrorAction::kFail,
                  .reason = failure.Describe(),
                  .failure = failure.code};
  switch (failure.code) {
    case ErrorCode::kRefused:
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      verdict.level = ErrorLevel::kL4;
      verdict.action = ErrorAction::kStop;
      break;
    case ErrorCode::kExhausted:
      verdict.level = ErrorLevel::kL1;
      verdict.action = ErrorAction::kRetry;
      break;
    case ErrorCode::kUnavailable:
      if (!retry.network_errors) break;
      verdict.level = ErrorLevel::kL1;
      verdict.action = ErrorAction::kRetry;
      break;
    case ErrorCode::kInvalidInput:
    case ErrorCode::kNotFound:
    case ErrorCode::kConflict:
    case ErrorCode::kDuplicate:
    case ErrorCode::kLeaseLost:
    case ErrorCode::kLimit:
    case ErrorCode::kCancelled:
      break;
  }
  return verdict;
}

}  // namespace patra::domain
