// Server-side positions that clients hold by name: scrolls, history sets.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/random.h"
#include "base/time.h"

namespace patra::sim {

// Thread-safe and bounded: the one that expires first makes room.
template <typename State>
class ScrollStore {
 public:
  ScrollStore(std::uint64_t seed, Duration life) : seed_(seed), life_(life) {}

  std::string Open(State state, Duration now) {
    const std::lock_guard lock(mutex_);
    Forget(now);
    ++number_;
    auto id = fmt::format("{:016x}{:08x}", MixBits(seed_ + number_), number_ & 0xffffffffu);
    held_.insert_or_assign(id, Held{std::move(state), now + life_});
    return id;
  }

  // Calls `use` with the state, under the store's lock, and lets it live on; false if it is unknown
  // or expired.
  template <typename Use>
  bool Visit(const std::string& id, Duration now, Use&& use) {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end() || found->second.expires <= now) return false;
    found->second.expires = now + life_;
    use(found->second.state);
    return true;
  }

  // Takes the state away: it can be used once.
  std::optional<State> Take(const std::string& id, Duration now) {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end() || found->second.expires <= now) return std::nullopt;
    auto state = std::move(found->second.state);
    held_.erase(found);
    return state;
  }

 private:
  struct Held {
    State state;
    Duration expires{};
  };
  static constexpr std::size_t kHeldMax = 4'096;

  void Forget(Duration now) {
    if (held_.size() < kHeldMax) return;
    std::erase_if(held_, [&](const auto& held) { return held.second.expires <= now; });
    if (held_.size() < kHeldMax) return;
    auto first = held_.begin();
    for (auto it = held_.begin(); it != held_.end(); ++it) {
      if (it->second.expires < first->second.expires) first = it;
    }
    held_.erase(first);
  }

  const std::uint64_t seed_;
  const Duration life_;
  std::mutex mutex_;
  std::map<std::string, Held> held_;
  std::uint64_t number_ = 0;
};

}  // namespace patra::sim
