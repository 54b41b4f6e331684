// Tokens, by which programs come in over a network.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/word/access.h"
#include "domain/word/actor.h"

namespace patra::app {

struct TokenRequest {
  std::string name{};
  domain::Access access = domain::Access::kViewer;
  std::optional<std::string> lasts{};  // a length, such as 90d; none: until it is revoked
  std::string reason{};
};

struct CreatedToken {
  std::string token;  // is told this once, and kept nowhere
  std::optional<Instant> expires_at{};
};

struct TokenReport {
  std::string name;
  domain::Access access = domain::Access::kViewer;
  Instant created_at;
  std::optional<Instant> expires_at{};
  std::optional<Instant> last_used_at{};
};

struct TokenHolder {
  std::string name;
  domain::Access access = domain::Access::kViewer;
};

class Tokens {
 public:
  virtual ~Tokens() = default;

  virtual Result<CreatedToken> Create(const TokenRequest& request, const domain::Actor& actor) = 0;
  virtual Result<std::vector<TokenReport>> List() = 0;  // by name; also those that have expired
  virtual Result<void> Revoke(const std::string& name, const std::string& reason,
                              const domain::Actor& actor) = 0;
  // Nobody where the token is unknown, revoked or expired.
  virtual Result<std::optional<TokenHolder>> HolderOf(std::string_view token) = 0;
};

}  // namespace patra::app
