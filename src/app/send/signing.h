// Signatures that some providers want instead of a key (auth type CUSTOM): by name, because how to sign is
// code and a definition is not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/port/transport.h"
#include "base/result.h"
#include "base/time.h"
#include "base/url.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct Signature {
  HttpHeaders headers;
  std::string note;  // for the digest: what was signed how, without the secret or the signature
};

// kNotFound for a hook that nobody wrote. There are
//
//   hmac-sha256   the header `auth.name` (Authorization by default) is `auth.prefix` and the hex digits of
//                 HMAC-SHA-256 over method, path, query and date, a line feed between them; the date goes
//                 out as the header Date
Result<Signature> Sign(std::string_view hook, const domain::AuthSpec& auth,
                       const HttpRequest& request, const Url& url, std::string_view secret,
                       Instant now);

std::vector<std::string_view> SigningHooks();

}  // namespace patra::app
