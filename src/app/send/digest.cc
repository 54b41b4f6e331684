#include "app/send/digest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/plain_text.h"
#include "base/url.h"
#include "base/utf8.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

constexpr std::size_t kHeadersMax = 40;
constexpr std::size_t kHeaderBytesMax = 200;

std::string HashOf(std::string_view bytes) { return "sha256:" + Sha256Hex(bytes); }

// A name that comes twice has a list of values.
void AddParameter(std::string_view name, Value value, Value::Object& query) {
  auto& slot = query[std::string(name)];
  if (slot.is_null()) {
    slot = std::move(value);
  } else if (auto* list = slot.AsArray()) {
    list->push_back(std::move(value));
  } else {
    slot = Value::Array{std::move(slot), std::move(value)};
  }
}

Value::Object QueryOf(std::string_view query, const Redactor& redactor) {
  Value::Object parameters;
  for (std::size_t from = 0; from < query.size();) {
    const auto end = std::min(query.find('&', from), query.size());
    const auto pair = query.substr(from, end - from);
    const auto equals = std::min(pair.find('='), pair.size());
    const auto name = pair.substr(0, equals);
    const auto value = pair.substr(std::min(equals + 1, pair.size()));
    AddParameter(name, IsSecretName(name) ? std::string(kRedacted) : redactor.RedactUnmarked(value),
                 parameters);
    from = end + 1;
  }
  return parameters;
}

// What a provider writes names nobody's next step, wherever it is shown.
std::string WithoutMarks(std::string text) {
  constexpr std::string_view kSpelled = "\\u2039";
  for (auto at = text.find(domain::kStepOpens); at != std::string::npos;
       at = text.find(domain::kStepOpens, at + kSpelled.size()))
    text.replace(at, domain::kStepOpens.size(), kSpelled);
  return text;
}

// What is looked at, so that no secret and nobody's address is shown in part: one that the end of `looked_at` cuts is not
// recognised, and stands where nothing is shown of it.
std::string ShownOf(std::string_view text, std::size_t bytes_max, const Redactor& redactor) {
  constexpr std::size_t kCutBytesMax = 320;  // as long as an address may be
  const auto looked_at = text.substr(0, 4 * bytes_max + kCutBytesMax);
  auto shown = WithoutMarks(Spelled(redactor.Redact(looked_at)));
  if (looked_at.size() < text.size())
    shown = BeginningOf(shown, shown.size() - std::min(shown.size(), kCutBytesMax));
  return BeginningOf(shown, bytes_max);
}

Value HintOf(const HttpResponse& response, std::initializer_list<std::string_view> names,
             const Redactor& redactor) {
  for (const auto name : names) {
    if (const auto* value = response.Header(name))
      return ShownOf(*value, kHeaderBytesMax, redactor);
  }
  return {};
}

std::string DecisionOf(const PermitNote& permit) {
  if (permit.was_rejected) return "REJECT";
  return permit.reason == domain::WaitReason::kNone ? "ALLOW" : "WAIT";
}

}  // namespace

Value RequestDigest(const HttpRequest& request, const std::optional<std::string>& credential_note,
                    const Redactor& redactor) {
  Value::Object digest{{"method", request.method}};
  const auto url = ParseUrl(request.url);
  if (url) {
    digest["urlTemplate"] = redactor.RedactUnmarked(url->WithoutQuery());
    digest["query"] = QueryOf(url->query, redactor);
  }
  Value::Array headers;
  for (const auto& [name, value] : request.headers) {
    headers.emplace_back(redactor.RedactUnmarked(
        fmt::format("{}: {}", name, IsSecretName(name) ? kRedacted : std::string_view(value))));
  }
  if (credential_note) headers.emplace_back(*credential_note);
  digest["headers"] = std::move(headers);
  if (!request.body.empty()) digest["bodyHash"] = HashOf(request.body);
  return digest;
}

Value::Object ResponseDigest(const HttpResponse* response, const std::string& body_hash,
                             const std::optional<Error>& failure, const PermitNote& permit,
                             const domain::SpecSnapshot& spec, const Redactor& redactor) {
  Value::Object digest{{"rate", RateDigest(permit)}};
  if (failure) digest["error"] = Spelled(failure->Describe());
  if (response == nullptr) return digest;
  digest["status"] = response->status;
  digest["headerHints"] = Value::Object{
      {"retryAfter", HintOf(*response, {"Retry-After"}, redactor)},
      {"rateLimitRemaining",
       HintOf(*response, {"X-RateLimit-Remaining", "RateLimit-Remaining", "X-Rate-Limit-Remaining"},
              redactor)},
      {"rateLimitLimit",
       HintOf(*response, {"X-RateLimit-Limit", "RateLimit-Limit", "X-Rate-Limit-Limit"}, redactor)},
      {"rateLimitReset",
       HintOf(*response, {"X-RateLimit-Reset", "RateLimit-Reset", "X-Rate-Limit-Reset"},
              redactor)}};
  digest["itemsPath"] = spec.response.items;
  digest["nextTokenPath"] = spec.paging.next ? Value(*spec.paging.next) : Value();
  digest["sample"] = "sha256:" + body_hash;
  return digest;
}

Value RateDigest(const PermitNote& permit) {
  const auto& gate = permit.gate;
  Value::Object rate{{"limitKey", permit.key},
                     {"permitCost", permit.cost},
                     {"decision", DecisionOf(permit)},
                     {"reason", Name(permit.reason)},
                     {"waitMs", permit.waited / std::chrono::milliseconds(1)}};
  if (gate.per_second > 0) {
    rate["r"] = std::round(gate.per_second * 1000) / 1000;
    rate["burst"] = gate.burst;
  }
  constexpr std::int64_t kWhole = 1'000'000;
  if (gate.share < kWhole) rate["share"] = static_cast<double>(gate.share) / kWhole;
  if (gate.cools_for > Duration::zero())
    rate["cooldownUntil"] = FormatRfc3339(permit.read_at + gate.cools_for);
  if (gate.shut_for > Duration::zero())
    rate["circuitOpenUntil"] = FormatRfc3339(permit.read_at + gate.shut_for);
  return rate;
}

Value QuotaDigest(const domain::GateSignal& told, Instant received_at) {
  if (!told.remaining && !told.limit && !told.reset_in) return {};
  Value::Object quota;
  if (told.remaining) quota["remaining"] = *told.remaining;
  if (told.limit) quota["limit"] = *told.limit;
  if (told.reset_in) quota["windowReset"] = FormatRfc3339(received_at + *told.reset_in);
  return quota;
}

Value HeadersDigest(const HttpHeaders& headers, const Redactor& redactor) {
  Value::Array kept;
  for (const auto& [name, value] : headers) {
    if (kept.size() == kHeadersMax) break;
    const auto shown =
        IsSecretName(name) ? std::string(kRedacted) : ShownOf(value, kHeaderBytesMax, redactor);
    kept.emplace_back(fmt::format("{}: {}", ShownOf(name, kHeaderBytesMax, redactor), shown));
  }
  return kept;
}

std::string FirstBytes(std::string_view body, const Redactor& redactor) {
  return ShownOf(body, kFirstBytesMax, redactor);
}

}  // namespace patra::app
