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
      return connection;
    }
  }
  auto opened = Connection::Open(address_, waits_);
  if (!opened) GiveBack(nullptr);
  return opened;
}

void Pool::GiveBack(std::unique_ptr<Connection> connection) {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
    if (connection != nullptr && connection->fate() == Fate::kNone)
      idle_.push_back(std::move(connection));
  }
  changed_.notify_one();
}

void Pool::CloseIdle() {
  std::vector<std::unique_ptr<Connection>> closed;
  const std::lock_guard lock(mutex_);
  closed.swap(idle_);
}

}  // namespace patra::infra::mysql
