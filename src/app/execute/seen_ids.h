// Which records a walk has met already. Lists move while they are read, and what comes twice must not make
// up for what never came.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/random.h"

namespace patra::app {

class SeenIds {
 public:
  // How many of these are new, each counted once.
  std::int64_t CountNew(const std::vector<std::string>& ids) const {
    std::unordered_set<std::uint64_t> found;
    for (const auto& id : ids) {
      const auto hash = HashText(id);
      if (!hashes_.contains(hash)) found.insert(hash);
    }
    return static_cast<std::int64_t>(found.size());
  }

  // Beyond the bound nothing is remembered: memory stays flat, and the account at the end of the walk
  // shows what was counted twice.
  void Add(const std::vector<std::string>& ids) {
    for (const auto& id : ids) {
      if (hashes_.size() >= kIdsMax) return;
      hashes_.insert(HashText(id));
    }
  }

 private:
  static constexpr std::size_t kIdsMax = 500'000;
  std::unordered_set<std::uint64_t> hashes_;
};

}  // namespace patra::app
