#include "adapter/rest/door.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "adapter/rest/problem.h"
#include "base/hash.h"

namespace patra::adapter::rest {
namespace {

constexpr std::string_view kScheme = "bearer ";
constexpr auto kLoopbackNames = std::to_array<std::string_view>({"localhost", "127.0.0.1", "::1"});
constexpr std::string_view kLocalName = "local";
constexpr std::size_t kFamiliarMax = 1'000;
// Who sends one of these stands between us and somebody else, who may be anywhere.
constexpr auto kProxyHeaders =
    std::to_array<const char*>({"forwarded", "via", "x-forwarded-for", "x-forwarded-host",
                                "x-forwarded-proto", "x-forwarded-server", "x-forwarded-port",
                                "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"});

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

HttpAnswer Unknown(const std::string& why, const char* challenge) {
  auto answer =
      ProblemWith(401, {ErrorCode::kRefused, why, {}, "send Authorization: Bearer patra_…"});
  answer.headers.emplace_back("WWW-Authenticate", challenge);
  return answer;
}

HttpAnswer Forbidden(const std::string& why, const std::string& hint) {
  return ProblemWith(403, {ErrorCode::kRefused, why, {}, hint});
}

HttpAnswer Ambiguous(std::string_view header) {
  return ProblemOf(
      {ErrorCode::kInvalidInput, fmt::format("there has to be one {} header", header)});
}

bool IsGivenOnce(const HttpRequest& request, std::string_view name) {
  return std::ranges::count(request.headers, name, &std::pair<std::string, std::string>::first) ==
         1;
}

std::chrono::seconds UpToSeconds(Duration wait) {
  return std::chrono::ceil<std::chrono::seconds>(wait);
}

}  // namespace

std::string HostIn(std::string_view authority) {
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    return end == std::string_view::npos ? "" : Lower(authority.substr(1, end - 1));
  }
  return Lower(authority.substr(0, authority.find(':')));
}

Door::Door(DoorRules rules, app::Tokens& tokens, const Clock& clock)
    : rules_(std::move(rules)),
      tokens_(tokens),
      callers_(clock, rules_.rate),
      failures_(clock, rules_.failures) {}

std::expected<Caller, HttpAnswer> Door::Admit(const HttpRequest& request,
                                              const std::string& authority) {
  if (authority.empty() && !IsGivenOnce(request, "host")) return std::unexpected(Ambiguous("Host"));
  const auto host = authority.empty() ? std::string(request.Header("host")) : authority;
  if (!Welcomes(request, host)) {
    return std::unexpected(
        Forbidden(fmt::format("pages of {} may not ask here", request.Header("origin")),
                  "the server's settings name the origins whose pages may"));
  }
  auto caller =
      request.HasHeader("authorization") ? AdmitToken(request) : AdmitLocal(request, host);
  if (!caller) return caller;
  auto too_soon = caller->name == kLocalName ? Pace(request) : Pace("by " + caller->name);
  if (too_soon) return std::unexpected(*std::move(too_soon));
  return caller;
}

bool Door::IsNamedOrigin(std::string_view origin) const {
  return std::ranges::find(rules_.origins, origin) != rules_.origins.end();
}

bool Door::Welcomes(const HttpRequest& request, const std::string& host) const {
  if (!request.HasHeader("origin")) return true;
  if (!IsGivenOnce(request, "origin")) return false;
  const auto origin = request.Header("origin");
  if (IsNamedOrigin(origin)) return true;
  const auto scheme_end = origin.find("://");
  return scheme_end != std::string_view::npos &&
         Lower(origin.substr(scheme_end + 3)) == Lower(host);
}

std::optional<HttpAnswer> Door::Pace(const HttpRequest& request) {
  return Pace("at " + request.peer);
}

std::optional<HttpAnswer> Door::Pace(const std::string& caller) {
  if (const auto wait = callers_.Take(caller))
    return TooSoon(UpToSeconds(*wait), "this caller asks too often");
  return std::nullopt;
}

std::expected<Caller, HttpAnswer> Door::AdmitToken(const HttpRequest& request) {
  if (!IsGivenOnce(request, "authorization")) return std::unexpected(Ambiguous("Authorization"));
  auto given = request.Header("authorization");
  const auto digest = Sha256Hex(given);
  // Whoever tries tokens is slowed down before the store is asked. Others at that address, behind the same proxy perhaps, are
  // not: their tokens let them in before.
  if (!IsFamiliar(digest)) {
    if (const auto wait = failures_.Look(request.peer))
      return std::unexpected(TooSoon(UpToSeconds(*wait), "too many tokens that nobody has"));
  }
  const bool is_bearer = Lower(given.substr(0, kScheme.size())) == kScheme;
  if (is_bearer) given.remove_prefix(kScheme.size());
  const auto holder =
      is_bearer ? tokens_.HolderOf(given) : Result<std::optional<app::TokenHolder>>(std::nullopt);
  if (!holder) return std::unexpected(ProblemOf(holder.error()));
  if (!*holder) {
    failures_.Take(request.peer);
    return std::unexpected(Unknown("nobody has this token, or it was revoked or has expired",
                                   "Bearer error=\"invalid_token\""));
  }
  Remember(digest);
  return Caller{.name = (*holder)->name, .access = (*holder)->access};
}

bool Door::IsFamiliar(const std::string& digest) {
  const std::lock_guard lock(mutex_);
  return familiar_.contains(digest);
}

void Door::Remember(const std::string& digest) {
  const std::lock_guard lock(mutex_);
  if (familiar_.size() >= kFamiliarMax) familiar_.clear();
  familiar_.insert(digest);
}

// A page that a browser on this machine shows may ask for any address, so the name that it asked for has to be ours: else a
// foreign name that leads here would do.
std::expected<Caller, HttpAnswer> Door::AdmitLocal(const HttpRequest& request,
                                                   const std::string& authority) const {
  const bool is_passed_on =
      std::ranges::any_of(kProxyHeaders, [&](const char* name) { return request.HasHeader(name); });
  if (!rules_.is_on_loopback || !request.is_from_loopback || is_passed_on)
    return std::unexpected(Unknown("whoever asks over a network needs a token", "Bearer"));
  const auto host = HostIn(authority);
  const bool is_known = std::ranges::find(kLoopbackNames, host) != kLoopbackNames.end() ||
                        std::ranges::find(rules_.hosts, host) != rules_.hosts.end();
  if (!is_known) {
    return std::unexpected(Forbidden("this server does not go by the name in Host",
                                     "use localhost, or name the host in its settings"));
  }
  if (request.Header("sec-fetch-site") == "cross-site" &&
      !IsNamedOrigin(request.Header("origin"))) {
    return std::unexpected(
        Forbidden("pages of other sites may not ask here", "open the address itself"));
  }
  return Caller{.name = std::string(kLocalName), .access = domain::Access::kAdmin};
}

}  // namespace patra::adapter::rest
