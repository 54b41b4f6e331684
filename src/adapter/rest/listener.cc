#include "adapter/rest/listener.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "base/integer.h"

namespace patra::adapter::rest {
namespace {

constexpr int kBacklog = 1'024;
constexpr std::int64_t kPortMost = 65'535;

struct HostAndPort {
  std::string host;
  std::string port;
};

auto NoAddress(const std::string& text) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no address to listen on", text), {},
              "such as 127.0.0.1:8080, [::1]:8080 or 0.0.0.0:8080");
}

Result<HostAndPort> SplitAddress(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return NoAddress(text);
  HostAndPort split{text.substr(0, colon), text.substr(colon + 1)};
  if (split.host.starts_with('[') && split.host.ends_with(']'))
    split.host = split.host.substr(1, split.host.size() - 2);
  if (split.host == "localhost") split.host = "127.0.0.1";
  const auto port = ParseInteger(split.port);
  if (split.host.empty() || !port || *port < 0 || *port > kPortMost) return NoAddress(text);
  return split;
}

auto CannotListen(const std::string& text, int error) {
  return Fail(error == EADDRINUSE ? ErrorCode::kConflict : ErrorCode::kUnavailable,
              fmt::format("cannot listen on {}: {}", text,
                          std::error_code(error, std::generic_category()).message()),
              {},
              error == EADDRINUSE
                  ? "something listens there already: stop it, or choose another port"
                  : "choose an address of this machine, and a port that you may use");
}

std::string AddressOf(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return "";
  const auto peer = PeerOf(reinterpret_cast<const sockaddr*>(&storage));
  if (storage.ss_family == AF_INET6) {
    return fmt::format("[{}]:{}", peer.text,
                       ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port));
  }
  return fmt::format("{}:{}", peer.text,
                     ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port));
}

}  // namespace

PeerAddress PeerOf(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address == nullptr) return {};
  if (address->sa_family == AF_INET) {
    const auto& in = reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
    inet_ntop(AF_INET, &in, text.data(), text.size());
    return {text.data(), ntohl(in.s_addr) >> 24 == 127};
  }
  if (address->sa_family != AF_INET6) return {};
  const auto& in6 = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&in6)) {
    sockaddr_in mapped{};
    mapped.sin_family = AF_INET;
    std::memcpy(&mapped.sin_addr, &in6.s6_addr[12], sizeof mapped.sin_addr);
    return PeerOf(reinterpret_cast<const sockaddr*>(&mapped));
  }
  inet_ntop(AF_INET6, &in6, text.data(), text.size());
  return {text.data(), IN6_IS_ADDR_LOOPBACK(&in6) != 0};
}

Result<Listener> Listener::Open(const std::string& address) {
  const auto split = PATRA_TRY(SplitAddress(address));
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  addrinfo* list = nullptr;
  if (getaddrinfo(split.host.c_str(), split.port.c_str(), &hints, &list) != 0)
    return NoAddress(address);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(list, freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return CannotListen(address, errno);
  Listener listener(socket, "", PeerOf(found->ai_addr).is_loopback);
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(socket, found->ai_addr, found->ai_addrlen) != 0 || listen(socket, kBacklog) != 0)
    return CannotListen(address, errno);
  listener.address_ = AddressOf(socket);
  return listener;
}

Listener::~Listener() {
  if (socket_ >= 0) close(socket_);
}

}  // namespace patra::adapter::rest
