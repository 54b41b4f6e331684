#include "app/send/digest.h"

#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/url.h"

namespace patra::app {
namespace {

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

Value HintOf(const HttpResponse& response, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (const auto* value = response.Header(name)) return *value;
  }
  return {};
}

Value RateOf(const PermitNote& permit) {
  const bool has_waited = permit.reason != domain::WaitReason::kNone;
  return Value::Object{
      {"limitKey", permit.key},
      {"permitCost", permit.cost},
      {"decision", permit.was_rejected ? "REJECT" : (has_waited ? "WAIT" : "ALLOW")},
      {"reason", std::string(Name(permit.reason))},
      {"waitMs", permit.waited / std::chrono::milliseconds(1)}};
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

Value ResponseDigest(const HttpResponse* response, const std::string& body_hash,
                     const std::optional<Error>& failure, const PermitNote& permit,
                     const domain::SpecSnapshot& spec) {
  Value::Object digest{{"rate", RateOf(permit)}};
  if (failure) digest["error"] = failure->Describe();
  if (response == nullptr) return digest;
  digest["status"] = response->status;
  digest["headerHints"] = Value::Object{
      {"retryAfter", HintOf(*response, {"Retry-After"})},
      {"rateLimitRemaining", HintOf(*response, {"X-RateLimit-Remaining", "RateLimit-Remaining",
                                                "X-Rate-Limit-Remaining"})},
      {"rateLimitLimit",
       HintOf(*response, {"X-RateLimit-Limit", "RateLimit-Limit", "X-Rate-Limit-Limit"})},
      {"rateLimitReset",
       HintOf(*response, {"X-RateLimit-Reset", "RateLimit-Reset", "X-Rate-Limit-Reset"})}};
  digest["itemsPath"] = spec.response.items;
  digest["nextTokenPath"] = spec.paging.next ? Value(*spec.paging.next) : Value();
  digest["sample"] = "sha256:" + body_hash;
  return digest;
}

}  // namespace patra::app
