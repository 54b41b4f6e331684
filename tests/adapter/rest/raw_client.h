// Says any bytes to a server on loopback and hears what comes back.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "base/integer.h"
#include "base/result.h"

namespace patra::testing {

class RawClient {
 public:
  // "127.0.0.1:8080"
  explicit RawClient(const std::string& address) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto port = ParseInteger(std::string_view(address).substr(address.rfind(':') + 1));
    to.sin_port = htons(static_cast<std::uint16_t>(*port));
    is_open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~RawClient() { close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_open() const { return is_open_; }

  bool Say(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // One answer with its body; less where the other side hangs up or says nothing for so long.
  std::string Hear(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    auto wanted = BytesOfFirst();
    while (heard_.size() < wanted && HearMore(patience)) wanted = BytesOfFirst();
    const auto answer = heard_.substr(0, wanted);
    heard_.erase(0, answer.size());
    return answer;
  }

  // Whether the other side hung up, and said nothing more than what was heard.
  bool IsHungUp(std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    while (HearMore(patience)) {
    }
    return is_over_;
  }

 private:
  // Of the first answer in what was heard; more than there is, as long as nobody can tell.
  std::size_t BytesOfFirst() const {
    const auto end = heard_.find("\r\n\r\n");
    if (end == std::string::npos) return std::string::npos;
    constexpr std::string_view kLength = "Content-Length: ";
    const auto length = heard_.find(kLength);
    if (length == std::string::npos || length > end) return end + 4;
    const auto begin = length + kLength.size();
    const auto digits = std::string_view(heard_).substr(begin, heard_.find('\r', begin) - begin);
    return end + 4 + static_cast<std::size_t>(ParseInteger(digits).value_or(0));
  }

  bool HearMore(std::chrono::milliseconds patience) {
    pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
    char piece[4'096];
    const auto got = recv(socket_, piece, sizeof piece, 0);
    is_over_ = got <= 0;
    if (got > 0) heard_.append(piece, static_cast<std::size_t>(got));
    return got > 0;
  }

  const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool is_open_ = false;
  bool is_over_ = false;
  std::string heard_;
};

}  // namespace patra::testing
