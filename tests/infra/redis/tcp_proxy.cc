#include "tests/infra/redis/tcp_proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace patra::testing {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

constexpr int kPollMilliseconds = 20;

}  // namespace

TcpProxy::TcpProxy(int target_port) : target_port_(target_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = Loopback(0);
  PATRA_ASSERT(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  PATRA_ASSERT(listen(listener_, 16) == 0);
  socklen_t size = sizeof address;
  PATRA_ASSERT(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { Accept(); });
}

TcpProxy::~TcpProxy() {
  stops_ = true;
  accepting_.join();
  close(listener_);
}

void TcpProxy::Accept() {
  std::vector<std::thread> carriers;
  while (!stops_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (poll(&waiting, 1, kPollMilliseconds) <= 0) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) carriers.emplace_back([this, client] { Carry(client); });
  }
  for (auto& carrier : carriers) carrier.join();
}

void TcpProxy::Carry(int client) {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = Loopback(target_port_);
  bool is_open = connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  std::array<char, 65'536> bytes{};
  while (is_open && !stops_) {
    std::array<pollfd, 2> ends{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    if (poll(ends.data(), ends.size(), kPollMilliseconds) <= 0) continue;
    for (std::size_t i = 0; i < ends.size() && is_open; ++i) {
      if (ends[i].revents == 0) continue;
      const auto size = read(ends[i].fd, bytes.data(), bytes.size());
      const std::string_view said(bytes.data(), static_cast<std::size_t>(size > 0 ? size : 0));
      // Only what a script says is worth losing.
      const bool is_lost = i == 1 && lose_ > 0 && said.contains("stored");
      if (is_lost) {
        --lose_;
        ++lost_;
      }
      is_open = size > 0 && !is_lost &&
                send(ends[1 - i].fd, said.data(), said.size(), MSG_NOSIGNAL) == size;
    }
  }
  close(server);
  close(client);
}

}  // namespace patra::testing
