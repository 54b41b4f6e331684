#include "adapter/rest/connections.h"

#include <sys/socket.h>

namespace patra::adapter::rest {

void Connections::Opened(const void* connection, int socket) {
  const std::lock_guard lock(mutex_);
  open_[connection] = {.socket = socket, .since = clock_.Elapsed()};
}

void Connections::Closed(const void* connection) {
  const std::lock_guard lock(mutex_);
  open_.erase(connection);
}

void Connections::Begins(const void* connection, Doing doing) {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(connection);
  if (found == open_.end()) return;
  found->second.doing = doing;
  found->second.since = clock_.Elapsed();
}

// The socket stays open until whoever serves it closes it, which is after it was taken from here.
int Connections::HangUp() {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.Elapsed();
  int late = 0;
  for (const auto& [connection, state] : open_) {
    const bool is_late =
        (state.doing == Doing::kAsking && now - state.since > deadlines_.request) ||
        (state.doing == Doing::kTaking && now - state.since > deadlines_.answer);
    if (!is_late) continue;
    shutdown(state.socket, SHUT_RDWR);
    ++late;
  }
  return late;
}

std::size_t Connections::count() const {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace patra::adapter::rest
