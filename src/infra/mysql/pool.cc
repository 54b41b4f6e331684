#include "infra/mysql/pool.h"

namespace patra::infra::mysql {

Result<std::unique_ptr<Connection>> Pool::Take() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return free_ > 0; });
    --free_;
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      taken_.insert(connection.get());
      return connection;
    }
  }
  auto opened = Connection::Open(address_, waits_);
  if (!opened) {
    GiveBack(nullptr);
    return opened;
  }
  const std::lock_guard lock(mutex_);
  taken_.insert(opened->get());
  return opened;
}

void Pool::GiveBack(std::unique_ptr<Connection> connection) {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
    taken_.erase(connection.get());
    if (connection != nullptr && connection->fate() == Fate::kNone)
      idle_.push_back(std::move(connection));
  }
  changed_.notify_one();
}

void Pool::HangUpOnSilence(Duration silence) {
  const auto now = SystemClock().Elapsed();
  const std::lock_guard lock(mutex_);
  for (auto* connection : taken_) {
    if (now - connection->asked_at() > silence) connection->HangUp();
  }
}

void Pool::CloseIdle() {
  std::vector<std::unique_ptr<Connection>> closed;
  const std::lock_guard lock(mutex_);
  closed.swap(idle_);
}

}  // namespace patra::infra::mysql
