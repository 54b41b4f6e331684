// A request is read by a network thread, answered by a worker while its connection is suspended, and sent by the network thread.
#include "adapter/rest/server.h"

#include <microhttpd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "adapter/rest/connections.h"
#include "adapter/rest/listener.h"
#include "adapter/rest/problem.h"
#include "adapter/rest/worker_pool.h"

namespace patra::adapter::rest {
namespace {

constexpr auto kLookForLate = std::chrono::milliseconds(250);
constexpr std::size_t kFeedBytesAtOnce = 8u << 10;
constexpr std::size_t kPemBytesMax = 1u << 20;
// A body that is too long is read to its end, so that its sender hears of it, but not for ever.
constexpr std::size_t kReadAnywayTimes = 4;
constexpr const char* kPriorities = "SECURE128:+SECURE192:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";

// One request on its way.
struct Exchange {
  enum class Stage { kHead, kBody, kWorking, kAnswered };

  HttpRequest request;
  Stage stage = Stage::kHead;
  std::size_t body_bytes = 0;  // that were sent, kept or not
  std::optional<HttpAnswer> answer{};
};

Result<std::string> ReadPem(const std::string& file, bool is_secret) {
  struct stat about{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream || stat(file.c_str(), &about) != 0)
    return Fail(ErrorCode::kNotFound, fmt::format("{} cannot be read", file), {},
                "it is a PEM file, which the user that patra runs as may read");
  if (is_secret && (about.st_mode & S_IRWXO) != 0)
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("everybody on this machine may read {}", file), {},
                fmt::format("take that back: chmod o-rwx {}", file));
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (text.size() > kPemBytesMax || !text.contains("-----BEGIN "))
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is no PEM file", file));
  return text;
}

MHD_Result KeepHeader(void* to, MHD_ValueKind, const char* name, const char* value) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  static_cast<Headers*>(to)->emplace_back(std::move(lower), value == nullptr ? "" : value);
  return MHD_YES;
}

// Escapes are ours to read, once the address is in pieces.
std::size_t KeepEscapes(void*, MHD_Connection*, char* text) {
  return std::string_view(text).size();
}

bool IsSecure(const ServerOptions& options) { return !options.certificate_file.empty(); }

class HttpServer final : public Server {
 public:
  HttpServer(const ServerOptions& options, Listener listener, std::unique_ptr<Answerer> front,
             const Clock& clock)
      : bounds_(options.bounds),
        is_secure_(IsSecure(options)),
        listener_(std::move(listener)),
        front_(std::move(front)),
        connections_(clock, {bounds_.request_deadline, bounds_.answer_deadline}),
        workers_(bounds_.workers, bounds_.waiting_max),
        probes_(1, bounds_.waiting_max) {}

  ~HttpServer() override { Stop(Duration::zero()); }

  Result<void> Begin(const ServerOptions& options) {
    std::string certificate, key;
    if (is_secure_) {
      certificate = PATRA_TRY(ReadPem(options.certificate_file, false));
      key = PATRA_TRY(ReadPem(options.key_file, true));
    }
    std::vector<MHD_OptionItem> items{
        {MHD_OPTION_NOTIFY_CONNECTION, reinterpret_cast<intptr_t>(&OnConnection), this},
        {MHD_OPTION_NOTIFY_COMPLETED, reinterpret_cast<intptr_t>(&OnCompleted), this},
        {MHD_OPTION_URI_LOG_CALLBACK, reinterpret_cast<intptr_t>(&OnTarget), this},
        {MHD_OPTION_UNESCAPE_CALLBACK, reinterpret_cast<intptr_t>(&KeepEscapes), nullptr},
        {MHD_OPTION_LISTEN_SOCKET, listener_.GiveAway(), nullptr},
        {MHD_OPTION_CONNECTION_LIMIT, static_cast<intptr_t>(bounds_.connections_max), nullptr},
        {MHD_OPTION_PER_IP_CONNECTION_LIMIT,
         static_cast<intptr_t>(bounds_.connections_per_address_max), nullptr},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, static_cast<intptr_t>(bounds_.header_bytes_max),
         nullptr},
        {MHD_OPTION_CONNECTION_TIMEOUT, 0, nullptr},
        {MHD_OPTION_STRICT_FOR_CLIENT, 1, nullptr},
    };
    if (bounds_.network_threads > 1) {
      items.push_back(
          {MHD_OPTION_THREAD_POOL_SIZE, static_cast<intptr_t>(bounds_.network_threads), nullptr});
    }
    if (is_secure_) {
      items.push_back({MHD_OPTION_HTTPS_MEM_CERT, 0, certificate.data()});
      items.push_back({MHD_OPTION_HTTPS_MEM_KEY, 0, key.data()});
      items.push_back({MHD_OPTION_HTTPS_PRIORITIES, 0, const_cast<char*>(kPriorities)});
    }
    items.push_back({MHD_OPTION_END, 0, nullptr});
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (is_secure_) flags |= MHD_USE_TLS;
    daemon_ = MHD_start_daemon(flags, 0, nullptr, nullptr, &OnRequest, this, MHD_OPTION_ARRAY,
                               items.data(), MHD_OPTION_END);
    if (daemon_ == nullptr) {
      return Fail(
          is_secure_ ? ErrorCode::kInvalidInput : ErrorCode::kExhausted,
          is_secure_ ? "the server cannot be started with this certificate and key"
                     : "the server cannot be started",
          {},
          is_secure_ ? "they have to be PEM, and of each other" : "see what this machine lacks");
    }
    late_ = std::jthread([this](const std::stop_token& stop) { LookForLate(stop); });
    return {};
  }

  const std::string& address() const override { return listener_.address(); }
  std::string url() const override {
    return fmt::format("{}://{}", is_secure_ ? "https" : "http", address());
  }
  std::size_t connections() const override { return connections_.count(); }

  void Stop(Duration deadline) override {
    if (daemon_ == nullptr) return;
    close(MHD_quiesce_daemon(daemon_));
    front_->StopFeeds();
    {
      std::unique_lock lock(mutex_);
      idle_.wait_for(lock, deadline, [this] { return under_way_ == 0; });
    }
    // Every connection that a worker had suspended is resumed when it is done, which the library asks for.
    workers_.Stop();
    probes_.Stop();
    late_.request_stop();
    if (late_.joinable()) late_.join();
    MHD_stop_daemon(daemon_);
    daemon_ = nullptr;
  }

 private:
  static HttpServer& Self(void* self) { return *static_cast<HttpServer*>(self); }

  static void OnConnection(void* self, MHD_Connection* connection, void**,
                           MHD_ConnectionNotificationCode code) {
    auto& connections = Self(self).connections_;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) return connections.Closed(connection);
    const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    connections.Opened(connection, info == nullptr ? -1 : info->connect_fd);
  }

  // The first line is here: what comes with it has its own time.
  static void* OnTarget(void* self, const char* target, MHD_Connection* connection) {
    Self(self).connections_.Begins(connection, Connections::Doing::kAsking);
    Self(self).Count(+1);
    auto* exchange = new Exchange;
    exchange->request.target = target;
    return exchange;
  }

  static void OnCompleted(void* self, MHD_Connection* connection, void** context,
                          MHD_RequestTerminationCode) {
    delete static_cast<Exchange*>(*context);
    *context = nullptr;
    Self(self).connections_.Begins(connection, Connections::Doing::kAsking);
    Self(self).Count(-1);
  }

  static MHD_Result OnRequest(void* self, MHD_Connection* connection, const char*,
                              const char* method, const char*, const char* data,
                              std::size_t* data_size, void** context) {
    auto& exchange = *static_cast<Exchange*>(*context);
    switch (exchange.stage) {
      case Exchange::Stage::kHead:
        return Self(self).TakeHead(connection, method, exchange);
      case Exchange::Stage::kBody:
        if (*data_size == 0) return Self(self).GiveToWorker(connection, exchange);
        return Self(self).TakeBody(data, *data_size, exchange);
      case Exchange::Stage::kWorking:
        return Self(self).Send(connection, exchange);
      case Exchange::Stage::kAnswered:
        break;
    }
    return MHD_YES;
  }

  MHD_Result TakeHead(MHD_Connection* connection, const char* method, Exchange& exchange) {
    auto& request = exchange.request;
    request.method = method;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, &KeepHeader, &request.headers);
    const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const auto peer = PeerOf(info == nullptr ? nullptr : info->client_addr);
    request.peer = peer.text;
    request.is_from_loopback = peer.is_loopback;
    exchange.stage = Exchange::Stage::kBody;
    exchange.answer = front_->RefuseEarly(request);
    return exchange.answer ? Send(connection, exchange) : MHD_YES;
  }

  MHD_Result TakeBody(const char* data, std::size_t& size, Exchange& exchange) {
    exchange.body_bytes += size;
    if (exchange.body_bytes <= bounds_.body_bytes_max) {
      exchange.request.body.append(data, size);
    } else if (exchange.body_bytes > kReadAnywayTimes * bounds_.body_bytes_max) {
      return MHD_NO;
    }
    size = 0;
    return MHD_YES;
  }

  // Whoever looks whether the process lives does not wait for those who wait for the store.
  WorkerPool& PoolFor(const HttpRequest& request) {
    const bool is_probe = request.target == kAlivePath || request.target == kReadyPath;
    return is_probe ? probes_ : workers_;
  }

  MHD_Result GiveToWorker(MHD_Connection* connection, Exchange& exchange) {
    exchange.stage = Exchange::Stage::kWorking;
    connections_.Begins(connection, Connections::Doing::kAnswering);
    if (exchange.body_bytes > bounds_.body_bytes_max) {
      auto& headers = exchange.request.headers;
      headers.emplace_back("content-length", fmt::to_string(exchange.body_bytes));
      exchange.answer = front_->RefuseEarly(exchange.request);
      return Send(connection, exchange);
    }
    MHD_suspend_connection(connection);
    const bool is_taken = PoolFor(exchange.request).Submit([this, connection, &exchange] {
      exchange.answer = front_->Answer(exchange.request);
      MHD_resume_connection(connection);
    });
    if (is_taken) return MHD_YES;
    exchange.answer = ProblemOf({ErrorCode::kUnavailable,
                                 "too many requests wait already",
                                 {},
                                 "wait as Retry-After says"});
    MHD_resume_connection(connection);
    return MHD_YES;
  }

  MHD_Result Send(MHD_Connection* connection, Exchange& exchange) {
    exchange.stage = Exchange::Stage::kAnswered;
    auto& answer = *exchange.answer;
    connections_.Begins(connection,
                        answer.feed ? Connections::Doing::kListening : Connections::Doing::kTaking);
    auto* response = answer.feed ? ResponseOf(connection, std::move(answer.feed))
                                 : ResponseOf(std::move(answer.body));
    if (response == nullptr) return MHD_NO;
    if (!answer.content_type.empty())
      MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer.content_type.c_str());
    for (const auto& [name, value] : answer.headers)
      MHD_add_response_header(response, name.c_str(), value.c_str());
    const auto queued =
        MHD_queue_response(connection, static_cast<unsigned>(answer.status), response);
    MHD_destroy_response(response);
    return queued;
  }

  static MHD_Response* ResponseOf(std::string text) {
    auto* body = new std::string(std::move(text));
    auto* response = MHD_create_response_from_buffer_with_free_callback_cls(
        body->size(), body->data(), [](void* held) { delete static_cast<std::string*>(held); },
        body);
    if (response == nullptr) delete body;
    return response;
  }

  // A connection whose feed has nothing to say is suspended until it has.
  struct Listening {
    MHD_Connection* connection;
    std::shared_ptr<EventFeed> feed;
  };
  static MHD_Response* ResponseOf(MHD_Connection* connection, std::shared_ptr<EventFeed> feed) {
    auto* listening = new Listening{connection, std::move(feed)};
    auto* response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, kFeedBytesAtOnce, &ReadFeed, listening, [](void* held) {
          static_cast<Listening*>(held)->feed->HungUp();
          delete static_cast<Listening*>(held);
        });
    if (response == nullptr) delete listening;
    return response;
  }
  static ssize_t ReadFeed(void* of, std::uint64_t, char* to, std::size_t size_max) {
    auto& [connection, feed] = *static_cast<Listening*>(of);
    std::size_t size = 0;
    const auto taken = feed->Take(
        to, size_max, size, [to_suspend = connection] { MHD_suspend_connection(to_suspend); },
        [to_resume = connection] { MHD_resume_connection(to_resume); });
    if (taken == EventFeed::Taken::kOver) return MHD_CONTENT_READER_END_OF_STREAM;
    return static_cast<ssize_t>(size);
  }

  void LookForLate(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    while (!stop.stop_requested()) {
      std::unique_lock lock(mutex);
      wake.wait_for(lock, stop, kLookForLate, [] { return false; });
      connections_.HangUp();
    }
  }

  void Count(int more) {
    const std::lock_guard lock(mutex_);
    under_way_ += more;
    if (under_way_ == 0) idle_.notify_all();
  }

  const ServerBounds bounds_;
  const bool is_secure_;
  Listener listener_;
  const std::unique_ptr<Answerer> front_;
  Connections connections_;
  WorkerPool workers_;
  WorkerPool probes_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int under_way_ = 0;  // requests
  MHD_Daemon* daemon_ = nullptr;
  std::jthread late_;
};

// What answers is made once it is known where.
Result<std::unique_ptr<Server>> StartWith(
    const ServerOptions& options, const Clock& clock,
    const std::function<std::unique_ptr<Answerer>(const Listener&)>& front_at) {
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return Fail(ErrorCode::kInvalidInput, "TLS takes a certificate and its key", {},
                "name both files, or none");
  }
  auto listener = PATRA_TRY(Listener::Open(options.listen));
  auto front = front_at(listener);
  auto server = std::make_unique<HttpServer>(options, std::move(listener), std::move(front), clock);
  PATRA_TRY(server->Begin(options));
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Services& services,
                                              const Clock& clock, OnAnswered on_answered) {
  return StartWith(options, clock, [&](const Listener& listener) {
    return std::make_unique<Front>(FrontRules{.door = {.is_on_loopback = listener.is_loopback(),
                                                       .hosts = options.hosts,
                                                       .origins = options.origins,
                                                       .rate = options.bounds.caller},
                                              .body_bytes_max = options.bounds.body_bytes_max,
                                              .is_secure = IsSecure(options),
                                              .events = options.bounds.events},
                                   services, clock, std::move(on_answered));
  });
}

Result<std::unique_ptr<Server>> Server::StartWaiting(const ServerOptions& options,
                                                     WaitingFront::Reasons reasons,
                                                     const Clock& clock) {
  return StartWith(options, clock, [&](const Listener&) {
    return std::make_unique<WaitingFront>(std::move(reasons), IsSecure(options));
  });
}

}  // namespace patra::adapter::rest
