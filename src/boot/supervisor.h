// What systemd, or whoever else started the service, is told about it: datagrams to the socket that NOTIFY_SOCKET names. Written
// by hand, because libsystemd would be a library for a line of text; without such a socket nothing is told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace patra::boot {

class Supervisor {
 public:
  Supervisor();

  void Ready(std::string_view status) const;
  void Reloading(Duration monotonic) const;
  void Stopping() const;
  void Alive() const;
  void Status(std::string_view status) const;

  // How often it wants to hear that the service is alive; nothing: it does not wait for that.
  std::optional<Duration> alive_every() const { return alive_every_; }

 private:
  void Tell(std::string_view message) const;

  std::string socket_;
  std::optional<Duration> alive_every_;
};

}  // namespace patra::boot
