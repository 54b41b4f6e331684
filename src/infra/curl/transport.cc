#include "infra/curl/transport.h"

#include <curl/curl.h>
#include <fmt/format.h>

namespace patra::infra::curl {
namespace {

long Milliseconds(Duration duration) {
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

// Collects a response and stops curl as soon as it is larger than allowed: the announced length may lie,
// and a compressed body shows its size only while it is unpacked.
struct Collector {
  std::size_t body_bytes_max;
  std::size_t header_bytes_max;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::size_t header_bytes = 0;
  const char* exceeded = nullptr;
};

std::size_t TakeBody(char* bytes, std::size_t, std::size_t size, void* target) {
  auto& collector = *static_cast<Collector*>(target);
  if (collector.body.size() + size > collector.body_bytes_max) {
    collector.exceeded = "body";
    return CURL_WRITEFUNC_ERROR;
  }
  collector.body.append(bytes, size);
  return size;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto from = text.find_first_not_of(kBlanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

std::size_t TakeHeader(char* bytes, std::size_t, std::size_t size, void* target) {
  auto& collector = *static_cast<Collector*>(target);
  collector.header_bytes += size;
  if (collector.header_bytes > collector.header_bytes_max) {
    collector.exceeded = "header";
    return 0;
  }
  const std::string_view line(bytes, size);
  if (line.starts_with("HTTP/")) collector.headers.clear();  // what came before was provisional
  const auto colon = line.find(':');
  if (colon != std::string_view::npos && !line.starts_with("HTTP/")) {
    collector.headers.emplace_back(Trimmed(line.substr(0, colon)), Trimmed(line.substr(colon + 1)));
  }
  return size;
}

bool MayTravelInHeader(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

struct HeaderList {
  curl_slist* list = nullptr;
  ~HeaderList() { curl_slist_free_all(list); }
};

}  // namespace

struct Transport::Handle {
  CURL* curl = curl_easy_init();
  ~Handle() { curl_easy_cleanup(curl); }
};

Result<std::unique_ptr<Transport>> Transport::Create(TransportOptions options, const Clock& clock) {
  static const auto global = curl_global_init(CURL_GLOBAL_DEFAULT);
  auto handle = std::make_unique<Handle>();
  if (global != CURLE_OK || handle->curl == nullptr)
    return Fail(ErrorCode::kInternal, "libcurl does not start");
  return std::unique_ptr<Transport>(new Transport(std::move(options), clock, std::move(handle)));
}

Transport::Transport(TransportOptions options, const Clock& clock, std::unique_ptr<Handle> handle)
    : options_(std::move(options)), clock_(clock), handle_(std::move(handle)) {}

Transport::~Transport() = default;

Result<app::HttpResponse> Transport::Send(const app::HttpRequest& request) {
  auto* curl = handle_->curl;
  curl_easy_reset(curl);  // keeps the open connections
  Collector collector{options_.body_bytes_max, options_.header_bytes_max};
  char problem[CURL_ERROR_SIZE] = "";

  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, options_.user_agent.c_str());
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, Milliseconds(options_.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, Milliseconds(options_.total_timeout));
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, TakeBody);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &collector);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, TakeHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &collector);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  if (!request.body.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
  }
  HeaderList headers;
  for (const auto& [name, value] : request.headers) {
    if (!MayTravelInHeader(name) || !MayTravelInHeader(value)) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("the header {} has a line break in it", name));
    }
    headers.list = curl_slist_append(headers.list, fmt::format("{}: {}", name, value).c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.list);

  const auto started = clock_.Elapsed();
  const auto code = curl_easy_perform(curl);
  if (collector.exceeded != nullptr) {
    return Fail(ErrorCode::kLimit,
                fmt::format("the response's {} is larger than allowed", collector.exceeded));
  }
  if (code != CURLE_OK) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("no complete response: {}",
                            *problem != '\0' ? problem : curl_easy_strerror(code)));
  }

  app::HttpResponse response{.headers = std::move(collector.headers),
                             .body = std::move(collector.body),
                             .received_at = clock_.Now(),
                             .latency = clock_.Elapsed() - started};
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  const char* content_type = nullptr;
  curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, &content_type);
  if (content_type != nullptr) response.content_type = content_type;
  return response;
}

}  // namespace patra::infra::curl
