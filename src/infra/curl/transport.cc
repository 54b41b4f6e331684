#include "infra/curl/transport.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>

#include <curl/curl.h>

#include <fmt/format.h>
#include <cerrno>

#include "base/placement.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/url.h"
#include "infra/curl/body_decoder.h"
#include "infra/curl/request_headers.h"

namespace patra::infra::curl {
namespace {

constexpr Duration kTimeoutMax = std::chrono::seconds(120);
constexpr std::size_t kIdleHandlesMax = 64;
constexpr std::size_t kResponseHeadersMax = 1'000;
constexpr std::size_t kBodyBytesAhead = std::size_t{16} << 20;
constexpr long kProbeSeconds = 2;
// How long an answer that is under way may still take once somebody has asked to stop.
constexpr Duration kGraceAfterStop = std::chrono::milliseconds(700);
constexpr long kReceiveBytes = 256L << 10;

long Milliseconds(Duration duration) {
  const auto within = std::clamp<Duration>(duration, std::chrono::milliseconds(1), kTimeoutMax);
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(within).count());
}

constexpr std::string_view kHeaderTooLarge = "the response's header is larger than allowed";

// Everything curl calls back about, for one request.
struct Exchange {
  const AddressPolicy& policy;
  const app::HttpWay& way;
  std::shared_ptr<BodyShare> share;  // ours, and then the answer's
  bool is_proxied = false;

  app::HttpHeaders headers{};
  std::size_t header_bytes = 0;
  bool has_head = false;  // what comes behind the body (trailers) is no header
  std::unique_ptr<BodyDecoder> decoder{};
  std::string body{};
  std::optional<Error> error{};  // ours, before curl's
  int requests = 0;
  bool address_was_refused = false;
  bool is_out_of_descriptors = false;

  // The one header of that name, or nothing; contradicting ones are an error.
  std::optional<std::string_view> Single(std::string_view name) {
    std::optional<std::string_view> found;
    for (const auto& [key, value] : headers) {
      if (!EqualIgnoringCase(key, name)) continue;
      if (found && *found != value) {
        error = Fail(ErrorCode::kUnavailable,
                     fmt::format("the response contradicts itself about {}", name))
                    .error();
      }
      found = value;
    }
    return found;
  }
  const app::StopRequest* stop = nullptr;
  bool is_interrupted = false;
};

bool TakeHead(Exchange& exchange) {
  exchange.has_head = true;
  exchange.Single("Content-Length");
  auto decoder = DecoderFor(exchange.Single("Content-Encoding").value_or(""));
  if (exchange.error) return false;
  if (!decoder) {
    exchange.error = decoder.error();
    return false;
  }
  exchange.decoder = *std::move(decoder);
  return true;
}

std::size_t TakeBody(char* bytes, std::size_t, std::size_t size, void* target) {
  auto& exchange = *static_cast<Exchange*>(target);
  if (!exchange.decoder && !TakeHead(exchange)) return CURL_WRITEFUNC_ERROR;
  const auto taken = exchange.decoder->Append({bytes, size}, exchange.body,
                                              {exchange.way.body_bytes_max, exchange.share.get()});
  if (taken) return size;
  exchange.error = taken.error();
  return CURL_WRITEFUNC_ERROR;
}

std::size_t TakeHeader(char* bytes, std::size_t, std::size_t size, void* target) {
  auto& exchange = *static_cast<Exchange*>(target);
  exchange.header_bytes += size;
  if (exchange.header_bytes > exchange.way.header_bytes_max ||
      exchange.headers.size() >= kResponseHeadersMax) {
    exchange.error = Fail(ErrorCode::kLimit, std::string(kHeaderTooLarge)).error();
    return 0;
  }
  const std::string_view line(bytes, size);
  if (line.starts_with("HTTP/")) {  // what came before was provisional
    exchange.headers.clear();
    exchange.has_head = false;
    return size;
  }
  if (Trim(line).empty()) exchange.has_head = true;
  const auto colon = line.find(':');
  if (exchange.has_head || colon == std::string_view::npos || IsBlank(line.front())) return size;
  exchange.headers.emplace_back(Trim(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  return size;
}

// Called with every address before it is connected to, after names were looked up.
curl_socket_t OpenSocket(void* target, curlsocktype, curl_sockaddr* address) {
  auto& exchange = *static_cast<Exchange*>(target);
  if (!exchange.is_proxied && !exchange.policy.Allows(address->addr)) {
    exchange.address_was_refused = true;
    return CURL_SOCKET_BAD;
  }
  const auto opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  exchange.is_out_of_descriptors = opened < 0 && (errno == EMFILE || errno == ENFILE);
  return opened;
}

// Called before every request that curl puts on the wire. When a kept connection turns out to be dead,
// curl would quietly send the request again; that one has no permit.
int BeforeRequest(void* target, char*, char*, int, int) {
  auto& exchange = *static_cast<Exchange*>(target);
  return ++exchange.requests == 1 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

// Called at least once a second, however little comes. An answer that is nearly there is waited for: it was paid for.
int LookForStop(void* target, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& exchange = *static_cast<Exchange*>(target);
  // Who has waited long enough for a provider does not wait for one more answer of it.
  exchange.is_interrupted =
      exchange.stop->is_enough() || exchange.stop->asked_for() >= kGraceAfterStop;
  return exchange.is_interrupted ? 1 : 0;
}

ErrorCode CodeOf(CURLcode code) {
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      return ErrorCode::kInvalidInput;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return ErrorCode::kCorruption;
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
    case CURLE_NOT_BUILT_IN:
    case CURLE_FAILED_INIT:
      return ErrorCode::kInternal;
    default:
      return ErrorCode::kUnavailable;
  }
}

std::string HintOf(ErrorCode code) {
  return code == ErrorCode::kCorruption
             ? "nothing was sent; see whether the provider's certificate has expired, or whether "
               "somebody stands in between"
             : "";
}

}  // namespace

class Transport::Handle {
 public:
  Handle() : curl_(curl_easy_init()) {}
  ~Handle() { curl_easy_cleanup(curl_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool is_sound() const { return curl_ != nullptr; }
  const std::string& origin() const { return origin_; }
  void GoTo(const std::string& origin) { origin_ = origin; }

  Result<app::HttpResponse> Perform(const app::HttpRequest& request, const Url& url,
                                    const TransportOptions& options, Exchange& exchange,
                                    const Clock& clock);

 private:
  template <typename Setting>
  void Set(CURLoption option, Setting setting) {
    curl_easy_setopt(curl_, option, setting);
  }
  void SetWay(const app::HttpWay& way, const TransportOptions& options);
  void SetCallbacks(Exchange& exchange);
  void SetBody(const app::HttpRequest& request);
  Error ErrorOf(CURLcode code, const Exchange& exchange, const char* problem) const;
  Result<app::HttpResponse> Collect(Exchange& exchange) const;

  CURL* curl_;
  std::string origin_;
  std::size_t last_body_bytes_ = 0;
};

void Transport::Handle::SetWay(const app::HttpWay& way, const TransportOptions& options) {
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  Set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  Set(CURLOPT_BUFFERSIZE, kReceiveBytes);
  Set(CURLOPT_SSL_VERIFYPEER, 1L);
  Set(CURLOPT_SSL_VERIFYHOST, 2L);
  Set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!options.certificate_authorities.empty()) {
    curl_blob blob{const_cast<char*>(options.certificate_authorities.data()),
                   options.certificate_authorities.size(), CURL_BLOB_COPY};
    Set(CURLOPT_CAINFO_BLOB, &blob);
  }
  Set(CURLOPT_USERAGENT, options.user_agent.c_str());
  Set(CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(way.connect_timeout));
  Set(CURLOPT_TIMEOUT_MS, Milliseconds(way.total_timeout));
  Set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  Set(CURLOPT_LOW_SPEED_TIME, (Milliseconds(way.read_timeout) + 999) / 1'000);
  // A machine that was started anew has forgotten the connection: its answer to a probe says so long before the
  // wait for a byte is over.
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
  Set(CURLOPT_TCP_KEEPIDLE, kProbeSeconds);
  Set(CURLOPT_TCP_KEEPINTVL, kProbeSeconds);
  Set(CURLOPT_MAXAGE_CONN,
      static_cast<long>(std::chrono::floor<std::chrono::seconds>(options.idle_max).count()));
  // An empty text keeps curl from taking a proxy, or exceptions from it, out of the environment.
  Set(CURLOPT_PROXY, way.proxy.c_str());
  Set(CURLOPT_NOPROXY, "");
  Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
}

void Transport::Handle::SetCallbacks(Exchange& exchange) {
  Set(CURLOPT_WRITEFUNCTION, TakeBody);
  Set(CURLOPT_WRITEDATA, &exchange);
  Set(CURLOPT_HEADERFUNCTION, TakeHeader);
  Set(CURLOPT_HEADERDATA, &exchange);
  Set(CURLOPT_OPENSOCKETFUNCTION, OpenSocket);
  Set(CURLOPT_OPENSOCKETDATA, &exchange);
  Set(CURLOPT_PREREQFUNCTION, BeforeRequest);
  Set(CURLOPT_PREREQDATA, &exchange);
  if (exchange.stop == nullptr) return;
  Set(CURLOPT_XFERINFOFUNCTION, LookForStop);
  Set(CURLOPT_XFERINFODATA, &exchange);
  Set(CURLOPT_NOPROGRESS, 0L);
}

void Transport::Handle::SetBody(const app::HttpRequest& request) {
  if (request.method == "HEAD") {
    Set(CURLOPT_NOBODY, 1L);
  } else if (!request.body.empty() || request.method == "POST") {
    Set(CURLOPT_POSTFIELDS, request.body.data());
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  Set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

Result<app::HttpResponse> Transport::Handle::Perform(const app::HttpRequest& request,
                                                     const Url& url,
                                                     const TransportOptions& options,
                                                     Exchange& exchange, const Clock& clock) {
  HeaderList headers;
  PATRA_TRY(AddHeaders(request, headers));
  curl_easy_reset(curl_);  // keeps the open connections
  std::array<char, CURL_ERROR_SIZE> problem{};
  Set(CURLOPT_ERRORBUFFER, problem.data());
  const auto address = url.Text();
  Set(CURLOPT_URL, address.c_str());
  SetWay(request.way, options);
  SetCallbacks(exchange);
  SetBody(request);
  Set(CURLOPT_HTTPHEADER, headers.get());

  // Pages of a list are alike: room for one as large as the last, and a little more, saves growing in steps.
  exchange.body.reserve(std::min(last_body_bytes_ + last_body_bytes_ / 8, kBodyBytesAhead));
  const auto started = clock.Elapsed();
  const auto code = curl_easy_perform(curl_);
  Set(CURLOPT_ERRORBUFFER, static_cast<char*>(nullptr));  // outlives this call otherwise
  if (exchange.error) return std::unexpected(*exchange.error);
  if (code != CURLE_OK) return std::unexpected(ErrorOf(code, exchange, problem.data()));
  auto response = PATRA_TRY(Collect(exchange));
  last_body_bytes_ = response.body.size();
  response.received_at = clock.Now();
  response.latency = clock.Elapsed() - started;
  curl_off_t first_byte = 0;
  curl_easy_getinfo(curl_, CURLINFO_STARTTRANSFER_TIME_T, &first_byte);
  response.first_byte = std::min(Duration(first_byte), response.latency);
  return response;
}

Error Transport::Handle::ErrorOf(CURLcode code, const Exchange& exchange,
                                 const char* problem) const {
  if (exchange.is_interrupted)
    return Fail(ErrorCode::kCancelled, "asked to stop before the answer was whole").error();
  if (exchange.address_was_refused && code == CURLE_COULDNT_CONNECT) {
    return Fail(ErrorCode::kInvalidInput,
                "the host's address is private, local or reserved, so nothing was sent to it", {},
                "if that is meant, allow the network, or --allow-loopback for this machine")
        .error();
  }
  // A line of a header that is too long for curl's buffer is said to be a lack of memory.
  if (code == CURLE_OUT_OF_MEMORY && exchange.header_bytes > 0)
    return Fail(ErrorCode::kLimit, std::string(kHeaderTooLarge)).error();
  if (exchange.is_out_of_descriptors || code == CURLE_OUT_OF_MEMORY) {
    const auto* lacking = code == CURLE_OUT_OF_MEMORY ? "memory" : "file descriptors";
    return Fail(ErrorCode::kExhausted, fmt::format("this machine has no more {}", lacking), {},
                "nothing was sent; fewer tasks at a time need less, and `ulimit -n` allows more "
                "files")
        .error();
  }
  if (exchange.requests > 1) {
    return Fail(ErrorCode::kUnavailable,
                "the kept connection was closed by the other side before it answered")
        .error();
  }
  long connect_status = 0;
  curl_easy_getinfo(curl_, CURLINFO_HTTP_CONNECTCODE, &connect_status);
  if (exchange.is_proxied && connect_status == 407) {
    return Fail(ErrorCode::kRefused, "the proxy does not accept its user and password", {},
                "put http.proxy right")
        .error();
  }
  const auto kind = CodeOf(code);
  return Fail(kind,
              fmt::format("no complete response: {}",
                          *problem != '\0' ? problem : curl_easy_strerror(code)),
              {}, HintOf(kind))
      .error();
}

Result<app::HttpResponse> Transport::Handle::Collect(Exchange& exchange) const {
  if (!exchange.decoder && !TakeHead(exchange)) return std::unexpected(*exchange.error);
  PATRA_TRY(exchange.decoder->Finish());
  long status = 0;
  curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &status);
  long version = 0;
  curl_easy_getinfo(curl_, CURLINFO_HTTP_VERSION, &version);
  app::HttpResponse response{.status = static_cast<int>(status),
                             .headers = std::move(exchange.headers),
                             .body = std::move(exchange.body),
                             .received_at = {},
                             .room = std::move(exchange.share)};
  if (const auto* type = response.Header("Content-Type")) response.content_type = *type;
  response.is_framed = version >= CURL_HTTP_VERSION_2_0 || response.body.empty() ||
                       response.Header("Content-Length") != nullptr ||
                       response.Header("Transfer-Encoding") != nullptr;
  return response;
}

Result<std::unique_ptr<Transport>> Transport::Create(const TransportOptions& options,
                                                     const Clock& clock) {
  static const auto global = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (global != CURLE_OK) return Fail(ErrorCode::kInternal, "libcurl does not start");
  auto policy = PATRA_TRY(AddressPolicy::Create(options.allow_loopback, options.networks));
  return std::unique_ptr<Transport>(new Transport(options, std::move(policy), clock));
}

Transport::Transport(TransportOptions options, AddressPolicy policy, const Clock& clock)
    : options_(std::move(options)),
      policy_(std::move(policy)),
      clock_(clock),
      room_(std::make_shared<BodyRoom>(options_.bodies_bytes_max)) {}

Transport::~Transport() = default;

Result<void> Transport::Check(const std::string& address) const {
  return policy_.Check(PATRA_TRY(ParseUrl(address)).host);
}

Result<app::HttpResponse> Transport::Send(const app::HttpRequest& request) {
  const auto url = PATRA_TRY(ParseUrl(request.url));
  if (!IsToken(request.method) ||
      std::ranges::any_of(request.method, [](char c) { return c >= 'a'; }))
    return Fail(ErrorCode::kInvalidInput, Quote(request.method) + " is no HTTP method");
  PATRA_TRY(policy_.Check(url.host));
  Exchange exchange{.policy = policy_,
                    .way = request.way,
                    .share = std::make_shared<BodyShare>(room_),
                    .is_proxied = !request.way.proxy.empty(),
                    .stop = options_.stop};
  auto handle = PATRA_TRY(Take(url.Origin()));
  auto response = handle->Perform(request, url, options_, exchange, clock_);
  GiveBack(std::move(handle));
  return response;
}

Result<std::unique_ptr<Transport::Handle>> Transport::Take(const std::string& origin) {
  std::unique_ptr<Handle> handle;
  {
    const std::lock_guard lock(mutex_);
    auto found = std::ranges::find(idle_, origin, [](const auto& idle) { return idle->origin(); });
    if (found == idle_.end() && !idle_.empty()) found = idle_.begin();
    if (found != idle_.end()) {
      handle = std::move(*found);
      idle_.erase(found);
    }
  }
  if (!handle) handle = std::make_unique<Handle>();
  if (!handle->is_sound()) return Fail(ErrorCode::kInternal, "libcurl gives no handle");
  handle->GoTo(origin);
  return handle;
}

void Transport::GiveBack(std::unique_ptr<Handle> handle) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kIdleHandlesMax) idle_.push_back(std::move(handle));
}

}  // namespace patra::infra::curl
