// Stands between us and a server, and cuts the connection at the packet that it is told to: before the server hears of it, or
// after it has answered. Or it answers a COMMIT by an error, of which the server has heard or not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
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
  // At the next COMMIT.
  void CutNext(Cut cut) {
    at_packet_.store(kCommit);
    cut_.store(cut);
  }
  void RefuseNextCommit(unsigned error_number, Cut cut) {
    refuses_with_.store(error_number);
    CutNext(cut);
  }
  // At the packet of that number, from 1, that a client sends from now on.
  void CutAtPacket(int number, Cut cut) {
    at_packet_.store(number);
    packets_.store(0);
    cut_.store(cut);
  }
  // Whoever connects from now on comes to another server, and who is connected no longer is.
  void MoveTo(unsigned server_port) {
    server_port_.store(server_port);
    ++moves_;
  }
  // Nothing passes in either direction, and nobody is told.
  void Stall(bool stalls) { stalls_.store(stalls); }
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
    const int moves = moves_.load();
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    auto address = Loopback(server_port_);
    const bool is_connected =
        connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    for (const int end : {client, server}) {
      const int at_once = 1;
      setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    }
    std::string said;  // by the client, and not a whole packet yet
    while (is_connected && !over.stop_requested() && moves == moves_.load() &&
           Pass(client, server, said)) {
    }
    close(client);
    close(server);
  }

  // Whether the link goes on.
  bool Pass(int client, int server, std::string& said) {
    std::array<pollfd, 2> both{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (stalls_.load()) return poll(nullptr, 0, kPollMs) == 0;
    if (poll(both.data(), both.size(), kPollMs) <= 0) return true;
    std::array<char, 65536> bytes;
    if (both[1].revents != 0) {
      const auto size = read(server, bytes.data(), bytes.size());
      return size > 0 && WriteAll(client, {bytes.data(), static_cast<std::size_t>(size)});
    }
    const auto size = read(client, bytes.data(), bytes.size());
    if (size <= 0) return false;
    said.append(bytes.data(), static_cast<std::size_t>(size));
    while (const auto packet = TakePacket(said)) {
      if (!PassPacket(client, server, *packet)) return false;
    }
    return true;
  }

  // Three bytes of length and a number precede what is said.
  static std::optional<std::string> TakePacket(std::string& said) {
    constexpr std::size_t kHeadBytes = 4;
    if (said.size() < kHeadBytes) return std::nullopt;
    std::size_t size = kHeadBytes;
    for (std::size_t i = 0; i < 3; ++i)
      size += static_cast<std::size_t>(static_cast<unsigned char>(said[i])) << (8 * i);
    if (said.size() < size) return std::nullopt;
    auto packet = said.substr(0, size);
    said.erase(0, size);
    return packet;
  }

  bool PassPacket(int client, int server, std::string_view packet) {
    const int at = at_packet_.load();
    const bool is_it =
        ++packets_ == at || (at == kCommit && packet.find("COMMIT") != std::string_view::npos);
    const auto cut = is_it ? cut_.exchange(Cut::kNever) : Cut::kNever;
    const auto refusal = cut == Cut::kNever ? 0U : refuses_with_.exchange(0);
    if (cut == Cut::kBefore) return refusal != 0 && WriteAll(client, ErrorPacket(refusal));
    if (!WriteAll(server, packet)) return false;
    if (cut != Cut::kAfter) return true;
    // To some packets there is no answer.
    for (int i = 0; i < kPollsForAnswer && !IsReadable(server); ++i) {
    }
    if (refusal == 0) return false;
    std::array<char, 65536> swallowed;
    return read(server, swallowed.data(), swallowed.size()) > 0 &&
           WriteAll(client, ErrorPacket(refusal));
  }

  // The answer to a packet of number 0.
  static std::string ErrorPacket(unsigned number) {
    std::string said = "\xff";
    said += static_cast<char>(number & 0xff);
    said += static_cast<char>(number >> 8);
    said += "#HY000the commit failed";
    return std::string{static_cast<char>(said.size()), 0, 0, 1} + said;
  }

  static bool WriteAll(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto size = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }

  static constexpr int kCommit = -1;
  static constexpr int kPollsForAnswer = 50;

  std::atomic<unsigned> server_port_;
  std::atomic<int> moves_{0};
  int listener_ = -1;
  unsigned port_ = 0;
  std::atomic<bool> stalls_{false};
  std::atomic<int> at_packet_{kCommit};
  std::atomic<int> packets_{0};
  std::atomic<Cut> cut_{Cut::kNever};
  std::atomic<unsigned> refuses_with_{0};
  std::jthread acceptor_;
};

}  // namespace patra::testing
