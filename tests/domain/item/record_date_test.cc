#include "domain/item/record_date.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"
#include "domain/item/overwrite.h"

namespace patra::domain::record_date_test {

using namespace std::chrono_literals;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};

TEST(VersionTime, ADateMayLieADayAhead) {
  EXPECT_EQ(VersionTime(kNow - 1h, kNow, false), kNow - 1h);
  EXPECT_EQ(VersionTime(kNow + 24h, kNow, false), kNow + 24h);
  EXPECT_FALSE(VersionTime(kNow + 24h + Duration(1), kNow, false));
}

TEST(VersionTime, WhereDatesMayLieAheadTheLaterLookWins) {
  const auto ahead = VersionTime(kNow + 24h * 365, kNow, true).value();
  const auto corrected = VersionTime(kNow - 24h * 365, kNow + 1h, true).value();
  EXPECT_LT(ahead, corrected);
}

// I7, with dates before and after every look: whatever comes first, the same version remains.
TEST(VersionTime, WhatRemainsDoesNotDependOnTheOrder) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandom random(seed);
    std::vector<ItemVersion> versions;
    for (int i = 0; i < 8; ++i) {
      const auto fetched_at = kNow + 1h * static_cast<int>(random.Below(20));
      const auto date = kNow + 1h * static_cast<int>(random.Between(-1'000, 1'000));
      versions.push_back({.updated_at = VersionTime(date, fetched_at, true).value(),
                          .fetched_at = fetched_at,
                          .content_hash = {static_cast<std::uint8_t>(i)}});
    }
    const auto remaining = [&](const std::vector<std::size_t>& order) {
      std::optional<ItemVersion> stored;
      for (const auto i : order) {
        const auto decided = DecideOverwrite(stored ? &*stored : nullptr, versions[i]);
        if (decided.write) stored = versions[i];
      }
      return stored->content_hash.front();
    };
    std::vector<std::size_t> order(versions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto expected = remaining(order);
    const auto latest = std::ranges::max(versions, {}, &ItemVersion::fetched_at).fetched_at;
    EXPECT_EQ(versions[expected].fetched_at, latest) << "seed " << seed;
    for (int shuffles = 0; shuffles < 10; ++shuffles) {
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.Below(i)]);
      EXPECT_EQ(remaining(order), expected) << "seed " << seed;
    }
  }
}

}  // namespace patra::domain::record_date_test
