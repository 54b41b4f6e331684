#include "app/send/signing.h"

#include <array>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/hash.h"
#include "base/http_date.h"

namespace patra::app {
namespace {

struct Material {
  const domain::AuthSpec& auth;
  const HttpRequest& request;
  const Url& url;
  std::string_view secret;
  Instant now;
};

Signature SignByHmac(const Material& material) {
  const auto date = FormatHttpDate(material.now);
  const auto input = fmt::format("{}\n{}\n{}\n{}", material.request.method, material.url.path,
                                 material.url.query, date);
  const auto name = material.auth.name.empty() ? "Authorization" : material.auth.name;
  return {.headers = {{"Date", date},
                      {name, material.auth.prefix + HmacSha256Hex(material.secret, input)}},
          .note = fmt::format("{}: hmac-sha256 over sha256:{}", name, Sha256Hex(input))};
}

struct Hook {
  std::string_view name;
  Signature (*sign)(const Material&);
};
constexpr auto kHooks = std::to_array<Hook>({{"hmac-sha256", SignByHmac}});

}  // namespace

Result<Signature> Sign(std::string_view hook, const domain::AuthSpec& auth,
                       const HttpRequest& request, const Url& url, std::string_view secret,
                       Instant now) {
  for (const auto& known : kHooks) {
    if (known.name == hook) return known.sign({auth, request, url, secret, now});
  }
  return Fail(ErrorCode::kNotFound, fmt::format("there is no signing hook '{}'", hook), {},
              DidYouMean(hook, SigningHooks(), "there is hmac-sha256"));
}

std::vector<std::string_view> SigningHooks() {
  std::vector<std::string_view> names;
  for (const auto& hook : kHooks) names.push_back(hook.name);
  return names;
}

}  // namespace patra::app
