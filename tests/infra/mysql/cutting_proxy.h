// Stands between us and a server, and cuts the connection at the COMMIT that it is told to: before the server hears of it, or
// after it has answered.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"

namespace patra::testing {

class CuttingProxy {
 public:
  enum class Cut { kNever, kBefore, kAfter };

  explicit CuttingProxy(unsigned server_port) : server_port_(server_port) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    auto address = Loopback(0);
    PATRA_ASSERT(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    PATRA_ASSERT(listen(listener_, 16) == 0);
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this](const std::stop_token& stop) { Accept(stop); });
  }
  ~CuttingProxy() {
    acceptor_.request_stop();
    acceptor_.join();
    close(listener_);
  }
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  unsigned port() const { return port_; }
  void CutNext(Cut cut) { cut_.store(cut); }
  bool has_cut() const { return cut_.load() == Cut::kNever; }

 private:
  static constexpr int kPollMs = 20;

  static sockaddr_in Loopback(unsigned port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
  }

  static bool IsReadable(int socket) {
    pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
    return poll(&wanted, 1, kPollMs) > 0;
  }

  void Accept(const std::stop_token& stop) {
    std::vector<std::jthread> links;
    while (!stop.stop_requested()) {
      if (!IsReadable(listener_)) continue;
      const int client = accept(listener_, nullptr, nullptr);
      if (client >= 0)
        links.emplace_back([this, client](const std::stop_token& over) { Link(client, over); });
    }
  }

  void Link(int client, const std::stop_token& over) {
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    auto address = Loopback(server_port_);
    const bool is_connected =
        connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    while (is_connected && !over.stop_requested() && Pass(client, server)) {
    }
    close(client);
    close(server);
  }

  // Whether the link goes on.
  bool Pass(int client, int server) {
    std::array<pollfd, 2> both{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (poll(both.data(), both.size(), kPollMs) <= 0) return true;
    std::array<char, 65536> bytes;
    if (both[1].revents != 0) {
      const auto size = read(server, bytes.data(), bytes.size());
      return size > 0 && write(client, bytes.data(), static_cast<std::size_t>(size)) == size;
    }
    const auto size = read(client, bytes.data(), bytes.size());
    if (size <= 0) return false;
    const std::string_view said(bytes.data(), static_cast<std::size_t>(size));
    const auto cut =
        said.find("COMMIT") == std::string_view::npos ? Cut::kNever : cut_.exchange(Cut::kNever);
    if (cut == Cut::kBefore) return false;
    if (write(server, bytes.data(), static_cast<std::size_t>(size)) != size) return false;
    if (cut != Cut::kAfter) return true;
    while (!IsReadable(server)) {
    }
    return false;
  }

  const unsigned server_port_;
  int listener_ = -1;
  unsigned port_ = 0;
  std::atomic<Cut> cut_{Cut::kNever};
  std::jthread acceptor_;
};

}  // namespace patra::testing
