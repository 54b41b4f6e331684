#include "sim/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/duration.h"
#include "base/random.h"
#include "sim/http_message.h"

namespace patra::sim {
namespace {

constexpr std::size_t kFaultsMax = 1'000;
constexpr std::int64_t kAmountMax = std::int64_t{1} << 40;

constexpr auto kKinds = std::to_array<FaultKindInfo>({
    {FaultKind::kLatency, "latency", "waits `delay` before it answers"},
    {FaultKind::kTooManyRequests, "too_many_requests",
     "the provider's own refusal, with `retry_after`"},
    {FaultKind::kServerError, "server_error", "`status` (503) instead of an answer"},
    {FaultKind::kResetBeforeHead, "reset_before_head", "resets the connection without a byte"},
    {FaultKind::kResetMidBody, "reset_mid_body", "resets the connection in the middle of the body"},
    {FaultKind::kTruncated, "truncated", "closes early: fewer bytes than Content-Length says"},
    {FaultKind::kTruncatedSilently, "truncated_silently",
     "half a body with a Content-Length that fits it"},
    {FaultKind::kWrongLength, "wrong_length",
     "Content-Length `amount` too large (negative: small)"},
    {FaultKind::kSlowDrip, "slow_drip", "`amount` bytes (16) every `delay`"},
    {FaultKind::kErrorBody, "error_body", "200 with the provider's error body"},
    {FaultKind::kHtml, "html", "200 with an HTML page"},
    {FaultKind::kWrongCharset, "wrong_charset", "Latin-1 declared as UTF-8, or `charset` declared"},
    {FaultKind::kInvalidUtf8, "invalid_utf8", "bytes that are not UTF-8 in one record"},
    {FaultKind::kHugeInteger, "huge_integer", "an integer beyond 64 bits in one record"},
    {FaultKind::kGzipBomb, "gzip_bomb", "a small gzip body of `amount` MB (256)"},
    {FaultKind::kDeepJson, "deep_json", "JSON nested `amount` deep (100000)"},
    {FaultKind::kEntityBomb, "entity_bomb", "XML with entities that explode"},
    {FaultKind::kRepeatedPage, "repeated_page", "the page before once more"},
    {FaultKind::kRepeatedToken, "repeated_token", "the token that was sent comes back"},
    {FaultKind::kDeadToken, "dead_token", "a next token that is refused"},
    {FaultKind::kMissingNext, "missing_next", "no next token though there is more"},
    {FaultKind::kEmptyPage, "empty_page", "no items, though the walk goes on"},
    {FaultKind::kMovingTotal, "moving_total", "a total that is `amount` (17) off"},
    {FaultKind::kMissingTotal, "missing_total", "null where the total should be"},
    {FaultKind::kEmptyError, "empty_error", "200 with an empty list beside an error"},
    {FaultKind::kIgnoredFilter, "ignored_filter", "the window is not looked at"},
    {FaultKind::kDrift, "drift", "`amount` rows (1) before the page vanished (negative: came)"},
    {FaultKind::kShrink, "shrink",
     "`amount` rows (3) before the page are gone, and the total knows (negative: came)"},
    {FaultKind::kSwappedPages, "swapped_pages", "pages 1 and 2, 3 and 4, … change places"},
    {FaultKind::kShuffledItems, "shuffled_items", "the page's items in another order"},
    {FaultKind::kDuplicateItems, "duplicate_items", "`amount` items (1) twice in the page"},
    {FaultKind::kMissingId, "missing_id", "one record without its id"},
    {FaultKind::kUnparsableDate, "unparsable_date", "one record with a date that is none"},
    {FaultKind::kFutureDate, "future_date", "one record with a date in the year 9999"},
    {FaultKind::kMissingField, "missing_field", "one record without its title"},
    {FaultKind::kTypeChange, "type_change", "one record whose title is an object"},
    {FaultKind::kSchemaChange, "schema_change", "one record whose title has another name"},
    {FaultKind::kAuthExpired, "auth_expired", "the credentials are refused"},
    {FaultKind::kRedirectLoop, "redirect_loop", "a redirect to itself"},
    {FaultKind::kForeignRedirect, "foreign_redirect", "a redirect to `origin`"},
    {FaultKind::kForeignNext, "foreign_next", "a next URL on `origin`"},
    {FaultKind::kHugeHeaders, "huge_headers", "`amount` KB (256) of headers"},
    {FaultKind::kClockSkew, "clock_skew",
     "a Date header `amount` seconds (3600) ahead (negative: behind)"},
});

std::unexpected<Error> Invalid(std::string message, std::string hint = {}) {
  return Fail(ErrorCode::kInvalidInput, std::move(message), {}, std::move(hint));
}

Result<std::int64_t> AsInteger(const Value& value, std::string_view name) {
  const auto* number = value.AsInteger();
  if (!number || *number < -kAmountMax || *number > kAmountMax) {
    return Invalid(fmt::format("'{}' must be a whole number", name));
  }
  return *number;
}

Result<std::string> AsText(const Value& value, std::string_view name) {
  if (const auto* number = value.AsInteger()) return std::to_string(*number);
  if (!value.AsString()) return Invalid(fmt::format("'{}' must be a text", name));
  return *value.AsString();
}

Result<Duration> AsDuration(const Value& value, std::string_view name) {
  // A plain number counts seconds.
  const auto* seconds = value.AsInteger();
  auto duration = seconds ? Duration(std::chrono::seconds(*seconds)) : Duration::zero();
  if (!seconds) {
    const auto text = PATRA_TRY(AsText(value, name));
    duration = PATRA_TRY(ParseDuration(text));
  }
  if (duration < Duration::zero()) return Invalid(fmt::format("'{}' is negative", name));
  return duration;
}

Result<std::vector<std::int64_t>> AsPositions(const Value& value) {
  const auto* array = value.AsArray();
  if (!array) return std::vector<std::int64_t>{PATRA_TRY(AsInteger(value, "positions"))};
  std::vector<std::int64_t> positions;
  for (const auto& item : *array) positions.push_back(PATRA_TRY(AsInteger(item, "positions")));
  return positions;
}

Result<double> AsProbability(const Value& value) {
  const double probability = value.AsDouble()    ? *value.AsDouble()
                             : value.AsInteger() ? static_cast<double>(*value.AsInteger())
                                                 : -1.0;
  if (!(probability >= 0 && probability <= 1)) return Invalid("'probability' must be 0 to 1");
  return probability;
}

Result<FaultKind> AsKind(const Value& value) {
  const auto name = PATRA_TRY(AsText(value, "kind"));
  std::string known;
  for (const auto& info : kKinds) {
    if (info.name == name) return info.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", info.name);
  }
  return Invalid(fmt::format("there is no fault '{}'", name), "use one of: " + known);
}

Result<std::string> AsOneOf(const Value& value, std::string_view name,
                            std::initializer_list<std::string_view> known) {
  auto text = PATRA_TRY(AsText(value, name));
  if (std::ranges::find(known, text) == known.end()) {
    return Invalid(fmt::format("'{}' cannot be '{}'", name, text));
  }
  return text;
}

// Sets one member of the specification from its text in the scenario.
Result<void> SetMember(FaultSpec& spec, std::string_view name, const Value& value) {
  if (name == "kind") {
    spec.kind = PATRA_TRY(AsKind(value));
  } else if (name == "source") {
    spec.source = PATRA_TRY(AsText(value, name));
  } else if (name == "path") {
    spec.path = PATRA_TRY(AsText(value, name));
  } else if (name == "probability") {
    spec.probability = PATRA_TRY(AsProbability(value));
  } else if (name == "positions") {
    spec.positions = PATRA_TRY(AsPositions(value));
  } else if (name == "every") {
    spec.every = PATRA_TRY(AsInteger(value, name));
  } else if (name == "from") {
    spec.from = PATRA_TRY(AsDuration(value, name));
  } else if (name == "to") {
    spec.to = PATRA_TRY(AsDuration(value, name));
  } else if (name == "times") {
    spec.times = PATRA_TRY(AsInteger(value, name));
  } else if (name == "status") {
    spec.status = static_cast<int>(PATRA_TRY(AsInteger(value, name)));
    if (spec.status < 200 || spec.status > 599) return Invalid("'status' must be 200 to 599");
  } else if (name == "retry_after") {
    const auto* word = value.AsString();
    if (word && (*word == "none" || *word == "date")) {
      spec.retry_after = *word;
    } else {
      const auto wait = PATRA_TRY(AsDuration(value, name));
      spec.retry_after = std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count());
    }
  } else if (name == "delay") {
    spec.delay = PATRA_TRY(AsDuration(value, name));
  } else if (name == "delay_max") {
    spec.delay_max = PATRA_TRY(AsDuration(value, name));
  } else if (name == "distribution") {
    spec.distribution = PATRA_TRY(AsOneOf(value, name, {"fixed", "uniform", "exponential"}));
  } else if (name == "amount") {
    spec.amount = PATRA_TRY(AsInteger(value, name));
  } else if (name == "origin") {
    spec.origin = PATRA_TRY(AsText(value, name));
  } else if (name == "charset") {
    spec.charset = PATRA_TRY(AsText(value, name));
  } else {
    return Invalid(fmt::format("a fault has no member '{}'", name));
  }
  return {};
}

}  // namespace

std::span<const FaultKindInfo> AllFaultKinds() { return kKinds; }

Result<FaultSpec> ParseFault(const Value& value) {
  const auto* members = value.AsObject();
  if (!members || !value.Find("kind")) return Invalid("a fault must be an object with a 'kind'");
  FaultSpec spec;
  for (const auto& [name, member] : *members) {
    if (auto set = SetMember(spec, name, member); !set) return std::unexpected(set.error());
  }
  return spec;
}

Result<Value> ParseFaultText(std::string_view text) {
  Value::Object fault;
  bool first = true;
  while (!text.empty() || first) {
    const auto comma = text.find(',');
    const auto part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const auto equals = part.find('=');
    if (first && equals == std::string_view::npos) {
      fault["kind"] = part;
    } else if (equals == std::string_view::npos) {
      return Invalid(fmt::format("'{}' is not name=value", part));
    } else {
      const std::string name(part.substr(0, equals));
      const auto written = part.substr(equals + 1);
      if (name == "positions") {
        Value::Array positions;
        for (std::string_view rest = written; !rest.empty();) {
          const auto blank = rest.find(' ');
          const auto number = ParseInteger(rest.substr(0, blank));
          if (!number) return Invalid("'positions' must be numbers with blanks between them");
          positions.emplace_back(*number);
          rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
        }
        fault[name] = std::move(positions);
      } else {
        // What reads as a JSON number is one; everything else is a text.
        auto number = ParseJson(written);
        const bool is_number = number && (number->AsInteger() || number->AsDouble());
        fault[name] = is_number ? std::move(*number) : Value(written);
      }
    }
    first = false;
  }
  return Value(std::move(fault));
}

Result<void> FaultPlan::Load(const Value& scenario) {
  std::uint64_t seed = 1;
  std::vector<Armed> armed;
  const auto* faults = scenario.AsArray();
  if (scenario.AsObject()) {
    for (const auto& [name, value] : *scenario.AsObject()) {
      if (name == "seed") {
        seed = static_cast<std::uint64_t>(PATRA_TRY(AsInteger(value, name)));
      } else if (name == "faults") {
        faults = value.AsArray();
      } else {
        return Invalid(fmt::format("a scenario has no member '{}'", name),
                       "its members are 'seed' and 'faults'");
      }
    }
  }
  if (!faults && !scenario.is_null()) {
    return Invalid("a scenario is a list of faults, or an object with 'faults'");
  }
  for (std::size_t i = 0; faults && i < faults->size(); ++i) {
    auto spec = ParseFault((*faults)[i]);
    if (!spec) {
      return std::unexpected(std::move(spec).error().At({.pointer = fmt::format("/faults/{}", i)}));
    }
    armed.push_back({.spec = std::move(*spec), .written = (*faults)[i]});
  }
  if (armed.size() > kFaultsMax) {
    return Fail(ErrorCode::kLimit, fmt::format("more than {} faults", kFaultsMax));
  }
  const std::lock_guard lock(mutex_);
  seed_ = seed;
  armed_ = std::move(armed);
  return {};
}

Value FaultPlan::Describe() const {
  const std::lock_guard lock(mutex_);
  Value::Array faults;
  for (const auto& armed : armed_) {
    auto written = armed.written;
    written["matched"] = armed.matched;
    written["struck"] = armed.struck;
    faults.push_back(std::move(written));
  }
  return Value::Object{{"seed", static_cast<std::int64_t>(seed_)}, {"faults", std::move(faults)}};
}

bool FaultPlan::Decide(const Armed& armed, std::size_t index) const {
  const auto& spec = armed.spec;
  if (spec.times > 0 && armed.struck >= spec.times) return false;
  const bool by_position = !spec.positions.empty() || spec.every > 0;
  if (by_position) {
    const bool listed = std::ranges::find(spec.positions, armed.matched) != spec.positions.end();
    const bool periodic = spec.every > 0 && armed.matched % spec.every == 0;
    if (!listed && !periodic) return false;
  }
  if (spec.probability) {
    SeededRandom random(seed_ ^
                        MixBits(index * 1'000'003 + static_cast<std::uint64_t>(armed.matched)));
    return random.Chance(*spec.probability);
  }
  return true;
}

std::vector<Strike> FaultPlan::StrikesOn(std::string_view source, std::string_view target,
                                         Duration now) {
  std::vector<Strike> strikes;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < armed_.size(); ++i) {
    auto& armed = armed_[i];
    const auto& spec = armed.spec;
    if (!spec.source.empty() && spec.source != source) continue;
    if (!spec.path.empty() && target.find(spec.path) == std::string_view::npos) continue;
    if ((spec.from && now < *spec.from) || (spec.to && now >= *spec.to)) continue;
    ++armed.matched;
    if (!Decide(armed, i)) continue;
    ++armed.struck;
    strikes.push_back(
        {spec, MixBits(seed_ + i * 7'919 + static_cast<std::uint64_t>(armed.matched))});
  }
  return strikes;
}

}  // namespace patra::sim
