// As whom a request goes: the credentials of a source that are set, and how one is put into a request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/secrets.h"
#include "app/port/transport.h"
#include "app/send/redaction.h"
#include "base/result.h"
#include "base/url.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// The gate's name for requests without a credential.
inline constexpr std::string_view kAnonymous = "anonymous";

struct Credential {
  std::string name{kAnonymous};  // of the reference; the gate counts by it
  std::string secret{};          // of OAUTH2 the client's, until there is a token
  std::string client_id{};       // OAUTH2

  bool is_anonymous() const { return name == kAnonymous; }
};

// Those that are set, looked up now, and learned by the redactor. A source whose credentials are optional
// and not set is asked anonymously; one that requires them is an error (kRefused: a person must act).
Result<std::vector<Credential>> CredentialsOf(const domain::AuthSpec& auth, Secrets& secrets,
                                              Redactor& redactor);

// The names of those that are set.
std::vector<std::string> NamesOfSet(const domain::AuthSpec& auth, Secrets& secrets);

// What is known of a source's credentials before anything is sent.
struct CredentialsSeen {
  std::optional<Error> missing{};    // the source requires one, and none is set
  std::vector<std::string> notes{};  // references that have no value, and what follows, for people
};
CredentialsSeen LookAtCredentials(const domain::AuthSpec& auth, Secrets& secrets);

// What of it nobody may know: of BASIC the password.
std::string_view ConfidentialPart(const Credential& credential, const domain::AuthSpec& auth);

// The names of those that are set and too short to be kept out of data (Redactor::kSecretInDataBytesMin).
std::vector<std::string> ShortCredentials(const domain::AuthSpec& auth, Secrets& secrets);

// Into header, query or body, where `auth` says. What a digest may say about it is the result, and nothing
// for anonymous requests.
Result<std::optional<std::string>> PutIn(const Credential& credential, const domain::AuthSpec& auth,
                                         Instant now, HttpRequest& request, Url& url);

// A text that may be a reference: what it refers to, or nothing where that is not set.
Result<std::optional<std::string>> ResolveText(const std::string& text, Secrets& secrets);

}  // namespace patra::app
