// A request for people who want to see it, or to send it themselves.
#pragma once

#include <string>

#include "app/port/transport.h"

namespace patra::app {

// `rendered` is the request without its credential, `digest` what the sender noted of what went out. The result has the
// headers that went out, and the mask where the credential was.
// REQUIRES: no text of `rendered` holds a secret
HttpRequest WithMask(const HttpRequest& rendered, const std::string& digest);

}  // namespace patra::app
