// One thread accepts, one thread per connection reads a request, asks the handler and delivers the
// answer as its Delivery says. Every wait (a fault's delay, a slow drip) ends at once when the
// server stops: it waits on the same condition variable.
#include "sim/server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "sim/stream.h"

namespace patra::sim {
namespace {

constexpr std::size_t kReadBytes = 16u << 10;

std::string DescribeErrno() { return std::system_category().message(errno); }

// Numeric addresses only: a simulator that asks a resolver where to listen is a surprise.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

Result<SocketAddress> ParseAddress(const std::string& text, std::uint16_t port) {
  SocketAddress address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (::inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof(sockaddr_in6);
  } else {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no IP address", text), {},
                "give a numeric address such as 127.0.0.1");
  }
  return address;
}

std::string PrintAddress(const sockaddr_storage& storage) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* raw =
      storage.ss_family == AF_INET6
          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr)
          : &reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr;
  return ::inet_ntop(storage.ss_family, raw, text.data(), text.size()) ? text.data() : "unknown";
}

Result<int> Listen(const SocketAddress& address) {
  const int socket = ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return Fail(ErrorCode::kInternal, "no socket: " + DescribeErrno());
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const auto* raw = reinterpret_cast<const sockaddr*>(&address.storage);
  if (::bind(socket, raw, address.size) != 0 || ::listen(socket, 512) != 0) {
    auto failure = Fail(ErrorCode::kUnavailable, "cannot listen: " + DescribeErrno(), {},
                        "is the port taken? Port 0 picks a free one");
    ::close(socket);
    return failure;
  }
  return socket;
}

std::uint16_t PortOf(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof(storage);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size);
  return ntohs(storage.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port
                                             : reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

// OpenSSL writes with write(2), so a peer that left would kill the process.
void BlockPipeSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int StatusFor(const Error& error) { return error.code == ErrorCode::kLimit ? 431 : 400; }

}  // namespace

class Server::Running {
 public:
  Running(ServerOptions options, Handler& handler, int listener,
          std::unique_ptr<TlsIdentity> identity)
      : options_(std::move(options)),
        handler_(handler),
        identity_(std::move(identity)),
        listener_(listener),
        wake_(::eventfd(0, EFD_CLOEXEC)),
        port_(PortOf(listener)),
        acceptor_([this] { AcceptAll(); }) {}

  ~Running() {
    Stop();
    ::close(wake_);
  }

  std::uint16_t port() const { return port_; }

  const std::string& certificate() const {
    static const std::string kNone;
    return identity_ ? identity_->certificate() : kNone;
  }

  ConnectionCounts connections() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) return;
      stopping_ = true;
      for (auto& connection : connections_) {
        if (connection.stream)
          connection.stream->Shutdown();
        else if (connection.socket >= 0)
          ::shutdown(connection.socket, SHUT_RDWR);
      }
    }
    stopped_.notify_all();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof(one));
    acceptor_.join();
    ::close(listener_);  // from here on, connecting is refused
    for (auto& connection : connections_) connection.thread.join();
    connections_.clear();
  }

 private:
  struct Connection {
    std::thread thread;
    int socket = -1;           // until the stream owns it
    Stream* stream = nullptr;  // while it serves; guarded by mutex_
    bool finished = false;     // guarded by mutex_
  };
  using ConnectionList = std::list<Connection>;

  void AcceptAll() {
    BlockPipeSignal();
    std::array<pollfd, 2> watched{{{listener_, POLLIN, 0}, {wake_, POLLIN, 0}}};
    while (true) {
      if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) return;
      if (watched[1].revents != 0) return;
      if ((watched[0].revents & POLLIN) != 0) AcceptOne();
      Reap();
    }
  }

  void AcceptOne() {
    sockaddr_storage peer{};
    socklen_t size = sizeof(peer);
    const int socket =
        ::accept4(listener_, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
    if (socket < 0) return;
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    const auto idle = std::chrono::duration_cast<std::chrono::seconds>(options_.idle_max).count();
    const timeval patience{.tv_sec = idle, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));

    const std::lock_guard lock(mutex_);
    if (stopping_ || counts_.open >= options_.connections_max) {
      counts_.refused += stopping_ ? 0 : 1;
      ::close(socket);
      return;
    }
    ++counts_.accepted;
    counts_.peak = std::max(counts_.peak, ++counts_.open);
    auto& connection = connections_.emplace_back();
    connection.socket = socket;
    connection.thread = std::thread(
        [this, &connection, address = PrintAddress(peer)] { Run(connection, address); });
  }

  void Reap() {
    std::vector<std::thread> over;
    {
      const std::lock_guard lock(mutex_);
      for (auto it = connections_.begin(); it != connections_.end();) {
        if (!it->finished) {
          ++it;
          continue;
        }
        over.push_back(std::move(it->thread));
        it = connections_.erase(it);
      }
    }
    for (auto& thread : over) thread.join();
  }

  void Run(Connection& connection, const std::string& peer) {
    BlockPipeSignal();
    auto stream =
        identity_ ? identity_->Accept(connection.socket) : MakePlainStream(connection.socket);
    bool serve = stream != nullptr;
    if (!stream) stream = MakePlainStream(connection.socket);
    {
      const std::lock_guard lock(mutex_);
      connection.socket = -1;
      connection.stream = stream.get();
      serve = serve && !stopping_;
    }
    if (serve) Serve(*stream, peer);
    const std::lock_guard lock(mutex_);
    connection.stream = nullptr;
    connection.finished = true;
    --counts_.open;
    // The socket closes here, under the lock: Stop never shuts down a number that was given away.
    stream.reset();
  }

  void Serve(Stream& stream, const std::string& peer) {
    std::string unread;
    Response response;
    while (true) {
      auto request = ReadRequest(stream, unread, response);
      if (!request) return;
      request->peer = peer;
      response.Reset();
      handler_.Answer(*request, response);
      if (!Deliver(stream, *request, response)) return;
      response.held_while_sending.reset();
      if (!request->keep_alive || response.delivery.end != Delivery::End::kKeepOpen) break;
    }
    stream.FinishPolitely();
  }

  std::optional<Request> ReadRequest(Stream& stream, std::string& unread, Response& response) {
    std::size_t head_end = std::string::npos;
    while ((head_end = unread.find("\r\n\r\n")) == std::string::npos) {
      if (unread.size() > options_.http.head_bytes_max) {
        Refuse(stream, response, 431, "request head too long");
        return std::nullopt;
      }
      if (!ReadMore(stream, unread)) return std::nullopt;
    }
    auto request = ParseRequestHead(std::string_view(unread).substr(0, head_end), options_.http);
    if (!request) {
      Refuse(stream, response, StatusFor(request.error()), request.error().message);
      return std::nullopt;
    }
    unread.erase(0, head_end + 4);
    const auto body_bytes = BodyBytes(*request, options_.http);
    if (!body_bytes) {
      const bool too_long = body_bytes.error().code == ErrorCode::kLimit;
      Refuse(stream, response, too_long ? 413 : 411, body_bytes.error().message);
      return std::nullopt;
    }
    if (unread.size() < *body_bytes && request->Header("expect")) {
      const std::array<std::string_view, 1> go_on{"HTTP/1.1 100 Continue\r\n\r\n"};
      stream.Write(go_on);
    }
    while (unread.size() < *body_bytes) {
      if (!ReadMore(stream, unread)) return std::nullopt;
    }
    request->body = unread.substr(0, *body_bytes);
    unread.erase(0, *body_bytes);
    return std::move(*request);
  }

  static bool ReadMore(Stream& stream, std::string& unread) {
    const auto before = unread.size();
    unread.resize(before + kReadBytes);
    const auto got = stream.Read(unread.data() + before, kReadBytes);
    unread.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    return got > 0;
  }

  void Refuse(Stream& stream, Response& response, int status, const std::string& why) {
    response.Reset();
    response.status = status;
    response.content_type = "text/plain";
    response.body = why + "\n";
    response.delivery.end = Delivery::End::kClose;
    Deliver(stream, {}, response);
  }

  // Whether the connection can serve another request.
  bool Deliver(Stream& stream, const Request& request, Response& response) {
    auto& delivery = response.delivery;
    if (!request.keep_alive && delivery.end == Delivery::End::kKeepOpen) {
      delivery.end = Delivery::End::kClose;
    }
    if (delivery.delay > Duration::zero() && !Wait(delivery.delay)) return false;
    if (delivery.reset_before_head) {
      stream.CloseWithReset();
      return false;
    }
    const auto now = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
    if (response.source) return DeliverPieces(stream, response, now);

    const auto head = PrintHead(response, response.body.size(), now);
    if (request.method == "HEAD" || response.status == 204) {
      const std::array<std::string_view, 1> only{head};
      return stream.Write(only) && delivery.end == Delivery::End::kKeepOpen;
    }
    std::string_view body = response.body;
    const bool cut = delivery.cut_after && *delivery.cut_after < body.size();
    if (cut) body = body.substr(0, *delivery.cut_after);

    const bool sent = delivery.drip_bytes > 0 ? Drip(stream, delivery, head, body)
                                              : SendWhole(stream, delivery, head, body, cut);
    if (delivery.end == Delivery::End::kReset) stream.CloseWithReset();
    return sent && !cut && delivery.end == Delivery::End::kKeepOpen;
  }

  static bool SendWhole(Stream& stream, const Delivery& delivery, std::string_view head,
                        std::string_view body, bool cut) {
    if (delivery.framing != Delivery::Framing::kChunked) {
      const std::array<std::string_view, 2> pieces{head, body};
      return stream.Write(pieces);
    }
    const auto size_line = body.empty() ? std::string() : fmt::format("{:x}\r\n", body.size());
    // A cut chunked body announces the chunk and the terminator that never come.
    const std::string_view tail = cut ? "" : body.empty() ? "0\r\n\r\n" : "\r\n0\r\n\r\n";
    const std::array<std::string_view, 4> pieces{head, size_line, body, tail};
    return stream.Write(pieces);
  }

  bool Drip(Stream& stream, const Delivery& delivery, std::string_view head,
            std::string_view body) {
    const std::array<std::string_view, 1> first{head};
    if (!stream.Write(first)) return false;
    while (!body.empty()) {
      const std::array<std::string_view, 1> drop{body.substr(0, delivery.drip_bytes)};
      if (!stream.Write(drop)) return false;
      body.remove_prefix(drop[0].size());
      if (!body.empty() && !Wait(delivery.drip_pause)) return false;
    }
    return true;
  }

  static bool DeliverPieces(Stream& stream, Response& response, Instant now) {
    response.delivery.framing = Delivery::Framing::kChunked;
    const auto head = PrintHead(response, 0, now);
    const std::array<std::string_view, 1> first{head};
    if (!stream.Write(first)) return false;
    std::string piece;
    bool more = true;
    while (more) {
      piece.clear();
      more = response.source->Next(piece);
      if (piece.empty()) continue;
      const auto size_line = fmt::format("{:x}\r\n", piece.size());
      const std::array<std::string_view, 3> chunk{size_line, piece, "\r\n"};
      if (!stream.Write(chunk)) return false;
    }
    const std::array<std::string_view, 1> last{"0\r\n\r\n"};
    return stream.Write(last) && response.delivery.end == Delivery::End::kKeepOpen;
  }

  // False if the server stopped meanwhile.
  bool Wait(Duration duration) {
    std::unique_lock lock(mutex_);
    return !stopped_.wait_for(lock, duration, [this] { return stopping_; });
  }

  const ServerOptions options_;
  Handler& handler_;
  const std::unique_ptr<TlsIdentity> identity_;
  const int listener_;
  const int wake_;
  const std::uint16_t port_;

  mutable std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  ConnectionCounts counts_;
  ConnectionList connections_;

  std::thread acceptor_;  // last: it uses everything above
};

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler& handler) {
  const auto address = PATRA_TRY(ParseAddress(options.address, options.port));
  std::unique_ptr<TlsIdentity> identity;
  if (options.tls) identity = PATRA_TRY(TlsIdentity::Make());
  const int listener = PATRA_TRY(Listen(address));
  return std::unique_ptr<Server>(new Server(
      std::make_unique<Running>(std::move(options), handler, listener, std::move(identity))));
}

Server::Server(std::unique_ptr<Running> running) : running_(std::move(running)) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return running_->port(); }
const std::string& Server::certificate() const { return running_->certificate(); }
ConnectionCounts Server::connections() const { return running_->connections(); }
void Server::Stop() { running_->Stop(); }

}  // namespace patra::sim
