// Tokens that let programs in. Only a hash of each is kept; the token itself is shown once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/id.h"

namespace patra::app {

struct ApiToken {
  Id id = 0;
  std::string name;
  std::string hash;  // SHA-256 of the token, in hex
  std::vector<std::string> scopes;
  Instant created_at{};
  std::optional<Instant> expires_at{};
  std::optional<Instant> last_used_at{};
};

class ApiTokenRepository {
 public:
  virtual ~ApiTokenRepository() = default;

  // A name is given once among the tokens that are not revoked. Audited, as is its end.
  virtual Result<void> Add(const ApiToken& token, const Decision& decision) = 0;
  virtual Result<void> Revoke(const std::string& name, const Decision& decision) = 0;
  // Nothing where it is unknown, revoked or expired. Remembers the use, to the minute.
  virtual Result<std::optional<ApiToken>> Use(const std::string& hash) = 0;
  virtual Result<std::vector<ApiToken>> List() = 0;  // not revoked, by name
};

}  // namespace patra::app
