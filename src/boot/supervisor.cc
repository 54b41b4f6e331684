#include "boot/supervisor.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "base/integer.h"

namespace patra::boot {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? "" : value;
}

}  // namespace

Supervisor::Supervisor() : socket_(Environment("NOTIFY_SOCKET")) {
  const auto pid = ParseInteger(Environment("WATCHDOG_PID"));
  if (pid && *pid != getpid()) return;
  const auto most = ParseInteger(Environment("WATCHDOG_USEC"));
  // Half of what it bears, as it asks for.
  if (most && *most > 1) alive_every_ = std::chrono::microseconds(*most / 2);
}

void Supervisor::Ready(std::string_view status) const {
  Tell(fmt::format("READY=1\nSTATUS={}", status));
}

void Supervisor::Reloading(Duration monotonic) const {
  Tell(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", monotonic / std::chrono::microseconds(1)));
}

void Supervisor::Stopping() const { Tell("STOPPING=1"); }

void Supervisor::Alive() const { Tell("WATCHDOG=1"); }

void Supervisor::Status(std::string_view status) const { Tell(fmt::format("STATUS={}", status)); }

void Supervisor::Tell(std::string_view message) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return;
  address.sun_family = AF_UNIX;
  std::ranges::copy(socket_, address.sun_path);
  // A name in no file system begins with a zero, which is written as @.
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  // Nobody listens: then nobody is told.
  (void)sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&address), length);
  close(descriptor);
}

}  // namespace patra::boot
