// The address that a server listens on.
#pragma once

#include <string>
#include <utility>

#include "base/result.h"

struct sockaddr;

namespace patra::adapter::rest {

// An open socket, which is closed with it unless it was given away.
class Listener {
 public:
  // "127.0.0.1:8080", "[::1]:0", "localhost:8080", "0.0.0.0:80": an address of this machine, not a name; port 0: any that is free.
  static Result<Listener> Open(const std::string& address);

  Listener(Listener&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        address_(std::move(other.address_)),
        is_loopback_(other.is_loopback_) {}
  Listener& operator=(Listener&&) = delete;
  ~Listener();

  int GiveAway() { return std::exchange(socket_, -1); }
  const std::string& address() const { return address_; }  // with the port that it has
  bool is_loopback() const { return is_loopback_; }        // nobody reaches it from elsewhere

 private:
  Listener(int socket, std::string address, bool is_loopback)
      : socket_(socket), address_(std::move(address)), is_loopback_(is_loopback) {}

  int socket_;
  std::string address_;
  bool is_loopback_;
};

struct PeerAddress {
  std::string text;  // without the port
  bool is_loopback = false;
};
PeerAddress PeerOf(const sockaddr* address);

}  // namespace patra::adapter::rest
