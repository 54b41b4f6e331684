// The executors that are alive: who shares the work, and an allowance when nobody counts for all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct Executor {
  std::string owner;  // process and incarnation, as in leases
  std::string host;
  Instant started_at{};
  Instant last_seen_at{};
  int tasks = 0;  // under way
};

class ExecutorRepository {
 public:
  virtual ~ExecutorRepository() = default;

  // The first beat of an owner is its start.
  virtual Result<void> Beat(const std::string& owner, const std::string& host, int tasks) = 0;
  virtual Result<void> Leave(const std::string& owner) = 0;
  // Seen within that long, in the order of their start.
  virtual Result<std::vector<Executor>> Alive(Duration within) = 0;
  // Those that were not seen for that long died without a word; how many were forgotten.
  virtual Result<int> Forget(Duration unseen_for) = 0;
};

}  // namespace patra::app
