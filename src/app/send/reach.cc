#include "app/send/reach.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text_scanner.h"

namespace patra::app {

Result<Reach> Reach::Of(const domain::HttpSpec& http) {
  auto home = ParseUrl(http.base_url);
  if (!home) return std::unexpected(std::move(home).error().While("http.base_url"));
  return Reach(*std::move(home), http.hosts);
}

bool Reach::IsListed(const Url& url) const {
  const auto with_port = fmt::format("{}:{}", url.host, url.port);
  const bool is_usual_port = url.port == (url.is_secure() ? 443 : 80);
  return std::ranges::any_of(hosts_, [&](const std::string& host) {
    return EqualIgnoringCase(host, with_port) ||
           (is_usual_port && EqualIgnoringCase(host, url.host));
  });
}

Result<void> Reach::Check(const Url& url) const {
  if (home_.is_secure() && !url.is_secure()) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("an address leads from https to http on {}", Quote(url.host)));
  }
  // The same host over TLS is what plain sources are moved to.
  const bool is_upgrade = url.host == home_.host && url.is_secure() && url.port == 443;
  if (IsHome(url) || is_upgrade || IsListed(url)) return {};
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("an address leads to {}, which is no host of this source",
                          Quote(fmt::format("{}:{}", url.host, url.port))),
              {}, "if it is one, list it under http.hosts");
}

}  // namespace patra::app
