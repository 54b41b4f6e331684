// How a send comes by an access token: the requests that it takes count as its own.
#include <utility>

#include <fmt/format.h>

#include "app/send/send_request.h"
#include "base/base64.h"
#include "base/placement.h"

namespace patra::app {
namespace {

constexpr std::size_t kTokenAnswerBytesMax = 64u << 10;

// Some token endpoints take the client's secret by Basic authentication, which the standard asks of all of
// them, others only as part of the form.
enum class ClientProof { kBasic, kForm };

Result<HttpRequest> TokenRequest(const domain::AuthSpec& auth, const Credential& client,
                                 ClientProof proof) {
  std::vector<FormField> form = {{"grant_type", "client_credentials"}};
  if (auth.scope) form.emplace_back("scope", *auth.scope);
  if (auth.audience) form.emplace_back("audience", *auth.audience);
  HttpRequest request{.method = "POST",
                      .url = *auth.token_url,
                      .headers = {{"Accept", "application/json"},
                                  {"Content-Type", "application/x-www-form-urlencoded"}}};
  if (proof == ClientProof::kBasic) {
    const auto both = PercentEncode(client.client_id) + ":" + PercentEncode(client.secret);
    request.headers.emplace_back("Authorization", "Basic " + Base64(both));
  } else {
    form.emplace_back("client_id", client.client_id);
    form.emplace_back("client_secret", client.secret);
  }
  request.body = PATRA_TRY(FormBody(form));
  return request;
}

}  // namespace

// The client with its token for a secret. Nothing where there is none; sent_ says why.
Result<std::optional<Credential>> SendRequest::WithToken(const Credential& client,
                                                         const HttpRequest& plain) {
  const auto token = PATRA_TRY(tokens_.Get(outgoing_.spec().auth, client.client_id,
                                           [&] { return FetchToken(client, plain); }));
  if (!token) return std::nullopt;
  ports_.redactor.Learn(*token);
  return Credential{.name = client.name, .secret = *token};
}

Result<std::optional<AccessToken>> SendRequest::FetchToken(const Credential& client,
                                                           const HttpRequest& plain) {
  const auto url = PATRA_TRY(ParseUrl(outgoing_.spec().auth.token_url.value_or("")));
  if (!url.is_secure() && reach_->is_secure())
    return Fail(ErrorCode::kInvalidInput, "auth.token_url has to be https, as http.base_url is");
  int status = 0;
  for (const auto proof : {ClientProof::kBasic, ClientProof::kForm}) {
    auto request = PATRA_TRY(TokenRequest(outgoing_.spec().auth, client, proof));
    request.way = plain.way;
    request.way.body_bytes_max = kTokenAnswerBytesMax;
    for (const auto& [name, value] : request.headers) {
      if (name == "Authorization") ports_.redactor.Learn(value.substr(value.find(' ') + 1));
    }
    if (!PATRA_TRY(Exchange(std::move(request)))) return std::nullopt;
    status = sent_.response->status;
    const auto body = std::exchange(sent_.response->body, {});
    PATRA_TRY(PassOn());
    if (status == 200) {
      auto token = ReadAccessToken(body);
      if (token) return *std::move(token);
      FailWith(std::move(token).error());
      return std::nullopt;
    }
    if (status != 400 && status != 401 && status != 403) {
      FailWith(Fail(ErrorCode::kUnavailable, fmt::format("the token endpoint answers {}", status))
                   .error());
      return std::nullopt;
    }
  }
  PATRA_TRY(TakeOut(ports_, sent_.target, sent_.rules, sent_.lineage, status));
  FailWith(
      Fail(ErrorCode::kRefused,
           fmt::format("the token endpoint refuses the client {}: HTTP {}", client.name, status),
           {}, "put client_id and client_secret right")
          .error());
  return std::nullopt;
}

}  // namespace patra::app
