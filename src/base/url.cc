#include "base/url.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <vector>

#include <curl/curl.h>
#include <fmt/format.h>

#include "base/text_scanner.h"

namespace patra {
namespace {

struct FreeHandle {
  void operator()(CURLU* handle) const { curl_url_cleanup(handle); }
};
using Handle = std::unique_ptr<CURLU, FreeHandle>;

std::unexpected<Error> Wrong(std::string what, std::string hint = {}) {
  return Fail(ErrorCode::kInvalidInput, "this web address " + std::move(what), {}, std::move(hint));
}

Result<void> CheckCharacters(std::string_view text) {
  if (text.size() > kUrlBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a web address is longer than {} bytes", kUrlBytesMax));
  }
  const auto bad = std::ranges::find_if(text, [](char c) { return c <= 0x20 || c >= 0x7F; });
  if (bad == text.end()) return {};
  auto wrong =
      Wrong("has a blank, a control character or a letter outside ASCII", "percent-encode it");
  wrong.error().place = TextScanner::PlaceAt(static_cast<std::size_t>(bad - text.begin()));
  return wrong;
}

// A name or an IPv4 address, or an IPv6 address in brackets. curl decodes %XX in hosts, to anything.
bool IsHost(std::string_view host) {
  const bool is_ipv6 = host.starts_with('[') && host.ends_with(']');
  const std::string_view marks = is_ipv6 ? "[]:." : "-._";
  return !host.empty() && std::ranges::all_of(host, [&](char c) {
    return IsLetter(c) || IsDigit(c) || marks.find(c) != std::string_view::npos;
  });
}

std::string Part(CURLU* handle, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(handle, part, &text, flags) != CURLUE_OK) return {};
  const std::unique_ptr<char, void (*)(void*)> owner(text, curl_free);
  return text;
}

// As a whole or relative to what the handle holds already.
Result<Url> Take(CURLU* handle, std::string_view text) {
  PATRA_TRY(CheckCharacters(text));
  // A backslash is a slash to some parsers and not to others.
  if (text.find('\\') != std::string_view::npos) return Wrong("has a backslash in it");
  const auto scheme_end = std::min(text.find("://"), text.size());
  if (text.substr(scheme_end).starts_with(":///")) return Wrong("has no host");
  const auto code =
      curl_url_set(handle, CURLUPART_URL, std::string(text).c_str(), CURLU_NON_SUPPORT_SCHEME);
  if (code != CURLUE_OK) return Wrong(fmt::format("cannot be read: {}", curl_url_strerror(code)));
  Url url{.scheme = Part(handle, CURLUPART_SCHEME),
          .host = Part(handle, CURLUPART_HOST),
          .path = Part(handle, CURLUPART_PATH),
          .query = Part(handle, CURLUPART_QUERY)};
  if (url.scheme != "http" && url.scheme != "https") return Wrong("is neither http nor https");
  if (!Part(handle, CURLUPART_USER).empty() || !Part(handle, CURLUPART_PASSWORD).empty())
    return Wrong("has a user or password in it", "declare credentials under `auth`");
  const bool has_zone = !Part(handle, CURLUPART_ZONEID).empty();
  if (!IsHost(url.host) || has_zone) return Wrong("has no valid host");
  std::ranges::transform(url.host, url.host.begin(), ToLower);
  const auto port = Part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);
  std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (url.port < 1 || url.port > 65'535) return Wrong("has no valid port");
  return url;
}

// Without "." and "..", by §5.2.4 of RFC 3986. REQUIRES: the path begins with a slash
std::string WithoutDots(std::string_view path) {
  std::vector<std::string_view> kept;
  bool is_open = false;  // the last segment stands for a folder
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size());
    is_open = segment == "." || segment == "..";
    if (segment == ".." && !kept.empty()) kept.pop_back();
    if (!is_open) kept.push_back(segment);
  }
  std::string clean;
  for (const auto segment : kept) clean += fmt::format("/{}", segment);
  if (is_open || kept.empty()) clean += '/';
  return clean;
}

}  // namespace

std::string Url::Origin() const {
  const bool is_usual = port == (is_secure() ? 443 : 80);
  return is_usual ? fmt::format("{}://{}", scheme, host)
                  : fmt::format("{}://{}:{}", scheme, host, port);
}

std::string Url::WithoutQuery() const { return Origin() + path; }

std::string Url::Text() const {
  return query.empty() ? WithoutQuery() : WithoutQuery() + "?" + query;
}

Result<Url> ParseUrl(std::string_view text) {
  const Handle handle(curl_url());
  if (text.find("://") == std::string_view::npos) return Wrong("has no http:// or https://");
  return Take(handle.get(), text);
}

bool HasScheme(std::string_view reference) {
  const auto end = reference.find_first_of(":/?#");
  if (end == 0 || end == std::string_view::npos || reference[end] != ':') return false;
  return IsLetter(reference.front()) && std::ranges::all_of(reference.substr(0, end), [](char c) {
           return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.';
         });
}

// Libraries differ about references, and libcurl from release to release: this is the algorithm of §5.2.2. What comes out is
// taken apart like any other address.
Result<Url> ResolveUrl(const Url& base, std::string_view reference) {
  PATRA_TRY(CheckCharacters(reference));
  if (HasScheme(reference)) return ParseUrl(reference);
  if (reference.starts_with("//")) return ParseUrl(fmt::format("{}:{}", base.scheme, reference));
  reference = reference.substr(0, reference.find('#'));
  const auto mark = reference.find('?');
  const auto path = reference.substr(0, mark);
  const bool has_query = mark != std::string_view::npos;
  auto target = base.Origin();
  if (path.empty()) {
    target += base.path;
  } else if (path.starts_with('/')) {
    target += WithoutDots(path);
  } else {
    target += WithoutDots(base.path.substr(0, base.path.rfind('/') + 1) + std::string(path));
  }
  if (has_query) {
    target += reference.substr(mark);
  } else if (path.empty() && !base.query.empty()) {
    target += "?" + base.query;
  }
  return ParseUrl(target);
}

}  // namespace patra
