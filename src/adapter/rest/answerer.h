// What stands behind a server's socket.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/rest/http_message.h"

namespace patra::adapter::rest {

// Used by several threads at once.
class Answerer {
 public:
  virtual ~Answerer() = default;

  virtual HttpAnswer Answer(const HttpRequest& request) = 0;
  // What can be said before a body is read: that it is too large, or that nobody may send one.
  virtual std::optional<HttpAnswer> RefuseEarly(const HttpRequest& request) const = 0;
  // Ends what goes on until somebody hangs up.
  virtual void StopFeeds() {}
};

// What probes are told: GET /healthz, and GET /readyz, which is well where there are no reasons.
inline constexpr std::string_view kAlivePath = "/healthz";
inline constexpr std::string_view kReadyPath = "/readyz";
HttpAnswer AliveAnswer();
HttpAnswer ReadyAnswer(const std::vector<std::string>& reasons);

// Headers that every answer has.
void AddUsualHeaders(HttpAnswer& answer, bool is_secure);

}  // namespace patra::adapter::rest
