#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::infra::redis {

// "redis://HOST[:PORT][/DATABASE]".
struct RedisAddress {
  std::string host;
  int port = 6379;
  int database = 0;

  // Refuses passwords, which would be shown wherever the address is, and TLS, which the client library cannot do.
  static Result<RedisAddress> Parse(std::string_view text);

  std::string Text() const;

  friend bool operator==(const RedisAddress&, const RedisAddress&) = default;
};

}  // namespace patra::infra::redis
