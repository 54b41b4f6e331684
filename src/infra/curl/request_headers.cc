#include "infra/curl/request_headers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/placement.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "infra/curl/body_decoder.h"

namespace patra::infra::curl {
namespace {

constexpr std::size_t kRequestHeadersMax = 100;

// Headers that say how the message is framed or routed are the transport's own.
bool IsOurs(std::string_view name) {
  constexpr auto kOurs = std::to_array<std::string_view>(
      {"host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
       "upgrade", "expect", "accept-encoding", "proxy-authorization", "proxy-connection"});
  return std::ranges::any_of(kOurs, [&](auto ours) { return EqualIgnoringCase(name, ours); });
}

}  // namespace

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return IsLetter(c) || IsDigit(c) || kMarks.find(c) != std::string_view::npos;
  });
}

Result<void> AddHeaders(const app::HttpRequest& request, HeaderList& list) {
  if (request.headers.size() > kRequestHeadersMax)
    return Fail(ErrorCode::kLimit, "the request has too many headers");
  for (const auto& [name, value] : request.headers) {
    if (!IsToken(name) || IsOurs(name)) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("{} cannot be a request's header", Quote(name)));
    }
    auto checked = HeaderValue(value);
    if (!checked) return std::unexpected(std::move(checked).error().While("header " + name));
    // "Name:" would remove a header of curl's own, "Name;" sends it empty.
    list.Add(checked->empty() ? name + ";" : name + ": " + *checked);
  }
  list.Add("Expect:");
  if (request.way.compression) list.Add(fmt::format("Accept-Encoding: {}", kAcceptedEncodings));
  return {};
}

}  // namespace patra::infra::curl
