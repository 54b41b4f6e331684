#include "app/send/credentials.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/send/signing.h"
#include "base/base64.h"
#include "base/placement.h"
#include "base/text_scanner.h"
#include "base/value.h"

namespace patra::app {
namespace {

using domain::AuthLocation;
using domain::AuthSpec;
using domain::AuthType;

std::string NameOf(std::string_view reference) {
  return std::string(reference.substr(reference.find(':') + 1));
}

// Nothing where it is not set.
Result<std::optional<std::string>> Find(const std::string& reference, Secrets& secrets) {
  auto secret = secrets.Resolve(reference);
  if (secret) return *std::move(secret);
  if (secret.error().code == ErrorCode::kNotFound) return std::nullopt;
  return std::unexpected(std::move(secret).error());
}

struct Pair {
  std::string name;
  std::string first;
  std::string second;
};

Result<std::optional<Pair>> FindPair(const std::optional<std::string>& first,
                                     const std::optional<std::string>& second, Secrets& secrets) {
  if (!first || !second) return std::nullopt;
  auto a = PATRA_TRY(Find(*first, secrets));
  auto b = PATRA_TRY(Find(*second, secrets));
  if (!a || !b) return std::nullopt;
  return Pair{NameOf(*first), *std::move(a), *std::move(b)};
}

Result<std::vector<Credential>> FindAll(const AuthSpec& auth, Secrets& secrets) {
  std::vector<Credential> found;
  switch (auth.type) {
    case AuthType::kNone:
      break;
    case AuthType::kBasic:
      if (auto pair = PATRA_TRY(FindPair(auth.username, auth.password, secrets)))
        found.push_back({.name = pair->name, .secret = pair->first + ":" + pair->second});
      break;
    case AuthType::kOauth2:
      if (auto pair = PATRA_TRY(FindPair(auth.client_id, auth.client_secret, secrets)))
        found.push_back({.name = pair->name, .secret = pair->second, .client_id = pair->first});
      break;
    case AuthType::kApiKey:
    case AuthType::kBearer:
    case AuthType::kCustom:
      for (const auto& reference : auth.credentials) {
        if (auto secret = PATRA_TRY(Find(reference, secrets)))
          found.push_back({.name = NameOf(reference), .secret = *std::move(secret)});
      }
      break;
  }
  return found;
}

// Of credentials that cannot be read there are none: whoever uses them says what is wrong.
template <typename Condition>
std::vector<std::string> NamesWhere(const AuthSpec& auth, Secrets& secrets,
                                    const Condition& condition) {
  std::vector<std::string> names;
  const auto found = FindAll(auth, secrets);
  if (!found) return names;
  for (const auto& credential : *found) {
    if (condition(credential)) names.push_back(credential.name);
  }
  return names;
}

void LearnAll(const std::vector<Credential>& credentials, const AuthSpec& auth,
              Redactor& redactor) {
  for (const auto& credential : credentials) {
    redactor.Learn(credential.secret);
    if (auth.type != AuthType::kBasic) continue;
    redactor.Learn(Base64(credential.secret));
    redactor.Learn(ConfidentialPart(credential, auth));
  }
}

std::vector<std::string> ReferencesOf(const AuthSpec& auth) {
  auto references = auth.credentials;
  for (const auto& part : {auth.username, auth.password, auth.client_id, auth.client_secret}) {
    if (part) references.push_back(*part);
  }
  return references;
}

// Instead of what stands under that name already, as in a link that the provider made of our request.
void SetParameter(const std::string& name, const std::string& value, Url& url) {
  std::string query;
  const auto encoded = PercentEncode(name);
  for (std::size_t from = 0; from < url.query.size();) {
    const auto end = std::min(url.query.find('&', from), url.query.size());
    const auto pair = std::string_view(url.query).substr(from, end - from);
    const auto key = pair.substr(0, pair.find('='));
    if (key != name && key != encoded) query += (query.empty() ? "" : "&") + std::string(pair);
    from = end + 1;
  }
  url.query = query + (query.empty() ? "" : "&") + encoded + "=" + PercentEncode(value);
}

void SetHeader(const std::string& name, const std::string& value, HttpRequest& request) {
  std::erase_if(request.headers,
                [&](const auto& header) { return EqualIgnoringCase(header.first, name); });
  request.headers.emplace_back(name, value);
}

bool IsForm(const HttpRequest& request) {
  return std::ranges::any_of(request.headers, [](const auto& header) {
    return EqualIgnoringCase(header.first, "Content-Type") &&
           header.second.starts_with("application/x-www-form-urlencoded");
  });
}

// A member of a JSON body, or a field of a form.
Result<void> SetInBody(const std::string& name, const std::string& value, HttpRequest& request) {
  if (IsForm(request)) {
    const std::vector<FormField> field = {{name, value}};
    request.body += (request.body.empty() ? "" : "&") + PATRA_TRY(FormBody(field));
    return {};
  }
  auto body = request.body.empty() ? Result<Value>(Value::Object{}) : ParseJson(request.body);
  if (!body || body->AsObject() == nullptr) {
    return Fail(ErrorCode::kInvalidInput, "a credential cannot be put into this request's body", {},
                "the body has to be a form or a JSON object");
  }
  (*body)[name] = value;
  request.body = PATRA_TRY(JsonBody(*body));
  return {};
}

Error NoneIsSet(const AuthSpec& auth) {
  return {ErrorCode::kRefused,
          "the source requires a credential and none is set",
          {},
          fmt::format("set {}", fmt::join(ReferencesOf(auth), " or "))};
}

}  // namespace

CredentialsSeen LookAtCredentials(const AuthSpec& auth, Secrets& secrets) {
  CredentialsSeen seen;
  if (auth.type == AuthType::kNone) return seen;
  const bool is_any_set = !NamesOfSet(auth, secrets).empty();
  for (const auto& reference : ReferencesOf(auth)) {
    const auto secret = Find(reference, secrets);
    // One that cannot be read says so where it is used.
    if (!secret || *secret) continue;
    seen.notes.push_back(fmt::format(
        "the credential {} is not set: {}", reference,
        is_any_set      ? "requests go out with the others"
        : auth.required ? "the source requires one, and nothing can be asked for without"
                        : "requests go out without one, as anybody's"));
  }
  if (!is_any_set && auth.required) seen.missing = NoneIsSet(auth);
  return seen;
}

Result<std::vector<Credential>> CredentialsOf(const AuthSpec& auth, Secrets& secrets,
                                              Redactor& redactor) {
  auto found = PATRA_TRY(FindAll(auth, secrets));
  if (found.empty() && auth.required) return std::unexpected(NoneIsSet(auth));
  LearnAll(found, auth, redactor);
  if (found.empty()) found.emplace_back();
  return found;
}

std::vector<std::string> NamesOfSet(const AuthSpec& auth, Secrets& secrets) {
  return NamesWhere(auth, secrets, [](const Credential&) { return true; });
}

std::string_view ConfidentialPart(const Credential& credential, const AuthSpec& auth) {
  const std::string_view secret = credential.secret;
  return auth.type == AuthType::kBasic ? secret.substr(secret.find(':') + 1) : secret;
}

std::vector<std::string> ShortCredentials(const AuthSpec& auth, Secrets& secrets) {
  return NamesWhere(auth, secrets, [&](const Credential& credential) {
    return ConfidentialPart(credential, auth).size() < Redactor::kSecretInDataBytesMin;
  });
}

Result<std::optional<std::string>> PutIn(const Credential& credential, const AuthSpec& auth,
                                         Instant now, HttpRequest& request, Url& url) {
  if (credential.is_anonymous()) return std::nullopt;
  if (auth.type == AuthType::kCustom) {
    auto signature =
        PATRA_TRY(Sign(auth.signing_hook.value_or(""), auth, request, url, credential.secret, now));
    for (const auto& [name, value] : signature.headers) SetHeader(name, value, request);
    return std::move(signature.note);
  }
  const bool is_basic = auth.type == AuthType::kBasic;
  const auto name = is_basic || auth.name.empty() ? "Authorization" : auth.name;
  const auto value =
      is_basic ? "Basic " + Base64(credential.secret) : auth.prefix + credential.secret;
  switch (is_basic ? AuthLocation::kHeader : auth.location) {
    case AuthLocation::kHeader:
      SetHeader(name, value, request);
      return fmt::format("{}: {}", name, kRedacted);
    case AuthLocation::kQuery:
      SetParameter(name, value, url);
      return fmt::format("?{}={}", name, kRedacted);
    case AuthLocation::kBody:
      PATRA_TRY(SetInBody(name, value, request));
      return fmt::format("body.{}={}", name, kRedacted);
  }
  return std::nullopt;
}

Result<std::optional<std::string>> ResolveText(const std::string& text, Secrets& secrets) {
  const bool is_reference = text.starts_with("${env:") || text.starts_with("${file:") ||
                            text.starts_with("env:") || text.starts_with("file:");
  if (!is_reference) return text.empty() ? std::nullopt : std::optional(text);
  return Find(text, secrets);
}

}  // namespace patra::app
