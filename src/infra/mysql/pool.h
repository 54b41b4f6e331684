// Connections that are kept for whoever needs one next. Thread-safe.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "infra/mysql/connection.h"

namespace patra::infra::mysql {

class Pool {
 public:
  Pool(Address address, Waits waits, std::size_t connections_max)
      : address_(std::move(address)), waits_(waits), free_(connections_max) {}

  // Waits where all are taken. Fails where the server cannot be reached.
  Result<std::unique_ptr<Connection>> Take();

  // One that is no longer usable is closed.
  void GiveBack(std::unique_ptr<Connection> connection);

  // Whoever waits for an answer for longer than that waits no more.
  void HangUpOnSilence(Duration silence);

  // Where one connection has broken, those that waited beside it have mostly, too.
  void CloseIdle();

 private:
  const Address address_;
  const Waits waits_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::size_t free_;  // how many more may be taken
  std::vector<std::unique_ptr<Connection>> idle_;
  std::set<Connection*> taken_;
};

}  // namespace patra::infra::mysql
