#include "domain/item/overwrite.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace patra::domain::overwrite_test {

using namespace std::chrono_literals;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// Hashes have the order of their letters.
ItemVersion Version(Instant updated, std::string_view hash) {
  ItemVersion version{.updated_at = updated, .fetched_at = kDay};
  std::ranges::copy(hash, version.content_hash.begin());
  return version;
}

TEST(Overwrite, ANewItemIsInserted) {
  EXPECT_EQ(DecideOverwrite(nullptr, Version(kDay, "a")).outcome, Overwrite::kInsert);
}

TEST(Overwrite, ANewerVersionWinsAnOlderIsStale) {
  const auto old = Version(kDay, "a"), fresh = Version(kDay + 1h, "b");
  EXPECT_EQ(DecideOverwrite(&old, fresh).outcome, Overwrite::kUpdate);
  EXPECT_EQ(DecideOverwrite(&fresh, old).outcome, Overwrite::kStale);
}

TEST(Overwrite, EqualContentIsUnchangedButItsVersionMovesForward) {
  const auto old = Version(kDay, "a"), later = Version(kDay + 1h, "a");
  EXPECT_EQ(DecideOverwrite(&old, later).outcome, Overwrite::kUnchanged);
  EXPECT_TRUE(DecideOverwrite(&old, later).write);
  EXPECT_FALSE(DecideOverwrite(&later, old).write);
  EXPECT_FALSE(DecideOverwrite(&old, old).write);
}

TEST(Overwrite, ACorrectionOnTheSameDayWinsByTheTimeItWasFetched) {
  auto morning = Version(kDay, "a"), evening = Version(kDay, "b");
  evening.fetched_at += 8h;
  EXPECT_EQ(DecideOverwrite(&morning, evening).outcome, Overwrite::kUpdate);
  EXPECT_EQ(DecideOverwrite(&evening, morning).outcome, Overwrite::kStale);
}

TEST(Overwrite, AChangedMappingWinsOverALaterFetchWithTheOldOne) {
  auto remapped = Version(kDay, "b"), refetched = Version(kDay, "a");
  remapped.mapping_generation = 1;
  refetched.fetched_at += 1h;
  EXPECT_EQ(DecideOverwrite(&refetched, remapped).outcome, Overwrite::kUpdate);
}

TEST(Overwrite, ADeletionIsAVersionOfItsOwn) {
  const auto alive = Version(kDay, "a");
  auto deleted = Version(kDay + 1h, "a");
  deleted.deleted = true;
  EXPECT_EQ(DecideOverwrite(&alive, deleted).outcome, Overwrite::kUpdate);
}

TEST(Overwrite, TheSurvivorIsTheSameInEveryOrderOfArrival) {
  std::vector<ItemVersion> versions{Version(kDay, "a"), Version(kDay, "b"), Version(kDay + 1h, "a"),
                                    Version(kDay + 1h, "c"), Version(kDay - 1h, "d")};
  versions[1].provider_version = 2;
  const auto newest = *std::ranges::max_element(versions);
  std::vector<std::size_t> order{0, 1, 2, 3, 4};
  do {
    std::optional<ItemVersion> stored;
    for (const auto i : order) {
      if (DecideOverwrite(stored ? &*stored : nullptr, versions[i]).write) stored = versions[i];
    }
    ASSERT_EQ(*stored, newest);
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace patra::domain::overwrite_test
