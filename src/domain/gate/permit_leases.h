// How many requests are under way. Each holds a lease, so that one whose process died or hangs gives its place back all
// the same, only later.
#pragma once

#include <array>
#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

using LeaseId = std::uint64_t;     // 0: none
using LeaseOwner = std::uint32_t;  // 0: nobody in particular

// Who took a lease stands in the upper half of its id.
constexpr LeaseId MakeLeaseId(LeaseOwner owner, std::uint32_t number) {
  return LeaseId{owner} << 32 | number;
}

class PermitLeases {
 public:
  // 0 where `count` are held already. REQUIRES: count <= kConcurrencyMax, id != 0
  LeaseId Take(Duration now, std::int64_t count, Duration lease, LeaseId id) {
    if (Held(now) >= count) return 0;
    for (auto& held : leases_) {
      if (held.id != 0 && held.until > now) continue;
      held = {id, now + lease};
      return id;
    }
    return 0;
  }

  // The place is free from `at` on.
  void Release(LeaseId id, Duration at) {
    for (auto& held : leases_) {
      if (held.id == id) held = {kNobody, at};
    }
  }

  // Whoever is gone gives its places back from `at` on. `is_gone` is asked about owners of leases that last longer.
  template <typename IsGone>
  void ReleaseGone(Duration at, const IsGone& is_gone) {
    for (auto& held : leases_) {
      const auto owner = static_cast<LeaseOwner>(held.id >> 32);
      if (owner == 0 || held.id == kNobody || held.until <= at) continue;
      if (is_gone(owner)) held = {kNobody, at};
    }
  }

  std::int64_t Held(Duration now) const {
    std::int64_t held = 0;
    for (const auto& lease : leases_) held += lease.id != 0 && lease.until > now;
    return held;
  }

  // Every place taken for a lease by nobody knows whom.
  void Fill(Duration now, std::int64_t count, Duration lease) {
    while (Take(now, count, lease, kNobody) != 0) {
    }
  }

 private:
  static constexpr LeaseId kNobody = ~LeaseId{0};

  struct Lease {
    LeaseId id = 0;
    Duration until{};
  };
  std::array<Lease, static_cast<std::size_t>(kConcurrencyMax)> leases_{};
};

}  // namespace patra::domain
