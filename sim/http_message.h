// The simulator's view of HTTP/1.1: requests it has parsed, responses it will send, and the ways in
// which it may send them wrongly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::sim {

using NameAndText = std::pair<std::string, std::string>;

struct HttpLimits {
  std::size_t head_bytes_max = 64u << 10;
  std::size_t body_bytes_max = 8u << 20;
  std::size_t headers_max = 200;
  std::size_t parameters_max = 1'000;
};

// Decoded name=value pairs, in the order in which they were sent.
class Parameters {
 public:
  static Parameters Decode(std::string_view query, std::size_t count_max);

  // The first value of that name, or null.
  const std::string* Find(std::string_view name) const;
  std::string Get(std::string_view name, std::string_view otherwise = {}) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  void Add(std::string name, std::string value);
  const std::vector<NameAndText>& all() const { return all_; }

 private:
  std::vector<NameAndText> all_;
};

struct Request {
  std::string method;
  std::string target;  // as sent: path and query
  std::string path;    // percent-decoded
  std::string query;   // as sent, without '?'
  Parameters parameters;
  std::vector<NameAndText> headers;  // names in lower case
  std::string body;
  std::string peer;  // the client's address
  bool keep_alive = true;

  const std::string* Header(std::string_view lower_case_name) const;

  // Query parameters together with those of a form body.
  Parameters FormParameters(std::size_t count_max) const;
};

// How a response leaves: honest unless a fault says otherwise.
struct Delivery {
  enum class Framing { kContentLength, kChunked, kUntilClose };
  enum class End { kKeepOpen, kClose, kReset };

  Framing framing = Framing::kContentLength;
  Duration delay{};                           // before the first byte
  std::optional<std::size_t> declared_bytes;  // a Content-Length that need not be true
  std::optional<std::size_t> cut_after;       // body bytes after which the connection ends
  std::size_t drip_bytes = 0;                 // > 0: this many bytes at a time ...
  Duration drip_pause{};                      // ... with this pause between them
  End end = End::kKeepOpen;
  bool reset_before_head = false;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<NameAndText> headers;
  std::string body;
  Delivery delivery;

  // Whatever must live until the last byte is sent, such as a place in a concurrency limit. Shared
  // only because a response is copied when a fault rewrites it.
  std::shared_ptr<void> held_while_sending;

  // Produces the body piece by piece instead of `body`: appends the next piece and returns false
  // after the last one. Sent chunked.
  std::shared_ptr<class BodySource> source;

  void Reset();
  void SetHeader(std::string name, std::string value);  // replaces one of the same name
};

class BodySource {
 public:
  virtual ~BodySource() = default;
  virtual bool Next(std::string& piece) = 0;
};

// The head of a request (everything before the empty line, without it).
Result<Request> ParseRequestHead(std::string_view head, const HttpLimits& limits);

// How many body bytes follow the head; an error for a framing that the simulator does not read.
Result<std::size_t> BodyBytes(const Request& request, const HttpLimits& limits);

// Status line and headers with the empty line. `body_bytes` is the honest length.
std::string PrintHead(const Response& response, std::size_t body_bytes, Instant date);

std::string_view ReasonOf(int status);
std::string PercentDecode(std::string_view text, bool plus_is_blank);
std::string PercentEncode(std::string_view text);  // everything but RFC 3986's unreserved

bool EqualIgnoringCase(std::string_view a, std::string_view b);
std::string LowerCase(std::string_view text);  // ASCII only
std::optional<std::int64_t> ParseInteger(std::string_view text);

}  // namespace patra::sim
