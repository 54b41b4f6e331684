// The way to a provider. One request on the wire per call: whoever calls has a permit for it (I9).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::vector<std::pair<std::string, std::string>> headers{};  // as sent, in their order
  std::string body;
  Instant received_at;
  Duration latency{};

  // The first header of that name, whatever its case.
  const std::string* Header(std::string_view name) const;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Any complete response is a success, whatever its status. An error is a response that did not
  // come, or not as a whole.
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;
};

}  // namespace patra::app
