// Answers every connection on a loopback port with the same bytes, whatever they are, and closes it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/result.h"

namespace patra::testing {

class RawServer {
 public:
  explicit RawServer(std::string answer) : answer_(std::move(answer)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    PATRA_ASSERT(bind(listener_, generic, size) == 0 && listen(listener_, 16) == 0);
    PATRA_ASSERT(getsockname(listener_, generic, &size) == 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { Serve(); });
  }
  ~RawServer() {
    is_over_ = true;
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  std::string url() const { return fmt::format("http://127.0.0.1:{}/", port_); }

 private:
  void Serve() {
    while (!is_over_) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      std::string request;
      char piece[1'024];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const auto got = recv(connection, piece, sizeof piece, 0);
        if (got <= 0) break;
        request.append(piece, static_cast<std::size_t>(got));
      }
      send(connection, answer_.data(), answer_.size(), MSG_NOSIGNAL);
      shutdown(connection, SHUT_WR);
      while (recv(connection, piece, sizeof piece, 0) > 0) {
      }
      close(connection);
    }
  }

  const std::string answer_;
  const int listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port_ = 0;
  std::atomic<bool> is_over_ = false;
  std::jthread thread_;
};

}  // namespace patra::testing
