// The way to a provider. One request on the wire per call: whoever calls has a permit for it (I9).
// Redirects are answers like any other.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/page/page_answer.h"

namespace patra::app {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// How a request travels, apart from what it says.
struct HttpWay {
  Duration connect_timeout = std::chrono::seconds(10);
  Duration read_timeout = std::chrono::seconds(30);  // without a single byte
  Duration total_timeout = std::chrono::seconds(60);
  std::string proxy{};  // its address, with user and password where it wants them; empty: none
  bool compression = true;
  std::size_t body_bytes_max = std::size_t{64} << 20;  // unpacked
  std::size_t header_bytes_max = std::size_t{256} << 10;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  HttpHeaders headers;
  std::string body;
  HttpWay way{};
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  HttpHeaders headers{};  // as sent, in their order
  std::string body;       // unpacked
  Instant received_at;
  Duration latency{};     // to its last byte
  Duration first_byte{};  // to its first
  // Whether the answer said where it ends. One that ends with the connection may have been cut: only
  // its own grammar tells.
  bool is_framed = true;
  bool has_headers = true;   // false of what the raw vault kept
  bool held_secret = false;  // a credential of ours stood in it, where there is a mask by now
  std::shared_ptr<const void>
      room{};  // the memory that its body takes, counted until nobody holds the answer

  // The first header of that name, whatever its case.
  const std::string* Header(std::string_view name) const;

  // What pages are read from: it views this response.
  domain::PageAnswer answer() const {
    return {.status = status,
            .headers = headers,
            .body = body,
            .received_at = received_at,
            .has_headers = has_headers};
  }
};

// Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;

  // Any complete response is a success, whatever its status. An error is a response that did not come,
  // or not as a whole:
  //
  //   kUnavailable   no connection, too slow, cut off, broken framing or packing
  //   kLimit         larger than the request allows
  //   kExhausted     this machine has no room for it now
  //   kInvalidInput  the request must not go out, or not to that address
  //   kRefused       the proxy does not accept who we are
  //   kCorruption    the other side cannot prove who it is (its certificate)
  //   kCancelled     somebody asked to stop before the answer was whole; the provider may have got the request
  virtual Result<HttpResponse> Send(const HttpRequest& request) = 0;

  // Whether requests may go to that address, as far as it tells by itself: names are looked up when something is sent.
  virtual Result<void> Check(const std::string& url) const {
    (void)url;
    return {};
  }
};

}  // namespace patra::app
