// OAuth 2 access tokens, in memory only: fetched when first needed, renewed before they end, and fetched by
// one thread while the others wait.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct AccessToken {
  std::string text;
  std::optional<Duration> lifetime;  // absent: until it is refused
};

// The answer of a token endpoint (RFC 6749 §5.1).
Result<AccessToken> ReadAccessToken(std::string_view body);

// Thread-safe.
class AccessTokens {
 public:
  // Nothing where it could not be had for a reason that is not an error.
  using Fetch = std::function<Result<std::optional<AccessToken>>()>;

  explicit AccessTokens(const Clock& clock) : clock_(clock) {}

  Result<std::optional<std::string>> Get(const domain::AuthSpec& auth, const std::string& client_id,
                                         const Fetch& fetch);

  // It was refused: the next Get fetches another, unless somebody else has done so already.
  void Drop(const domain::AuthSpec& auth, const std::string& client_id, std::string_view token);

 private:
  struct Entry {
    std::mutex mutex;
    std::optional<AccessToken> token;
    Duration renew_at{};  // on the clock's Elapsed
  };

  std::shared_ptr<Entry> EntryOf(const domain::AuthSpec& auth, const std::string& client_id);

  const Clock& clock_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;  // as many as sources have clients
};

}  // namespace patra::app
